//! Lines of plain words: assignments, then a program and its arguments.
//!
//! A plain word has no character that a shell reads as anything but itself. Everything else is
//! left unread; the caller makes a doubt of it.

/// A line of plain words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlainLine<'l> {
    /// The variables set for the command, in order.
    pub assignments: Vec<(&'l str, &'l str)>,
    /// The program and its arguments; empty where the line only assigns.
    pub words: Vec<&'l str>,
}

/// The first character of a line that is not plain, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPlain {
    /// The character.
    pub character: char,
    /// Its place in the line, in bytes.
    pub at: usize,
}

/// Reads a line of plain words.
pub fn read(line: &str) -> Result<PlainLine<'_>, NotPlain> {
    if let Some((at, character)) = line.char_indices().find(|(_, c)| !is_plain(*c)) {
        return Err(NotPlain { character, at });
    }
    let mut plain = PlainLine::default();
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        match word.split_once('=') {
            Some((name, value)) if plain.words.is_empty() && is_name(name) => {
                plain.assignments.push((name, value));
            }
            _ => plain.words.push(word),
        }
    }
    match plain.words.first() {
        // A reserved word starts something that is no simple command.
        Some(word) if RESERVED.contains(word) => {
            Err(NotPlain { character: word.chars().next().unwrap_or(' '), at: 0 })
        }
        _ => Ok(plain),
    }
}

/// Words with which a shell starts something other than a simple command.
const RESERVED: [&str; 17] = [
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for",
    "in", "select", "function", "time", "coproc",
];

/// Whether a shell takes the character as itself wherever it stands.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, ' ' | '_' | '-' | '.' | '/' | ':' | ',' | '+' | '@' | '%' | '=')
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
