//! From words to a pattern that reads back as exactly these words.

use ringfence_core::Pattern;
use ringfence_core::pattern::{Ending, Glob, Token};

/// The pattern for these words and what may follow them, if there is a way to write it.
pub(super) fn pattern(words: &[&str], ending: Ending) -> Option<Pattern> {
    let blank = words.iter().any(|word| word.contains(char::is_whitespace));
    let mut parts: Vec<String> = match blank {
        true => words.iter().map(|word| shell_word(word)).collect(),
        false => words.iter().map(|word| colon_word(word)).collect(),
    };
    match ending {
        Ending::Open => parts.push("*".to_owned()),
        // Words with an option among them are exact for all to see; other words need the colon.
        Ending::Closed | Ending::BySide if !blank && !has_option(words) => {
            parts.push(String::new());
        }
        Ending::Closed | Ending::BySide => {}
    }
    let text = format!("cmd:{}", parts.join(if blank { " " } else { ":" }));
    Pattern::parse(&text).ok().filter(|pattern| reads_back(pattern, words, ending))
}

fn has_option(words: &[&str]) -> bool {
    words.iter().skip(1).any(|word| word.starts_with('-'))
}

fn reads_back(pattern: &Pattern, words: &[&str], ending: Ending) -> bool {
    let Pattern::Command(command) = pattern else {
        return false;
    };
    let [alternative] = command.alternatives() else {
        return false;
    };
    let literal = |(token, word): (&Token, &&str)| match token {
        Token::Literal(own) => **own == **word,
        Token::Glob(_) | Token::Run => false,
    };
    alternative.tokens.len() == words.len()
        && alternative.tokens.iter().zip(words).all(literal)
        && (alternative.ending == Ending::Open) == (ending == Ending::Open)
}

fn colon_word(word: &str) -> String {
    Glob::literal(word).to_string().replace(':', "\\:")
}

/// The word in a pattern of shell words: blanks and quotes stand in quotes, wildcards behind `\`.
fn shell_word(word: &str) -> String {
    let mut text = String::new();
    for c in word.chars() {
        match c {
            '\'' => text.push_str("\"'\""),
            c if c.is_whitespace() || c == '"' => text.extend(['\'', c, '\'']),
            '*' | '?' | '[' | '\\' | '{' => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text
}
