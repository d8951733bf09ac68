//! Secrets by how they look: tokens of well-known services, and private keys.

use super::bytes::{Bytes, Span};
use super::value::is_literal;

/// How the tokens of a service look.
struct Shape {
    /// How they start.
    start: &'static str,
    /// How many characters follow at least.
    least: usize,
    /// Which characters follow.
    of: Of,
}

/// The characters of a token.
#[derive(Clone, Copy)]
enum Of {
    /// Letters and digits.
    Plain,
    /// Capitals and digits.
    Capitals,
    /// Letters, digits, `_` and `-`, with a digit near the start: words with dashes are none.
    Mixed,
    /// As `Mixed`, with dots.
    Dotted,
    /// As `Mixed`, with slashes.
    Path,
}

const fn shape(start: &'static str, least: usize, of: Of) -> Shape {
    Shape { start, least, of }
}

/// The tokens of services, by the documentation of each.
const SHAPES: [Shape; 52] = [
    // GitHub.
    shape("ghp_", 20, Of::Plain),
    shape("gho_", 20, Of::Plain),
    shape("ghu_", 20, Of::Plain),
    shape("ghs_", 20, Of::Plain),
    shape("ghr_", 20, Of::Plain),
    shape("github_pat_", 20, Of::Mixed),
    // GitLab.
    shape("glpat-", 16, Of::Dotted),
    shape("gldt-", 16, Of::Dotted),
    shape("glrt-", 16, Of::Dotted),
    shape("glptt-", 16, Of::Dotted),
    shape("glcbt-", 16, Of::Dotted),
    shape("glsoat-", 16, Of::Dotted),
    // OpenAI, Anthropic and those who write theirs alike; Stripe.
    shape("sk-", 16, Of::Mixed),
    shape("sk_live_", 10, Of::Plain),
    shape("sk_test_", 10, Of::Plain),
    shape("rk_live_", 10, Of::Plain),
    shape("rk_test_", 10, Of::Plain),
    shape("whsec_", 16, Of::Plain),
    // Amazon.
    shape("AKIA", 16, Of::Capitals),
    shape("ASIA", 16, Of::Capitals),
    shape("ABIA", 16, Of::Capitals),
    shape("ACCA", 16, Of::Capitals),
    // Slack.
    shape("xoxa-", 10, Of::Mixed),
    shape("xoxb-", 10, Of::Mixed),
    shape("xoxc-", 10, Of::Mixed),
    shape("xoxd-", 10, Of::Mixed),
    shape("xoxe-", 10, Of::Mixed),
    shape("xoxe.", 10, Of::Dotted),
    shape("xoxo-", 10, Of::Mixed),
    shape("xoxp-", 10, Of::Mixed),
    shape("xoxr-", 10, Of::Mixed),
    shape("xoxs-", 10, Of::Mixed),
    shape("xapp-", 10, Of::Mixed),
    shape("hooks.slack.com/services/", 10, Of::Path),
    // Package registries.
    shape("npm_", 30, Of::Plain),
    shape("pypi-", 50, Of::Mixed),
    shape("cio", 32, Of::Plain),
    shape("dckr_pat_", 20, Of::Mixed),
    shape("rubygems_", 30, Of::Plain),
    // Google.
    shape("AIza", 30, Of::Mixed),
    shape("ya29.", 20, Of::Dotted),
    shape("GOCSPX-", 20, Of::Mixed),
    // Others.
    shape("hf_", 30, Of::Plain),
    shape("hvs.", 20, Of::Mixed),
    shape("hvb.", 20, Of::Mixed),
    shape("dop_v1_", 30, Of::Plain),
    shape("shpat_", 30, Of::Plain),
    shape("shpss_", 30, Of::Plain),
    shape("SG.", 30, Of::Dotted),
    shape("lin_api_", 30, Of::Plain),
    shape("tskey-", 16, Of::Mixed),
    shape("AGE-SECRET-KEY-1", 50, Of::Capitals),
];

/// Every stretch that looks like a secret.
pub(super) fn find(bytes: Bytes<'_>) -> Vec<Span> {
    let mut found = private_keys(bytes);
    let mut at = 0;
    while let Some(byte) = bytes.at(at) {
        let is_start = byte.is_ascii_alphabetic()
            && !bytes.before(at).is_some_and(|before| before.is_ascii_alphanumeric());
        match is_start.then(|| token(bytes, at)).flatten() {
            Some(span) => {
                at = span.end;
                found.push(span);
            }
            None => at = at.saturating_add(1),
        }
    }
    found
}

fn token(bytes: Bytes<'_>, at: usize) -> Option<Span> {
    let shape = SHAPES.iter().find(|shape| bytes.has(at, shape.start));
    shape.and_then(|shape| end_of(bytes, at, shape)).or_else(|| web_token(bytes, at))
}

/// The stretch of a token that starts as its shape says, if it goes on like that.
fn end_of(bytes: Bytes<'_>, at: usize, shape: &Shape) -> Option<Span> {
    /// Within how many characters a digit comes.
    const NEAR: usize = 64;
    let start = at.saturating_add(shape.start.len());
    let has_least = (start..)
        .take(shape.least)
        .all(|at| bytes.at(at).is_some_and(|byte| belongs(shape.of, byte)));
    let is_plain = matches!(shape.of, Of::Plain | Of::Capitals);
    let near = (start..).take(NEAR).map_while(|at| bytes.at(at));
    let mut near = near.take_while(|byte| belongs(shape.of, *byte));
    let is_token = has_least && (is_plain || near.any(|byte| byte.is_ascii_digit()));
    is_token.then(|| at..bytes.skip(start, |byte| belongs(shape.of, byte)))
}

fn belongs(of: Of, byte: u8) -> bool {
    let is_mixed = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match of {
        Of::Plain => byte.is_ascii_alphanumeric(),
        Of::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        Of::Mixed => is_mixed,
        Of::Dotted => is_mixed || byte == b'.',
        Of::Path => is_mixed || byte == b'/',
    }
}

/// A JSON web token: three parts, of which the first two are objects.
fn web_token(bytes: Bytes<'_>, at: usize) -> Option<Span> {
    let is_inside = bytes.before(at).is_some_and(|before| belongs(Of::Mixed, before));
    if is_inside || !bytes.has(at, "eyJ") {
        return None;
    }
    let part = |from: usize| bytes.skip(from, |byte| belongs(Of::Mixed, byte));
    let dot = part(at);
    let payload = dot.saturating_add(1);
    if bytes.at(dot) != Some(b'.') || !bytes.has(payload, "eyJ") {
        return None;
    }
    let end = part(payload);
    let has_signature = bytes.at(end) == Some(b'.');
    Some(at..if has_signature { part(end.saturating_add(1)) } else { end })
}

/// What stands between the first and the last line of a private key.
fn private_keys(bytes: Bytes<'_>) -> Vec<Span> {
    const DASHES: &str = "-----";
    const MAX_LABEL: usize = 64;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = bytes.find(at, "-----BEGIN ") {
        let label = begin.saturating_add(DASHES.len());
        at = label;
        let Some(label_end) = bytes.find_near(label, DASHES, MAX_LABEL) else { continue };
        if !bytes.slice(label..label_end).contains("PRIVATE KEY") {
            continue;
        }
        let body = label_end.saturating_add(DASHES.len());
        let end = bytes.find(body, "-----END").unwrap_or(bytes.len());
        at = end;
        if is_literal(bytes.slice(body..end).trim()) {
            found.push(body..end);
        }
    }
    found
}
