//! Excerpts of untrusted text for messages.

use std::fmt;

/// The number of characters of a text that a message repeats.
const SHOWN: usize = 200;

/// Returns an excerpt for a message: of limited length, with invisible characters escaped.
pub(crate) fn excerpt(text: &str) -> Excerpt<'_> {
    Excerpt(text)
}

/// A text that is shortened and escaped by its [`Display`](fmt::Display).
pub(crate) struct Excerpt<'a>(&'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars().take(SHOWN) {
            match character {
                ' '..='~' => fmt::Write::write_char(f, character)?,
                _ => character.escape_debug().try_for_each(|c| fmt::Write::write_char(f, c))?,
            }
        }
        if self.0.chars().nth(SHOWN).is_some() {
            f.write_str("…")?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
