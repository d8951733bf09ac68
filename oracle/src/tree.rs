//! tree-sitter-bash.

use tree_sitter::{Node, Parser};

/// The names of the commands of a line; none where the tree has errors.
pub(crate) fn names(line: &str) -> Option<Vec<String>> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let tree = parser.parse(line, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut names = Vec::new();
    collect(tree.root_node(), line, &mut names);
    Some(names)
}

fn collect(node: Node<'_>, line: &str, names: &mut Vec<String>) {
    let named = match node.kind() {
        "command_name" => Some(node),
        // Builtins that have a grammar of their own there.
        "declaration_command" | "unset_command" => node.child(0),
        _ => None,
    };
    names.extend(named.and_then(|named| line.get(named.byte_range())).map(str::to_owned));
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        collect(child, line, names);
    }
}
