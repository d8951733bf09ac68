//! Lines of bounded length.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use memchr::{memchr, memchr3};

use crate::batch::More;

/// The longest message, in bytes. What is longer is not kept in memory.
pub(crate) const LONGEST: usize = 64 << 20;

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line, without its end, and whether another was read already.
    Text(&'a str, More),
    /// A line that was too long; all of it was skipped.
    TooLong,
    /// A line that is not UTF-8.
    NoText,
    /// Nothing more.
    End,
}

/// Reads lines. One that came at once is not copied.
pub(crate) struct Lines<R> {
    from: BufReader<R>,
    longest: usize,
    /// So much of what was read is the line that was handed out last.
    spent: usize,
    /// The beginning of a line that did not come at once.
    begun: Vec<u8>,
}

/// So many bytes are read at once, at most: as many as a pipe has.
const READ: usize = 64 << 10;

impl<R: Read> Lines<R> {
    /// The lines from there that are not longer than this.
    pub(crate) fn new(from: R, longest: usize) -> Lines<R> {
        Lines::buffered(BufReader::with_capacity(READ, from), longest)
    }

    fn buffered(from: BufReader<R>, longest: usize) -> Lines<R> {
        Lines { from, longest, spent: 0, begun: Vec::new() }
    }

    /// Reads the next line.
    pub(crate) fn next(&mut self) -> io::Result<Line<'_>> {
        self.from.consume(std::mem::take(&mut self.spent));
        if !self.begun.is_empty() {
            self.begun.clear();
            self.begun.shrink_to(READ);
        }
        loop {
            let read = fill(&mut self.from)?;
            let end = memchr(b'\n', read);
            let part = read.get(..end.unwrap_or(read.len())).unwrap_or_default();
            let (is_over, length) = (read.is_empty(), part.len());
            if self.begun.len().saturating_add(length) > self.longest {
                self.begun = Vec::new();
                self.skip_line()?;
                return Ok(Line::TooLong);
            }
            if end.is_some() && self.begun.is_empty() {
                self.spent = length.saturating_add(1);
                return Ok(self.whole(length));
            }
            self.begun.extend_from_slice(part);
            self.from.consume(length.saturating_add(usize::from(end.is_some())));
            if end.is_some() || is_over && !self.begun.is_empty() {
                return Ok(text(&self.begun, more(self.from.buffer())));
            }
            if is_over {
                return Ok(Line::End);
            }
        }
    }

    /// The line of this length that stands in what was read.
    fn whole(&self, length: usize) -> Line<'_> {
        let (line, rest) = self.from.buffer().split_at_checked(length).unwrap_or_default();
        text(line, more(rest.get(1..).unwrap_or_default()))
    }

    #[cold]
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let read = fill(&mut self.from)?;
            let end = memchr(b'\n', read);
            let (is_over, count) =
                (read.is_empty(), end.map_or(read.len(), |end| end.saturating_add(1)));
            self.from.consume(count);
            if is_over || end.is_some() {
                return Ok(());
            }
        }
    }
}

/// What was read, or is read now; nothing where there is no more.
fn fill<R: Read>(from: &mut BufReader<R>) -> io::Result<&[u8]> {
    loop {
        match from.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(_) => return Ok(from.buffer()),
        }
    }
}

fn text(line: &[u8], more: More) -> Line<'_> {
    std::str::from_utf8(line).map_or(Line::NoText, |text| Line::Text(text, more))
}

fn more(rest: &[u8]) -> More {
    if memchr(b'\n', rest).is_some() { More::Follows } else { More::No }
}

/// A text on one line, for readers of any kind: some end a line at a lone carriage return, or at
/// what ends lines in other scripts, and would find other messages inside of one. Outside of texts
/// the ends of lines are blanks in JSON; inside they are written out.
pub(crate) fn single(text: &str) -> Cow<'_, str> {
    let text = text.trim_ascii();
    // The bytes with which the ends of lines begin are looked for many at a time.
    let bytes = text.as_bytes();
    let may_end = memchr3(b'\n', b'\r', 0xc2, bytes).or_else(|| memchr(0xe2, bytes)).is_some();
    if !may_end || !text.contains(ENDS) {
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

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
