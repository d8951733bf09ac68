//! Commands as the texts that others match.

use ringfence_core::pattern::{CommandAlternative, CommandPattern, Ending, Token};

/// A command of fixed words, or of fixed words and any others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// Exactly these words.
    Exact(Vec<String>),
    /// These words and any further ones.
    Open(Vec<String>),
    /// More than that.
    Shape,
}

/// What an alternative says; `objects` where further words are taken by a deny.
pub(super) fn said(alternative: &CommandAlternative, objects: bool) -> Said {
    let literal = |token: &Token| match token {
        Token::Literal(word) => Some(word.to_string()),
        _ => None,
    };
    let words: Option<Vec<String>> = alternative.tokens.iter().map(literal).collect();
    match (words, alternative.ending) {
        (Some(words), _) if !words.iter().all(|word| is_plain(word)) => Said::Shape,
        (Some(words), Ending::Open) => Said::Open(words),
        (Some(words), Ending::BySide) if objects => Said::Open(words),
        (Some(words), _) => Said::Exact(words),
        (None, _) => Said::Shape,
    }
}

/// Whether a word means itself in every notation.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.contains(|c: char| c.is_whitespace() || "|&;<>$`\"'\\(){}*?[]#!".contains(c))
}

/// The words that a command starts with, whatever spelling its options have: the program, and its
/// subcommands as long as they are fixed.
pub(super) fn certain_start(alternative: &CommandAlternative) -> Vec<String> {
    let mut words = Vec::new();
    for token in &alternative.tokens {
        match token {
            Token::Literal(word) if is_plain(word) && !word.starts_with('-') => {
                words.push(word.to_string());
            }
            _ => break,
        }
    }
    words
}

/// A text pattern that takes in every spelling of a command: options are left out, and anything may
/// stand between the words. `None` where even the program is open.
pub(super) fn cover(alternative: &CommandAlternative) -> Option<String> {
    let mut words = alternative.tokens.iter().filter_map(|token| match token {
        Token::Literal(word) if is_plain(word) && !word.starts_with('-') => Some(word.as_ref()),
        _ => None,
    });
    let Some(Token::Literal(program)) = alternative.tokens.first() else { return None };
    let program = Some(program).filter(|program| is_plain(program))?;
    words.next();
    let rest: Vec<&str> = words.collect();
    Some(match rest.as_slice() {
        [] => format!("{program} *"),
        rest => format!("{program} *{}*", rest.join("*")),
    })
}

/// The texts of a pattern for a deny: its own spelling.
pub(super) fn spelled(pattern: &CommandPattern) -> Vec<String> {
    let text = |alternative: &CommandAlternative| {
        let words: Option<Vec<String>> = alternative
            .tokens
            .iter()
            .map(|token| match token {
                Token::Literal(word) if is_plain(word) => Some(word.to_string()),
                Token::Run => Some("*".to_owned()),
                _ => None,
            })
            .collect();
        let mut words = words?;
        if alternative.ending != Ending::Closed && words.last().map(String::as_str) != Some("*") {
            words.push("*".to_owned());
        }
        Some(words.join(" "))
    };
    pattern.alternatives().iter().filter_map(text).collect()
}
