//! Values: how far they reach, and whether they are worth hiding.

use super::bytes::{Bytes, Span, is_quote};
use super::is_marker;

/// How a value is parted from what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// A word of a shell, quoted parts included.
    ShellWord,
    /// A quoted text, or a word without brackets.
    Plain,
    /// Part of a query.
    Query,
}

/// The value that starts at an offset, and where the text goes on behind it.
///
/// `around` is the quote in which all of it stands.
pub(super) fn at(
    bytes: Bytes<'_>,
    start: usize,
    extent: Extent,
    around: Option<u8>,
) -> (Span, usize) {
    if extent != Extent::Query
        && let Some(quoted) = quoted(bytes, start, around)
    {
        let continues = extent == Extent::ShellWord
            && bytes.at(quoted.1).is_some_and(|byte| !ends_word(byte) && Some(byte) != around);
        if !continues {
            return quoted;
        }
    }
    let end = match extent {
        Extent::ShellWord => end_of_word(bytes, start, around),
        Extent::Plain => end_of_plain(bytes, start),
        Extent::Query => {
            bytes.skip(start, |byte| !ends_word(byte) && !matches!(byte, b'#' | b'\\'))
        }
    };
    (start..end, end)
}

/// The offset at which a line, or the quotes around it, end.
pub(super) fn end_of_line(bytes: Bytes<'_>, start: usize) -> usize {
    bytes.skip(start, |byte| !matches!(byte, b'\n' | b'\r' | b'\\') && !is_quote(byte))
}

/// Whether a value is a secret itself, and not a reference, a placeholder or nothing.
pub(super) fn is_literal(value: &str) -> bool {
    const WORDS: [&str; 6] = ["null", "none", "nil", "true", "false", "undefined"];
    let is_word = WORDS.iter().any(|word| value.eq_ignore_ascii_case(word));
    let runs = ["$(", "`", "<("].iter().any(|start| value.starts_with(start));
    let says_something = value.bytes().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    says_something && !is_word && !runs && !is_reference(value) && !is_marker(value)
}

/// `$NAME`, `${NAME}`, `{{ name }}` or `<name>` and nothing else.
fn is_reference(value: &str) -> bool {
    let is_name = |name: &str| {
        let is_name_char = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        !name.is_empty() && name.bytes().all(is_name_char)
    };
    let between = |open: &str, close: &str| {
        let inner = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(|inner| !inner.contains(['{', '}', '<', '>', '$', ':']))
    };
    value.strip_prefix('$').is_some_and(is_name)
        || between("${", "}")
        || between("${{", "}}")
        || between("{{", "}}")
        || between("<", ">")
}

/// The quoted text at an offset without its quotes, and the offset behind them.
fn quoted(bytes: Bytes<'_>, start: usize, around: Option<u8>) -> Option<(Span, usize)> {
    if bytes.has(start, "\\\"") {
        // Quotes within a quoted document.
        let inner = start.saturating_add(2);
        let end = bytes.find(inner, "\\\"")?;
        return Some((inner..end, end.saturating_add(2)));
    }
    let quote = bytes.at(start).filter(|byte| is_quote(*byte))?;
    let inner = start.saturating_add(1);
    let end = close(bytes, inner, quote);
    let is_closed = bytes.at(end) == Some(quote);
    // The quote may close what stands around instead: then the value is empty.
    let has_blank = bytes.slice(inner..end).contains([' ', '\t', '\n']);
    if around == Some(quote) && (!is_closed || has_blank) {
        return Some((start..start, start));
    }
    Some((inner..end, end.saturating_add(usize::from(is_closed))))
}

/// Where a quoted text ends: at its quote, else at the end of the line.
fn close(bytes: Bytes<'_>, start: usize, quote: u8) -> usize {
    let mut at = start;
    let mut line = None;
    while let Some(byte) = bytes.at(at) {
        match byte {
            b'\\' if quote == b'"' => at = at.saturating_add(1),
            b'\n' if line.is_none() => line = Some(at),
            _ if byte == quote => return at,
            _ => {}
        }
        at = at.saturating_add(1);
    }
    line.unwrap_or(bytes.len())
}

fn end_of_word(bytes: Bytes<'_>, start: usize, around: Option<u8>) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.at(at) {
        match byte {
            _ if Some(byte) == around => return at,
            b'\\' => at = at.saturating_add(1),
            _ if is_quote(byte) => at = close(bytes, at.saturating_add(1), byte),
            _ if ends_word(byte) => return at,
            _ => {}
        }
        at = at.saturating_add(1);
    }
    at.min(bytes.len())
}

/// A word of a document ends at a bracket, and at a comma behind which the next field comes.
fn end_of_plain(bytes: Bytes<'_>, start: usize) -> usize {
    let mut end = start;
    while let Some(byte) = bytes.at(end) {
        let next = bytes.at(end.saturating_add(1));
        let is_comma = byte == b',' && next.is_none_or(ends_word);
        if is_comma || ends_word(byte) || is_bracket(byte) {
            break;
        }
        end = end.saturating_add(1);
    }
    // What is called is no secret.
    if bytes.at(end) == Some(b'(') { start } else { end }
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b';' | b'|' | b'&' | b'<' | b'>' | b'(' | b')' | b'`')
        || is_quote(byte)
}

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'[' | b']' | b'{' | b'}' | b'\\')
}
