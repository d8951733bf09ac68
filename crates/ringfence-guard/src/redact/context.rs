//! Finds secrets by context: values after the names of options, variables, headers and fields.

use super::bytes::{Bytes, Span, is_blank, is_quote};
use super::secret_names::{self, NameContext, SecretKind};
use super::value::{self, Extent};

/// Finds every value that follows the name of a secret.
pub(super) fn find(bytes: Bytes<'_>) -> Vec<Span> {
    let mut scan = Scan { bytes, around: None, line: 0..0, covered: 0, found: Vec::new() };
    let mut at = 0;
    while let Some(byte) = bytes.at(at) {
        at = match byte {
            byte if is_name_byte(byte) => scan.name(at),
            byte => {
                scan.note_quote(at, byte);
                at.saturating_add(1)
            }
        };
    }
    scan.found
}

/// Returns whether the word after `option` is a secret.
pub(super) fn takes_secret(option: &str) -> bool {
    let name = option.trim_start_matches('-');
    let is_name = name.len() < option.len() && name.bytes().all(is_name_byte);
    is_name && secret_names::kind(name, NameContext::Option) == Some(SecretKind::Secret)
}

struct Scan<'t> {
    bytes: Bytes<'t>,
    /// The quotation mark that encloses the current position, judged line by line.
    around: Option<u8>,
    /// The cached span from a position to the end of its line.
    line: Span,
    /// The end of the last secret found.
    covered: usize,
    found: Vec<Span>,
}

/// A name, its context and the position of its value.
struct Name<'t> {
    text: &'t str,
    place: NameContext,
    /// The offset of the value.
    value: usize,
    extent: Extent,
    /// The quotation mark that encloses the value.
    around: Option<u8>,
}

impl<'t> Scan<'t> {
    /// Reads the name at an offset and its value. Returns the offset at which the scan continues.
    fn name(&mut self, start: usize) -> usize {
        let end = self.bytes.skip(start, is_name_byte);
        if self.is_bearer(start..end) {
            return self.bearer(end);
        }
        let Some(name) = self.separated(start, end) else { return end };
        let Some(kind) = secret_names::kind(name.text, name.place) else { return end };
        let is_line = matches!(kind, SecretKind::Authorization | SecretKind::Cookie)
            && name.place == NameContext::Field
            && !self.bytes.at(name.value).is_some_and(|byte| is_quote(byte) || byte == b'\\');
        let starts_quoted = self.bytes.at(name.value).is_some_and(is_quote);
        if name.value < self.covered && !starts_quoted {
            return end;
        }
        let (value, next) = match is_line {
            true => self.rest_of_line(name.value),
            false => value::at(self.bytes, name.value, name.extent, name.around),
        };
        let is_quoted = value.start > name.value;
        let Some(secret) = self.secret(kind, value) else { return end };
        self.covered = self.covered.max(secret.end);
        self.found.push(secret);
        // The quotation mark before the value may close an earlier quotation, so the scan continues
        // inside the value.
        if is_quoted {
            return end;
        }
        self.around = name.around;
        next.max(end)
    }

    /// Returns the value up to the end of the line or the closing quotation mark.
    fn rest_of_line(&mut self, start: usize) -> (Span, usize) {
        // All names on a line share its end, which is searched for once.
        if !self.line.contains(&start) {
            self.line = start..value::end_of_line(self.bytes, start);
        }
        (start..self.line.end, self.line.end)
    }

