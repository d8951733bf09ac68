//! Lines of bounded length.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use crate::batch::More;

/// The longest message, in bytes. What is longer is not kept in memory.
pub(crate) const LONGEST: usize = 64 << 20;

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its end.
    Text(String),
    /// A line that was too long; all of it was skipped.
    TooLong,
    /// A line that is not UTF-8.
    NoText,
    /// Nothing more.
    End,
}

/// Reads the next line.
pub(crate) fn next(from: &mut impl BufRead, longest: usize) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(longest).unwrap_or(u64::MAX).saturating_add(1);
    from.by_ref().take(limit).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > longest {
        drop(bytes);
        skip_line(from)?;
        return Ok(Line::TooLong);
    }
    Ok(String::from_utf8(bytes).map_or(Line::NoText, Line::Text))
}

/// Whether another line was read already.
pub(crate) fn more(from: &BufReader<impl Read>) -> More {
    if from.buffer().contains(&b'\n') { More::Follows } else { More::No }
}

/// A text on one line, for readers of any kind: some end a line at a lone carriage return, or at
/// what ends lines in other scripts, and would find other messages inside of one. Outside of texts
/// the ends of lines are blanks in JSON; inside they are written out.
pub(crate) fn single(text: &str) -> Cow<'_, str> {
    let text = text.trim_ascii();
    let may_end = |byte: u8| matches!(byte, b'\n' | b'\r' | 0xc2 | 0xe2);
    // Looking at every byte takes less time than stopping at the first.
    let any_may = text.bytes().fold(false, |any, byte| any | may_end(byte));
    if !any_may || !text.contains(ENDS) {
        return Cow::Borrowed(text);
    }
    let mut single = String::with_capacity(text.len());
    for part in text.split_inclusive(ENDS) {
        let (rest, end) = match part.char_indices().next_back() {
            Some((at, end)) if ENDS.contains(&end) => (part.get(..at).unwrap_or_default(), end),
            _ => (part, ' '),
        };
        single.push_str(rest);
        match end {
            '\n' | '\r' => single.push(' '),
            ' ' => {}
            other => single.push_str(&format!("\\u{:04x}", u32::from(other))),
        }
    }
    Cow::Owned(single)
}

/// What ends a line for some reader.
const ENDS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

fn skip_line(from: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = from.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(buffer.len(), |end| end.saturating_add(1));
        from.consume(count);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
