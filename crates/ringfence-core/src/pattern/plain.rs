//! Patterns that are well-formed at a glance.
//!
//! Nearly every rule is written without any notation but stars, and one pass over its bytes tells
//! that it is a pattern. Such a text is taken apart when someone asks what it matches; a door that
//! judges one call and ends never asks that of most rules. What is said here must hold: a text of
//! which it is true is one that the parser takes, and `plain_tests` draws texts to show it.

use super::MAX_WILDCARDS;
use crate::text::cut;

/// Whether the text behind `cmd:` is one that can be read.
pub(super) fn is_command(text: &str) -> bool {
    let mut before = b':';
    for byte in text.bytes() {
        // Two colons have an empty word between them.
        if byte == b':' && before == b':' {
            return false;
        }
        before = byte;
    }
    is_plain(text)
}

/// Whether the text of a path is one that can be read.
pub(super) fn is_path(text: &str) -> bool {
    let (place, below) = cut(text, b'/').unwrap_or((text, ""));
    let rest = match place {
        "~" | "@root" | "@base" | "@cwd" | "@tmp" | "@system" => below,
        place if place.starts_with('@') => return false,
        _ => text,
    };
    let mut before = b'/';
    for byte in rest.bytes() {
        // What lies above may not be known.
        if byte == b'.' && before == b'.' {
            return false;
        }
        before = byte;
    }
    rest.is_empty() && !text.is_empty() || is_plain(rest)
}

/// Whether the text of a name is one that can be read.
pub(super) fn is_name(text: &str) -> bool {
    is_plain(text)
}

/// Whether a text is not empty and has nothing in it that has a meaning of its own, apart from stars,
/// of which there are not too many.
fn is_plain(text: &str) -> bool {
    let mut stars = 0usize;
    let mut is_plain = !text.is_empty();
    for byte in text.bytes() {
        stars = stars.saturating_add(usize::from(byte == b'*'));
        // Digits and `*+,-./:`, capital letters and `@`, an underscore, small letters.
        is_plain &= matches!(byte, b'*'..=b':' | b'@'..=b'Z' | b'_' | b'a'..=b'z');
    }
    is_plain && stars <= MAX_WILDCARDS
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
