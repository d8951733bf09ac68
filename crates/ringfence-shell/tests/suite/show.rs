//! Listings as short text: `A=b program 'an argument' ? >file @cmdsubst`, `?` for what is unknown.

use ringfence_shell::{ListedCommand, list};

/// The commands of a line, one text each; of a refusal, its kind and message.
pub(super) fn show(line: &str) -> Vec<String> {
    let listing = list(line, "/h");
    if let Some(error) = &listing.syntax_error {
        return vec![format!("syntax: {}", error.message())];
    }
    if let Some(error) = &listing.unsupported {
        return vec![format!("unsupported: {}", error.message())];
    }
    let mut shown: Vec<String> = listing.commands.iter().map(command).collect();
    let redirs = listing.compound_redirs.iter();
    shown.extend(redirs.map(|(op, target)| format!("compound {op}{}", word(target))));
    shown
}

/// Compares the commands of a line.
pub(super) fn check(line: &str, wanted: &[&str]) {
    assert_eq!(show(line), wanted, "{line:?}");
}

/// Asserts that bash refuses the line.
pub(super) fn check_syntax(line: &str) {
    let shown = show(line);
    assert!(shown.iter().any(|text| text.starts_with("syntax: ")), "{line:?}: {shown:?}");
}

/// Asserts that the line is refused here.
pub(super) fn check_unsupported(line: &str) {
    let shown = show(line);
    assert!(shown.iter().any(|text| text.starts_with("unsupported: ")), "{line:?}: {shown:?}");
}

fn command(command: &ListedCommand) -> String {
    let mut texts = Vec::new();
    texts.extend(command.assigns.iter().map(|(name, value)| format!("{name}={}", word(value))));
    texts.extend(command.argv.iter().map(word));
    texts.extend(command.redirs.iter().map(|(op, target)| format!("{op}{}", word(target))));
    texts.extend(command.within.map(|context| format!("@{}", context.name())));
    texts.join(" ")
}

fn word(word: &Option<String>) -> String {
    let plain = |text: &str| !text.is_empty() && !text.contains([' ', '\n', '\t', '?', '\'']);
    match word {
        None => "?".to_owned(),
        Some(text) if plain(text) => text.clone(),
        Some(text) => format!("{text:?}"),
    }
}
