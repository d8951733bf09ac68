//! brush-parser.

use brush_parser::word::{self, WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions};
use serde_json::Value;

/// The names of the commands of a line; none where it is refused.
pub(crate) fn names(line: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    program(line, &mut names)?;
    Some(names)
}

fn program(text: &str, names: &mut Vec<String>) -> Option<()> {
    let mut parser = Parser::new(text.as_bytes(), &ParserOptions::default());
    let tree = serde_json::to_value(parser.parse_program().ok()?).ok()?;
    walk(&tree, names)
}

/// Every command of the tree, and what stands in its words.
fn walk(tree: &Value, names: &mut Vec<String>) -> Option<()> {
    match tree {
        Value::Array(items) => items.iter().try_for_each(|item| walk(item, names)),
        Value::Object(fields) => {
            if let Some(name) = fields.get("word_or_name").and_then(|word| word["value"].as_str()) {
                names.push(name.to_owned());
            }
            // An assignment is there twice: as one, and as the word that it was written as.
            if let Some(assignment) = fields.get("AssignmentWord") {
                return walk(assignment.get(0)?, names);
            }
            let text = fields.get("value").and_then(Value::as_str);
            if let Some(text) = text.filter(|_| fields.contains_key("loc")) {
                let pieces = word::parse(text, &ParserOptions::default()).ok()?;
                inside(text, &pieces, names)?;
            }
            fields.values().try_for_each(|field| walk(field, names))
        }
        _ => Some(()),
    }
}

fn inside(text: &str, pieces: &[WordPieceWithSource], names: &mut Vec<String>) -> Option<()> {
    pieces.iter().try_for_each(|piece| match &piece.piece {
        WordPiece::CommandSubstitution(text) | WordPiece::BackquotedCommandSubstitution(text) => {
            program(text, names)
        }
        WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
            inside(text, inner, names)
        }
        // It keeps what stands in these as text.
        WordPiece::ParameterExpansion(_) | WordPiece::ArithmeticExpression(_) => {
            (!text.contains('(') && !text.contains('`')).then_some(())
        }
        _ => Some(()),
    })
}
