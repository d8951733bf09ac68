//! The text of a call as people see it, and where each of its bytes stands there.
//!
//! Secrets are hashed before anything is cut out of it: a part alone would not show that it is one.

use std::ops::Range;

use ringfence_guard::redact::{redact, visible};

/// A text, ready to be shown.
pub(crate) struct Source {
    /// Its lines, with nothing secret and nothing invisible in them.
    pub(crate) rows: Vec<String>,
    /// Where each byte of the text begins and ends in them.
    places: Vec<(Place, Place)>,
}

/// A place in what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    row: usize,
    byte: usize,
}

/// A line with a part of it marked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The line, or what is around the part.
    pub(crate) text: String,
    /// How many characters stand before the part.
    pub(crate) column: usize,
    /// How many characters the part has, at least one.
    pub(crate) width: usize,
}

/// How much of a long line is shown before the part that is meant.
const BEFORE: usize = 40;
/// How much of a long line is shown in all.
const WIDEST: usize = 88;

impl Source {
    /// Makes a text fit to be shown.
    pub(crate) fn new(text: &str) -> Source {
        let hidden = redact(text);
        let mut source =
            Source { rows: vec![String::new()], places: Vec::with_capacity(text.len()) };
        for (from, to) in pieces(text, &hidden) {
            let (own, shown) = (text.get(from).unwrap_or_default(), hidden.get(to));
            match shown.unwrap_or_default() {
                shown if shown == own => own.chars().for_each(|c| source.push_char(c)),
                shown => source.push(&visible(shown), own.len()),
            }
        }
        // A newline at the end begins no line.
        if source.rows.len() > 1 && source.rows.last().is_some_and(String::is_empty) {
            source.rows.pop();
        }
        source
    }

    fn push_char(&mut self, c: char) {
        if c == '\n' {
            self.push("", 1);
            return self.rows.push(String::new());
        }
        self.push(&visible(c.encode_utf8(&mut [0; 4])), c.len_utf8());
    }

    /// Adds what is shown for some bytes.
    fn push(&mut self, shown: &str, bytes: usize) {
        let before = self.end();
        if let Some(row) = self.rows.last_mut() {
            row.push_str(shown);
        }
        let after = self.end();
        self.places.extend(std::iter::repeat_n((before, after), bytes));
    }

    fn end(&self) -> Place {
        let row = self.rows.len().saturating_sub(1);
        Place { row, byte: self.rows.last().map_or(0, String::len) }
    }

    fn range(&self, (start, end): (usize, usize)) -> (Place, Place) {
        let from = self.places.get(start).map_or_else(|| self.end(), |(from, _)| *from);
        let last = end.checked_sub(1).filter(|last| *last >= start);
        let to = last.map(|last| self.places.get(last).map_or_else(|| self.end(), |(_, to)| *to));
        (from, to.unwrap_or(from))
    }

    /// What is shown for a part of the text, of its first line.
    pub(crate) fn part(&self, span: (usize, usize)) -> String {
        let (from, to) = self.range(span);
        let row = self.rows.get(from.row).map_or("", String::as_str);
        match to.row == from.row {
            true => row.get(from.byte..to.byte).unwrap_or_default().to_owned(),
            false => format!("{}…", row.get(from.byte..).unwrap_or_default().trim_end()),
        }
    }

    /// The line in which a part begins, with the part marked.
    pub(crate) fn excerpt(&self, span: (usize, usize)) -> Excerpt {
        let (from, to) = self.range(span);
        let row = self.rows.get(from.row).map_or("", String::as_str);
        let count = |range: Range<usize>| row.get(range).unwrap_or_default().chars().count();
        let column = count(0..from.byte);
        let end = if to.row == from.row { to.byte } else { row.len() };
        let width = count(from.byte..end).max(1);
        cut(row, column, width)
    }
}

/// The part of a long line that is around what is meant.
fn cut(row: &str, column: usize, width: usize) -> Excerpt {
    let length = row.chars().count();
    if length <= WIDEST {
        return Excerpt { text: row.to_owned(), column, width };
    }
    let room = length.saturating_sub(WIDEST);
    let skipped = column.saturating_sub(BEFORE).min(room);
    let mut text: String = row.chars().skip(skipped).take(WIDEST).collect();
    let mut column = column.saturating_sub(skipped);
    if skipped > 0 {
        text.insert(0, '…');
        column = column.saturating_add(1);
    }
    let shown = text.chars().count();
    if skipped < room {
        text.push('…');
    }
    Excerpt { width: width.min(shown.saturating_sub(column)).max(1), text, column }
}

/// What opens and closes the hash of a secret.
const MARKS: (&str, char) = ("‹redacted:", '›');

/// The stretches of a text beside what became of each.
fn pieces(text: &str, hidden: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let mut pieces = Vec::new();
    let (mut at, mut to) = (0usize, 0usize);
    while let Some(rest) = hidden.get(to..).filter(|rest| !rest.is_empty()) {
        let own = text.get(at..).unwrap_or_default();
        let plain = rest.find(MARKS.0).unwrap_or(rest.len());
        let mark =
            rest.find(MARKS.1).map_or(rest.len(), |end| end.saturating_add(MARKS.1.len_utf8()));
        let whole = rest.get(..mark).unwrap_or_default();
        let (from, shown) = match plain {
            // A hash that was in the text already.
            0 if own.starts_with(whole) => (mark, mark),
            0 => (secret_length(own, rest.get(mark..).unwrap_or_default()), mark),
            plain => (plain, plain),
        };
        let (from, shown) = (at.saturating_add(from), to.saturating_add(shown));
        pieces.push((at..from, to..shown));
        (at, to) = (from, shown);
    }
    pieces
}

/// How long a secret is, by what follows it.
fn secret_length(own: &str, behind: &str) -> usize {
    match behind.find(MARKS.0) {
        None => own.len().saturating_sub(behind.len()),
        Some(end) => {
            let next = behind.get(..end).unwrap_or_default();
            own.find(next).unwrap_or(own.len())
        }
    }
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
