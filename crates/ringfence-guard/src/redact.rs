//! Prepares text for people: secrets become hashes, invisible characters become visible.
//!
//! Refusals, prompts, records and logs all pass through this module. Secrets are found by context
//! (options, headers, URLs, variables) and by format (tokens of well-known services, private keys).
//! This module must never run before a decision, because the judge must see the call unchanged.

mod bytes;
mod context;
mod json;
mod program_options;
mod secret_names;
mod token_formats;
mod urls;
mod value;
mod visible;

pub use json::{redact_json, redact_words};
pub use visible::{is_hidden_char, visible};

use std::borrow::Cow;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use bytes::{Bytes, Span};

/// The text before the hash of a secret.
const OPEN: &str = "‹redacted:";
/// The text after the hash.
const CLOSE: &str = "›";
/// The number of hash digits shown.
const DIGITS: usize = 8;
/// The maximum number of passes over a text.
const MAX_PASSES: usize = 4;

/// Replaces secrets by `‹redacted:hash8›`; equal secrets have equal hashes.
///
/// An uncertain value counts as a secret if a secret is expected there. Redacting twice equals
/// redacting once.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut redacted = Cow::Borrowed(text);
    for _ in 0..MAX_PASSES {
        // Of overlapping secrets, the second may be found only after the first is replaced.
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

/// Returns the marker for a secret, or the text itself if it is a marker already.
fn hide(secret: &str) -> String {
    if is_marker(secret) { secret.to_owned() } else { marker(secret) }
}

/// Redacts a text once. Returns `None` if there is no secret.
fn pass(text: &str) -> Option<String> {
    let bytes = Bytes::new(text);
    let mut spans = context::find(bytes);
    spans.extend(program_options::find(bytes));
    spans.extend(urls::find(bytes));
    spans.extend(token_formats::find(bytes));
    spans.retain(|span| text.get(span.clone()).is_some_and(|secret| !is_marker(secret)));
    if spans.is_empty() {
        return None;
    }
    Some(replace(text, merge(spans)))
}

/// Sorts spans and merges those that overlap.
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
        // Writing to a `String` cannot fail.
        let _ = write!(marker, "{byte:02x}");
    }
    marker + CLOSE
}

/// Returns whether a text is exactly one redaction marker.
fn is_marker(text: &str) -> bool {
    let digits = text.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE));
    digits.is_some_and(|digits| {
        digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
