//! What stands in the head of a request beside its message.
//!
//! Since 2026-07-28 a head repeats what the message says, so that those on the way need not read it.
//! It is always made from the message that was judged, never taken from anyone.

use std::borrow::Cow;

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::object::{Object, Raw};

pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(crate) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(crate) const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The key of `_meta` that says the revision of a request, since 2026-07-28.
pub(crate) const KEY_OF_REVISION: &str = "io.modelcontextprotocol/protocolVersion";

/// The revision that a request itself says, where it says one.
pub(crate) fn revision(params: Option<Raw<'_>>) -> Option<String> {
    let params = Object::read(params?.get()).ok()?;
    Object::read(params.get("_meta")?.get()).ok()?.text(KEY_OF_REVISION).map(Cow::into_owned)
}

/// The key of `_meta` that says what the client can do.
pub(crate) const KEY_OF_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Whether a request says what its client can do.
pub(crate) fn has_capabilities(params: Option<Raw<'_>>) -> bool {
    capabilities(params).is_some()
}

/// What a client can do, as its request says.
pub(crate) fn capabilities(params: Option<Raw<'_>>) -> Option<Value> {
    let params = Object::read(params?.get()).ok()?;
    let meta = Object::read(params.get("_meta")?.get()).ok()?;
    let own: Value = serde_json::from_str(meta.get(KEY_OF_CAPABILITIES)?.get()).ok()?;
    own.is_object().then_some(own)
}

/// The value that a request's `Mcp-Name` repeats, where its method has one.
pub(crate) fn name(method: &str, params: Option<Raw<'_>>) -> Option<String> {
    let key = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return None,
    };
    Object::read(params?.get()).ok()?.text(key).map(Cow::into_owned)
}

/// The head of a request that says its revision; empty for one of a session.
pub(crate) fn of(method: &str, params: Option<Raw<'_>>) -> HeaderMap {
    let mut head = HeaderMap::new();
    let Some(revision) = revision(params) else { return head };
    let name = name(method, params);
    let fields = [(VERSION, Some(revision)), (METHOD, Some(method.to_owned())), (NAME, name)];
    for (field, value) in fields {
        if let Some(value) = value.and_then(|own| HeaderValue::from_str(&encode(&own)).ok()) {
            head.insert(field, value);
        }
    }
    head
}

const OPENS: &str = "=?base64?";
const CLOSES: &str = "?=";

/// A text as the value of a field: as it is where that is certain, else in base64.
pub(crate) fn encode(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let is_bare = !text.is_empty() && text.trim() == text;
    let is_coded = text.starts_with(OPENS) && text.ends_with(CLOSES);
    if is_plain && is_bare && !is_coded {
        return text.to_owned();
    }
    format!("{OPENS}{}{CLOSES}", base64(text.as_bytes()))
}

/// The text of a field's value; none where it cannot be one.
pub(crate) fn decode(value: &str) -> Option<String> {
    let coded = value.strip_prefix(OPENS).and_then(|own| own.strip_suffix(CLOSES));
    let Some(coded) = coded else { return Some(value.to_owned()) };
    let bare = coded.trim_end_matches('=');
    let mut bytes = Vec::new();
    for group in bare.as_bytes().chunks(4) {
        let mut whole = 0_u32;
        for place in 0..4 {
            let digit = group.get(place).copied().unwrap_or(b'A');
            let number = DIGITS.iter().position(|own| *own == digit)?;
            whole = whole << 6 | u32::try_from(number).ok()?;
        }
        let [_, all @ ..] = whole.to_be_bytes();
        bytes.extend(all.into_iter().take(group.len().saturating_sub(1)));
    }
    // One spelling for each: what is written anew must be what was read.
    (base64(&bytes) == coded).then(|| String::from_utf8(bytes).ok())?
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let digit = |number: u32| {
        let place = usize::try_from(number & 63).unwrap_or_default();
        DIGITS.get(place).map_or('=', |digit| char::from(*digit))
    };
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let [first, second, third] =
            [0, 1, 2].map(|place| u32::from(group.get(place).copied().unwrap_or_default()));
        let whole = first << 16 | second << 8 | third;
        let digits = [whole >> 18, whole >> 12, whole >> 6, whole].map(digit);
        let count = group.len().saturating_add(1);
        text.extend(digits.into_iter().take(count));
        text.extend(std::iter::repeat_n('=', 4_usize.saturating_sub(count)));
    }
    text
}

#[cfg(test)]
#[path = "header_tests.rs"]
mod tests;
