//! Finds secrets by format: tokens of well-known services, and private keys.

use super::bytes::{Bytes, Span};
use super::value::is_literal;

/// The token format of a service.
struct TokenFormat {
    /// The prefix of the token.
    start: &'static str,
    /// The minimum number of characters after the prefix.
    least: usize,
    /// The characters that may follow the prefix.
    charset: Charset,
}

/// The character set of a token.
#[derive(Clone, Copy)]
enum Charset {
    /// Letters and digits.
    Plain,
    /// Capital letters and digits.
    Capitals,
    /// Letters, digits, `_` and `-`, with a digit near the start, which excludes hyphenated words.
    Mixed,
    /// As `Mixed`, with dots.
    Dotted,
    /// As `Mixed`, with slashes.
    Path,
}

const fn format(start: &'static str, least: usize, charset: Charset) -> TokenFormat {
    TokenFormat { start, least, charset }
}

/// Token formats from the documentation of each service.
const FORMATS: [TokenFormat; 52] = [
    // GitHub.
    format("ghp_", 20, Charset::Plain),
    format("gho_", 20, Charset::Plain),
    format("ghu_", 20, Charset::Plain),
    format("ghs_", 20, Charset::Plain),
    format("ghr_", 20, Charset::Plain),
    format("github_pat_", 20, Charset::Mixed),
    // GitLab.
    format("glpat-", 16, Charset::Dotted),
    format("gldt-", 16, Charset::Dotted),
    format("glrt-", 16, Charset::Dotted),
    format("glptt-", 16, Charset::Dotted),
    format("glcbt-", 16, Charset::Dotted),
    format("glsoat-", 16, Charset::Dotted),
    // OpenAI, Anthropic and services with the same format; Stripe.
    format("sk-", 16, Charset::Mixed),
    format("sk_live_", 10, Charset::Plain),
    format("sk_test_", 10, Charset::Plain),
    format("rk_live_", 10, Charset::Plain),
    format("rk_test_", 10, Charset::Plain),
    format("whsec_", 16, Charset::Plain),
    // Amazon.
    format("AKIA", 16, Charset::Capitals),
    format("ASIA", 16, Charset::Capitals),
    format("ABIA", 16, Charset::Capitals),
    format("ACCA", 16, Charset::Capitals),
    // Slack.
    format("xoxa-", 10, Charset::Mixed),
    format("xoxb-", 10, Charset::Mixed),
    format("xoxc-", 10, Charset::Mixed),
    format("xoxd-", 10, Charset::Mixed),
    format("xoxe-", 10, Charset::Mixed),
    format("xoxe.", 10, Charset::Dotted),
    format("xoxo-", 10, Charset::Mixed),
    format("xoxp-", 10, Charset::Mixed),
    format("xoxr-", 10, Charset::Mixed),
    format("xoxs-", 10, Charset::Mixed),
    format("xapp-", 10, Charset::Mixed),
    format("hooks.slack.com/services/", 10, Charset::Path),
    // Package registries.
    format("npm_", 30, Charset::Plain),
    format("pypi-", 50, Charset::Mixed),
    format("cio", 32, Charset::Plain),
    format("dckr_pat_", 20, Charset::Mixed),
    format("rubygems_", 30, Charset::Plain),
    // Google.
    format("AIza", 30, Charset::Mixed),
    format("ya29.", 20, Charset::Dotted),
    format("GOCSPX-", 20, Charset::Mixed),
    // Others.
    format("hf_", 30, Charset::Plain),
    format("hvs.", 20, Charset::Mixed),
    format("hvb.", 20, Charset::Mixed),
    format("dop_v1_", 30, Charset::Plain),
    format("shpat_", 30, Charset::Plain),
    format("shpss_", 30, Charset::Plain),
    format("SG.", 30, Charset::Dotted),
    format("lin_api_", 30, Charset::Plain),
    format("tskey-", 16, Charset::Mixed),
    format("AGE-SECRET-KEY-1", 50, Charset::Capitals),
];

/// Finds every span that looks like a secret.
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
    let format = FORMATS.iter().find(|format| bytes.has(at, format.start));
    format.and_then(|format| end_of(bytes, at, format)).or_else(|| web_token(bytes, at))
}

/// Returns the span of the token at an offset if it matches the format.
fn end_of(bytes: Bytes<'_>, at: usize, format: &TokenFormat) -> Option<Span> {
    /// A digit must occur within this many characters.
    const NEAR: usize = 64;
    let start = at.saturating_add(format.start.len());
    let has_least = (start..)
        .take(format.least)
        .all(|at| bytes.at(at).is_some_and(|byte| belongs(format.charset, byte)));
    let is_plain = matches!(format.charset, Charset::Plain | Charset::Capitals);
    let near = (start..).take(NEAR).map_while(|at| bytes.at(at));
    let mut near = near.take_while(|byte| belongs(format.charset, *byte));
    let is_token = has_least && (is_plain || near.any(|byte| byte.is_ascii_digit()));
    is_token.then(|| at..bytes.skip(start, |byte| belongs(format.charset, byte)))
}

fn belongs(charset: Charset, byte: u8) -> bool {
    let is_mixed = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match charset {
        Charset::Plain => byte.is_ascii_alphanumeric(),
        Charset::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        Charset::Mixed => is_mixed,
        Charset::Dotted => is_mixed || byte == b'.',
        Charset::Path => is_mixed || byte == b'/',
    }
}

/// Returns the span of a JSON Web Token: three parts, the first two of which are objects.
fn web_token(bytes: Bytes<'_>, at: usize) -> Option<Span> {
    let is_inside = bytes.before(at).is_some_and(|before| belongs(Charset::Mixed, before));
    if is_inside || !bytes.has(at, "eyJ") {
        return None;
    }
    let part = |from: usize| bytes.skip(from, |byte| belongs(Charset::Mixed, byte));
    let dot = part(at);
    let payload = dot.saturating_add(1);
    if bytes.at(dot) != Some(b'.') || !bytes.has(payload, "eyJ") {
        return None;
    }
    let end = part(payload);
    let has_signature = bytes.at(end) == Some(b'.');
    Some(at..if has_signature { part(end.saturating_add(1)) } else { end })
}

/// Finds the lines between the first and the last line of every private key.
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
