//! How an option is spelt.

use std::sync::Arc;

/// The names of one option, and whether it takes a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// Its names with their dashes.
    pub names: Arc<[Box<str>]>,
    /// Whether it takes a value.
    pub takes: Takes,
}

/// Whether an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Takes {
    /// None.
    Nothing,
    /// One, glued to it or in the next word.
    Value,
    /// Perhaps one, glued to it.
    Perhaps,
    /// Perhaps a number, glued to it: what stands behind its digits are further letters.
    Digits,
}

impl Spelling {
    /// Reads `-o|--output=`, `--color[=]`, `-l[#]`, `-v|--verbose`.
    pub fn parse(text: &str) -> Result<Spelling, &'static str> {
        let (names, takes) = split_takes(text);
        if names.is_empty() || names.split('|').any(str::is_empty) {
            return Err("an option without a name");
        }
        if names.contains(char::is_whitespace) {
            return Err("a blank in the name of an option");
        }
        Ok(Spelling { names: names.split('|').map(Into::into).collect(), takes })
    }

    /// Whether this is one of its names.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| **own == *name)
    }

    /// Its name that is a dash and this letter, if it has one.
    pub fn letter(&self, letter: char) -> Option<&str> {
        let length = letter.len_utf8().saturating_add(1);
        let is_it =
            |name: &str| name.len() == length && name.starts_with('-') && name.ends_with(letter);
        self.names.iter().map(|name| &**name).find(|name| is_it(name))
    }

    /// Whether both have a name in common.
    pub fn shares_name(&self, other: &Spelling) -> bool {
        self.names.iter().any(|name| other.has(name))
    }
}

/// The names, and whether a value follows.
pub(super) fn split_takes(text: &str) -> (&str, Takes) {
    if let Some(names) = text.strip_suffix("[=]") {
        return (names, Takes::Perhaps);
    }
    if let Some(names) = text.strip_suffix("[#]") {
        return (names, Takes::Digits);
    }
    match text.strip_suffix('=') {
        Some(names) => (names, Takes::Value),
        None => (text, Takes::Nothing),
    }
}

#[cfg(test)]
#[path = "spelling_tests.rs"]
mod tests;
