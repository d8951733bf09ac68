//! IDs of questions: short enough to type, too many to guess.

use std::fs::File;
use std::io::{self, Read};

/// Letters and digits that are hard to confuse. Their number divides 256, so each is equally
/// likely.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH: usize = 6;

/// Returns a random ID, one of about a billion.
pub(super) fn new() -> io::Result<String> {
    let mut bytes = [0_u8; LENGTH];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let letter = |byte: u8| LETTERS.get(usize::from(byte & 31)).copied().map_or('a', char::from);
    Ok(bytes.into_iter().map(letter).collect())
}

/// Returns whether a text has the form of an ID.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| LETTERS.contains(&byte))
}