    /// Reads the separator after a name. Returns `None` if no value follows.
    fn separated(&self, start: usize, end: usize) -> Option<Name<'t>> {
        let bytes = self.bytes;
        let written = bytes.slice(start..end);
        let text = written.trim_start_matches('-');
        let place = match bytes.before(start) {
            _ if text.len() < written.len() => NameContext::Option,
            Some(b'?' | b'&' | b'#') => NameContext::Query,
            _ => NameContext::Field,
        };
        let closed = self.behind_quote(start, end);
        let gap = bytes.skip(closed, is_blank);
        // If the name was quoted, its quotation ends before the value.
        let around = self.around.filter(|_| closed == end);
        let with = |value: usize, extent| Some(Name { text, place, value, extent, around });
        let behind = |width: usize| bytes.skip(gap.saturating_add(width), is_blank);
        match (bytes.at(gap), bytes.at(gap.saturating_add(1))) {
            (Some(b'='), Some(b'=' | b'~')) | (Some(b':'), Some(b':' | b'/')) => None,
            (Some(b'='), Some(b'>')) | (Some(b':'), Some(b'=')) => with(behind(2), Extent::Plain),
            (Some(b'='), next) if gap == end && next.is_some_and(|next| !is_blank(next)) => {
                let extent =
                    if place == NameContext::Query { Extent::Query } else { Extent::ShellWord };
                with(gap.saturating_add(1), extent)
            }
            (Some(b'='), _) => with(behind(1), Extent::Plain),
            (Some(b':'), Some(next)) if is_field(text, next) => with(behind(1), Extent::Plain),
            (Some(next), _) if place == NameContext::Option && gap > end && next != b'-' => {
                with(gap, Extent::ShellWord)
            }
            _ => None,
        }
    }

    /// Returns the offset after the closing quotation mark of a quoted name.
    fn behind_quote(&self, start: usize, end: usize) -> usize {
        let (before, after) = (self.bytes.before(start), self.bytes.at(end));
        match (before, after) {
            (Some(open), Some(close)) if open == close && is_quote(close) => end.saturating_add(1),
            (Some(b'"'), Some(b'\\')) if self.bytes.has(end, "\\\"") => end.saturating_add(2),
            _ => end,
        }
    }

    /// Returns the secret part of a value.
    fn secret(&self, kind: SecretKind, value: Span) -> Option<Span> {
        let secret = match kind {
            SecretKind::Secret => value,
            SecretKind::Authorization => self.behind_scheme(value),
            SecretKind::Cookie => {
                /// The maximum length of a cookie's name in bytes.
                const MAX_NAME: usize = 256;
                let mut start = value.clone().take(MAX_NAME);
                start.any(|at| self.bytes.at(at) == Some(b'=')).then_some(value)?
            }
            SecretKind::UserAndSecret => behind_user(self.bytes, value)?,
        };
        value::is_literal(self.bytes.slice(secret.clone())).then_some(secret)
    }

    /// Returns the span after an authentication scheme such as `Bearer`.
    fn behind_scheme(&self, value: Span) -> Span {
        const ONE_WORD: [&str; 6] = ["bearer", "basic", "token", "bot", "apikey", "jwt"];
        const MANY_WORDS: [&str; 4] = ["digest", "negotiate", "oauth", "aws4-hmac-sha256"];
        let bytes = self.bytes;
        let end = bytes.skip(value.start, is_name_byte).min(value.end);
        let scheme = bytes.slice(value.start..end);
        let is_of = |list: &[&str]| list.iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let secret = bytes.skip(end, is_blank).min(value.end);
        if is_of(&MANY_WORDS) {
            return secret..value.end;
        }
        if !is_of(&ONE_WORD) || secret == end {
            return value;
        }
        secret..bytes.skip(secret, |byte| !byte.is_ascii_whitespace()).min(value.end)
    }

    fn is_bearer(&self, span: Span) -> bool {
        self.bytes.slice(span).eq_ignore_ascii_case("bearer")
    }

    /// Reads `Bearer` and its token anywhere in the text.
    fn bearer(&mut self, end: usize) -> usize {
        /// Shorter words, and words without a digit, are not tokens.
        const SHORTEST: usize = 16;
        let start = self.bytes.skip(end, is_blank);
        let is_token_byte =
            |byte: u8| is_name_byte(byte) || matches!(byte, b'~' | b'+' | b'/' | b'=');
        let close = self.bytes.skip(start, is_token_byte);
        let token = self.bytes.slice(start..close);
        let is_long = token.len() >= SHORTEST && token.bytes().any(|byte| byte.is_ascii_digit());
        if start == end || !is_long {
            return end;
        }
        self.found.push(start..close);
        close
    }

    fn note_quote(&mut self, at: usize, byte: u8) {
        match byte {
            // An unclosed quotation mark is forgotten at the end of its line; it was an apostrophe.
            b'\n' => self.around = None,
            _ if !is_quote(byte) || self.bytes.before(at) == Some(b'\\') => {}
            _ if self.around == Some(byte) => self.around = None,
            _ if self.around.is_none() => self.around = Some(byte),
            _ => {}
        }
    }
}

/// Returns the span after `USER:`, unless the value is a user and group, an address with a port, or
/// a path.
pub(super) fn behind_user(bytes: Bytes<'_>, value: Span) -> Option<Span> {
    let text = bytes.slice(value.clone());
    let (user, secret) = text.split_once(':')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_other = secret.starts_with('/') || (is_number(user) && is_number(secret));
    if is_other || secret.is_empty() {
        return None;
    }
    Some(value.end.saturating_sub(secret.len())..value.end)
}

/// Returns whether a colon followed by `next` makes `name` a field or header name.
fn is_field(name: &str, next: u8) -> bool {
    let is_header = name.contains('-')
        || ["authorization", "cookie", "apikey"].iter().any(|own| name.eq_ignore_ascii_case(own));
    is_blank(next) || is_quote(next) || next == b'\\' || is_header
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}
