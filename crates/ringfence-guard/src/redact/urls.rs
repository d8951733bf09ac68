//! Finds secrets in the user part of URLs.

use super::bytes::{Bytes, Span, is_quote};
use super::value::is_literal;
use super::{CLOSE, OPEN};

/// How far after a user name an unescaped password is searched for, in bytes.
const MAX_PASSWORD: usize = 256;
/// The minimum length at which a user without a password counts as a token, in bytes.
const TOKEN: usize = 16;

/// Finds every password, and every token used as a user name.
pub(super) fn find(bytes: Bytes<'_>) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(colon) = bytes.find(at, "://") {
        let start = colon.saturating_add(3);
        found.extend(secret(bytes, start));
        at = start;
    }
    found.retain(|span| is_literal(bytes.slice(span.clone())));
    found
}

/// Returns the secret in the authority of a URL that starts at an offset.
fn secret(bytes: Bytes<'_>, start: usize) -> Option<Span> {
    let end = bytes.skip(start, |byte| !ends_authority(byte));
    let authority = bytes.slice(start..end);
    let user = match authority.rfind('@') {
        Some(at) => start..start.saturating_add(at),
        None => odd_user(bytes, start, authority)?,
    };
    let text = bytes.slice(user.clone());
    // A redacted user name contains a colon of its own.
    let hidden = text.strip_prefix(OPEN).and_then(|rest| rest.split_once(CLOSE));
    let rest = hidden.map_or(text, |(_, rest)| rest);
    match rest.split_once(':') {
        Some((_, password)) => Some(user.end.saturating_sub(password.len())..user.end),
        None => (hidden.is_none() && user.len() >= TOKEN).then_some(user),
    }
}

/// Returns the user part if the password contains an unescaped slash or another delimiter.
fn odd_user(bytes: Bytes<'_>, start: usize, authority: &str) -> Option<Span> {
    let (host, port) = authority.split_once(':')?;
    if host.starts_with('[') || port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let near = (start..).take(MAX_PASSWORD);
    let near = near.take_while(|at| bytes.at(*at).is_some_and(|byte| !ends_url(byte)));
    let at = near.filter(|at| bytes.at(*at) == Some(b'@')).last()?;
    Some(start..at)
}

fn ends_authority(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#') || ends_url(byte)
}

fn ends_url(byte: u8) -> bool {
    byte.is_ascii_whitespace() || is_quote(byte) || matches!(byte, b'<' | b'>' | b'`' | b'\\')
}
