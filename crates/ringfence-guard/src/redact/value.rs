//! Finds the end of a value, and decides whether the value is worth hiding.

use super::bytes::{Bytes, Span, is_quote};
use super::is_marker;

/// How the end of a value is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// A shell word, including quoted parts.
    ShellWord,
    /// A quoted string, or a word without brackets.
    Plain,
    /// A parameter of a URL query.
    Query,
}

/// Returns the span of the value at an offset, and the offset at which the text continues.
///
/// `around` is the quotation mark that encloses the whole value, if any.
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

/// Returns the offset at which the line, or the quotation around it, ends.
pub(super) fn end_of_line(bytes: Bytes<'_>, start: usize) -> usize {
    bytes.skip(start, |byte| !matches!(byte, b'\n' | b'\r' | b'\\') && !is_quote(byte))
}

/// Returns whether a value is a secret itself, not a reference, a placeholder or empty.
pub(super) fn is_literal(value: &str) -> bool {
    const WORDS: [&str; 6] = ["null", "none", "nil", "true", "false", "undefined"];
    let is_word = WORDS.iter().any(|word| value.eq_ignore_ascii_case(word));
    let runs = ["$(", "`", "<("].iter().any(|start| value.starts_with(start));
    let says_something = value.bytes().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    says_something && !is_word && !runs && !is_reference(value) && !is_marker(value)
}

/// Returns whether the value is only a reference: `$NAME`, `${NAME}`, `{{ name }}` or `<name>`.
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

/// Returns the content of the quotation at an offset, and the offset after it.
fn quoted(bytes: Bytes<'_>, start: usize, around: Option<u8>) -> Option<(Span, usize)> {
    if bytes.has(start, "\\\"") {
        // Escaped quotation marks inside a quoted document.
        let inner = start.saturating_add(2);
        let end = bytes.find(inner, "\\\"")?;
        return Some((inner..end, end.saturating_add(2)));
    }
    let quote = bytes.at(start).filter(|byte| is_quote(*byte))?;
    let inner = start.saturating_add(1);
    let end = close(bytes, inner, quote);
    let is_closed = bytes.at(end) == Some(quote);
    // This mark may close the enclosing quotation instead; then the value is empty.
    let has_blank = bytes.slice(inner..end).contains([' ', '\t', '\n']);
    if around == Some(quote) && (!is_closed || has_blank) {
        return Some((start..start, start));
    }
    Some((inner..end, end.saturating_add(usize::from(is_closed))))
}

/// Returns the end of a quotation: its closing mark, or the end of the line.
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

/// Returns the end of an unquoted value, which ends at a bracket or at a comma before the next
/// field.
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
    // A function call such as `getToken(` is not a secret.
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
