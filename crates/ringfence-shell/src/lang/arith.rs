//! Words that bash evaluates: arithmetic and subscripts.
//!
//! A substitution in a subscript runs when the word is evaluated, though it stood in quotes.

use super::Finding;
use super::cursor::Cursor;

/// Reads a word that is evaluated.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(code);
    while let Some(c) = cursor.bump() {
        match c {
            '`' => {
                let command = cursor.take_while(|c| c != '`');
                found.push(match cursor.eat('`') && !command.contains('\\') {
                    true => Finding::Shell(command.to_owned()),
                    false => unknown(),
                });
            }
            // `$((` may be arithmetic or a command in brackets.
            '$' if cursor.rest().starts_with("((") => found.push(unknown()),
            '$' if cursor.eat('(') => found.push(substitution(&mut cursor)),
            '<' | '>' if cursor.peek() == Some('(') => found.push(unknown()),
            '@' if cursor.rest().starts_with("P}") => found.push(unknown()),
            _ => {}
        }
    }
    found
}

fn unknown() -> Finding {
    Finding::RunUnknown("a command stands in a word that bash evaluates".to_owned())
}

/// A command up to its bracket, if it is plain enough to tell where that is.
fn substitution(cursor: &mut Cursor<'_>) -> Finding {
    let command =
        cursor.take_while(|c| !matches!(c, ')' | '(' | '\'' | '"' | '\\' | '`' | '#' | '<'));
    match cursor.eat(')') {
        true => Finding::Shell(command.to_owned()),
        false => unknown(),
    }
}

#[cfg(test)]
#[path = "arith_tests.rs"]
mod tests;
