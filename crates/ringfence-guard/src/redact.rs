//! Text made fit for people's eyes: secrets hashed, what hides made visible.
//!
//! Everything that leaves the judge goes through here: refusals, prompts, records, logs. Secrets
//! are known by where they stand (options, headers, URLs, variables) and by how they look (tokens
//! of well-known services, private keys). It must never be used before a decision: the judge sees
//! every call as it is.

mod bytes;
mod context;
mod json;
mod keys;
mod programs;
mod shapes;
mod urls;
mod value;
mod visible;

pub use json::{redact_json, redact_words};
pub use visible::{hides, visible};

use std::borrow::Cow;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use bytes::{Bytes, Span};

/// What stands before the hash of a secret.
const OPEN: &str = "‹redacted:";
/// What stands after it.
const CLOSE: &str = "›";
/// How many digits of the hash are shown.
const DIGITS: usize = 8;
/// How often a text is gone over until nothing more is found.
const MAX_PASSES: usize = 4;

/// The text with its secrets as `‹redacted:hash8›`, where equal secrets have equal hashes.
///
/// What is not certain is taken for a secret if it stands where one is expected. Doing it twice
/// equals doing it once.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut redacted = Cow::Borrowed(text);
    for _ in 0..MAX_PASSES {
        // Where secrets overlap, one may come to light only once another is gone.
        match pass(&redacted) {
            Some(next) => redacted = Cow::Owned(next),
            None => return redacted,
        }
    }
    match pass(&redacted) {
        Some(_) => Cow::Owned(marker(text)),
        None => redacted,
    }
}

/// The secret as its hash, or as it is if it is a hash already.
fn hide(secret: &str) -> String {
    if is_marker(secret) { secret.to_owned() } else { marker(secret) }
}

/// Goes over a text once; `None` where it has no secrets.
fn pass(text: &str) -> Option<String> {
    let bytes = Bytes::new(text);
    let mut spans = context::find(bytes);
    spans.extend(programs::find(bytes));
    spans.extend(urls::find(bytes));
    spans.extend(shapes::find(bytes));
    spans.retain(|span| text.get(span.clone()).is_some_and(|secret| !is_marker(secret)));
    if spans.is_empty() {
        return None;
    }
    Some(replace(text, merge(spans)))
}

/// The same stretches in order, those that overlap made one.
fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

fn replace(text: &str, spans: Vec<Span>) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        replaced.push_str(text.get(done..span.start).unwrap_or_default());
        replaced.push_str(&marker(text.get(span.clone()).unwrap_or_default()));
        done = span.end;
    }
    replaced.push_str(text.get(done..).unwrap_or_default());
    replaced
}

fn marker(secret: &str) -> String {
    let mut marker = OPEN.to_owned();
    for byte in Sha256::digest(secret.as_bytes()).iter().take(DIGITS / 2) {
        // Writing to a string cannot fail.
        let _ = write!(marker, "{byte:02x}");
    }
    marker + CLOSE
}

/// Whether a text is the hash of a secret and nothing else.
fn is_marker(text: &str) -> bool {
    let digits = text.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE));
    digits.is_some_and(|digits| {
        digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
