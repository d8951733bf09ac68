//! Where a piece of text goes into a document, and where it is found again.

use std::ops::Range;

use toml_edit::{Array, Item, TableLike};

/// What stands on the first line of a list that a verb made.
const MADE: &str = "[ # by hand";
const INDENT: &str = "    ";

/// A text with a piece put in.
pub(super) fn insert(text: &str, at: usize, piece: &str) -> Option<String> {
    Some(format!("{}{piece}{}", text.get(..at)?, text.get(at..)?))
}

/// A text without a range of it.
pub(super) fn remove(text: &str, range: Range<usize>) -> Option<String> {
    Some(format!("{}{}", text.get(..range.start)?, text.get(range.end..)?))
}

/// A piece that makes an entry the first of a list: a line of its own where the list has lines.
pub(super) fn in_list(text: &str, list: &Array, entry: &str) -> Option<(usize, String)> {
    let open = list.span()?.start.saturating_add(1);
    let rest = text.get(open..)?;
    let line_end = rest.find('\n').map(|at| at.saturating_add(1));
    let opening = line_end.and_then(|end| rest.get(..end)).unwrap_or_default().trim();
    let has_lines = line_end.is_some() && (opening.is_empty() || opening.starts_with('#'));
    let Some(end) = line_end.filter(|_| has_lines) else {
        let comma = if list.is_empty() { "" } else { ", " };
        return Some((open, format!("{entry}{comma}")));
    };
    let next = rest.get(end..)?.lines().next().unwrap_or_default();
    let words = next.trim_start();
    let indent = match words.is_empty() || words.starts_with(']') {
        true => INDENT,
        false => next.strip_suffix(words).unwrap_or(INDENT),
    };
    Some((open.saturating_add(end), format!("{indent}{entry},{}", newline(text))))
}

/// A piece that makes a list with one entry, behind the other keys that belong to no table.
pub(super) fn as_list(
    text: &str,
    document: &dyn TableLike,
    key: &str,
    entry: &str,
) -> Option<(usize, String)> {
    let new = newline(text);
    let list = format!("{key} = {MADE}{new}{INDENT}{entry},{new}]");
    let last = last_value(document);
    let rest = text.get(last..)?;
    match rest.find('\n').map(|at| last.saturating_add(at).saturating_add(1)) {
        _ if last == 0 => Some((0, format!("{list}{new}"))),
        Some(line) => Some((line, format!("{list}{new}"))),
        // The last line has no end.
        None => Some((text.len(), format!("{new}{list}"))),
    }
}

/// Where the last value ends that belongs to no table with a header.
fn last_value(table: &dyn TableLike) -> usize {
    let ends = table.iter().map(|(_, item)| match item {
        Item::Value(value) => value.span().map_or(0, |span| span.end),
        Item::Table(dotted) if dotted.is_dotted() => last_value(dotted),
        _ => 0,
    });
    ends.max().unwrap_or(0)
}

/// What has to go so that an entry is gone: its line, or the entry and its comma.
pub(super) fn piece(text: &str, entry: Range<usize>) -> Range<usize> {
    let before = text.get(..entry.start).unwrap_or_default();
    let after = text.get(entry.end..).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let alone = before.get(line_start..).is_some_and(|own| own.trim().is_empty());
    if let Some(rest) = after.strip_prefix(',').filter(|_| alone) {
        let blank = rest.len().saturating_sub(rest.trim_start_matches(['\r', ' ', '\t']).len());
        if rest.get(blank..).is_some_and(|own| own.starts_with('\n')) {
            // The comma, and the end of the line.
            let end = entry.end.saturating_add(blank).saturating_add(2);
            return line_start..end;
        }
    }
    let comma = if after.starts_with(", ") { 2 } else { usize::from(after.starts_with(',')) };
    entry.start..entry.end.saturating_add(comma)
}

/// A list that a verb made and that has no entry any more, with one end of a line.
pub(super) fn empty_list(text: &str, key: &str) -> Option<Range<usize>> {
    let new = newline(text);
    let list = format!("{key} = {MADE}{new}]");
    let found = text.match_indices(&list).map(|(at, _)| at);
    let start = found.into_iter().find(|at| {
        text.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    })?;
    let end = start.saturating_add(list.len());
    let after = text.get(end..)?;
    if after.starts_with(new) {
        return Some(start..end.saturating_add(new.len()));
    }
    let before = start.saturating_sub(new.len());
    after.is_empty().then_some(before..end)
}

/// How this document ends its lines.
fn newline(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
