//! Reading input within limits.

use std::io::{BufRead, Read};

/// The longest line of JSON that is read, in bytes.
pub(crate) const MAX_LINE: u64 = 8 << 20;

/// One line of input.
pub(crate) enum Line {
    /// The line, without its end.
    Text(String),
    /// The line was too long, or is not UTF-8; the rest of it was skipped.
    Bad(&'static str),
}

/// Reads the next line; `None` at the end. Never holds more than the limit.
pub(crate) fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let limit = MAX_LINE.saturating_add(1);
    let read = input.by_ref().take(limit).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    let ended = bytes.last() == Some(&b'\n');
    if !ended && u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_LINE {
        skip_line(input)?;
        return Ok(Some(Line::Bad("the line is longer than 8 MiB")));
    }
    while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => Line::Text(text),
        Err(_) => Line::Bad("the line is not UTF-8"),
    }))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(());
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(chunk.len(), |at| at.saturating_add(1));
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
