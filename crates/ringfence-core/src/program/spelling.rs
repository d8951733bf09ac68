//! Spellings of options.

use std::sync::Arc;

/// The names of an option, and whether the option takes a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpelling {
    /// The names, with their dashes.
    pub names: Arc<[Box<str>]>,
    /// Whether the option takes a value.
    pub takes: TakesValue,
}

/// Whether an option takes a value, and where the value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TakesValue {
    /// No value.
    Nothing,
    /// A value, attached or in the next word.
    Value,
    /// An optional value, attached only.
    Perhaps,
    /// An optional number, attached only. Characters after the digits are further options.
    Digits,
}

impl OptionSpelling {
    /// Parses `-o|--output=`, `--color[=]`, `-l[#]` or `-v|--verbose`.
    pub fn parse(text: &str) -> Result<OptionSpelling, &'static str> {
        let (names, takes) = split_takes(text);
        if names.is_empty() || names.split('|').any(str::is_empty) {
            return Err("an option without a name");
        }
        if names.contains(char::is_whitespace) {
            return Err("a space in the name of an option");
        }
        Ok(OptionSpelling { names: names.split('|').map(Into::into).collect(), takes })
    }

    /// Returns whether the option has this name.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| **own == *name)
    }

    /// Returns the name that consists of a dash and this letter.
    pub fn letter(&self, letter: char) -> Option<&str> {
        let length = letter.len_utf8().saturating_add(1);
        let is_it =
            |name: &str| name.len() == length && name.starts_with('-') && name.ends_with(letter);
        self.names.iter().map(|name| &**name).find(|name| is_it(name))
    }

    /// Returns whether both options have a name in common.
    pub fn shares_name(&self, other: &OptionSpelling) -> bool {
        self.names.iter().any(|name| other.has(name))
    }
}

/// Splits the text of an option into its names and the mark for its value.
pub(super) fn split_takes(text: &str) -> (&str, TakesValue) {
    if let Some(names) = text.strip_suffix("[=]") {
        return (names, TakesValue::Perhaps);
    }
    if let Some(names) = text.strip_suffix("[#]") {
        return (names, TakesValue::Digits);
    }
    match text.strip_suffix('=') {
        Some(names) => (names, TakesValue::Value),
        None => (text, TakesValue::Nothing),
    }
}

#[cfg(test)]
#[path = "spelling_tests.rs"]
mod tests;
