//! Messages: what a line is, before anyone asks what it means.

use std::borrow::Cow;
use std::fmt;

use ringfence_guard::redact::visible;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

use crate::id::Id;
use crate::object::{Object, Raw};

/// One message of JSON-RPC.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    /// As it came, without the blanks around it.
    pub(crate) text: &'a str,
    pub(crate) kind: Kind<'a>,
}

#[derive(Debug)]
pub(crate) enum Kind<'a> {
    /// Something is asked for; without an id nobody waits for an answer.
    Call { id: Option<Id>, method: Cow<'a, str>, params: Option<Raw<'a>> },
    /// The answer to a request.
    Answer { id: Id, result: Option<Raw<'a>> },
}

/// Why a text is no message that can be passed on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unfit {
    /// The id, where one could be read: somebody waits for an answer.
    pub(crate) id: Option<Id>,
    /// Which of the protocol's codes it is.
    pub(crate) code: i32,
    /// What is wrong, in a sentence.
    pub(crate) reason: String,
}

/// The text is no JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The text is no message.
pub(crate) const INVALID_REQUEST: i32 = -32600;

/// Reads a line that is no batch: one message. A batch is given back.
pub(crate) fn single(line: &str) -> Result<Result<Message<'_>, Unfit>, Batch<'_>> {
    let text = line.trim_ascii();
    if text.starts_with('[') { Err(Batch(text)) } else { Ok(read_one(text)) }
}

/// Several messages in one line.
pub(crate) struct Batch<'a>(&'a str);

/// Reads a line: one message, or several in a batch.
pub(crate) fn read(line: &str) -> Vec<Result<Message<'_>, Unfit>> {
    match single(line) {
        Ok(message) => vec![message],
        Err(batch) => batch.read(),
    }
}

impl<'a> Batch<'a> {
    /// Reads its messages.
    #[cold]
    pub(crate) fn read(self) -> Vec<Result<Message<'a>, Unfit>> {
        let Batch(text) = self;
        match serde_json::from_str::<Items<'_>>(text) {
            Ok(Items(items)) if items.is_empty() => vec![Err(invalid(None, "the batch is empty"))],
            Ok(Items(items)) => items.into_iter().map(|item| read_one(item.get())).collect(),
            Err(error) => vec![Err(unread(text, error.to_string()))],
        }
    }
}

/// The items of a batch.
struct Items<'a>(Vec<Raw<'a>>);

/// The most messages of a batch: each of them is answered, however short it is.
const MOST_ITEMS: usize = 10_000;

impl<'de: 'a, 'a> Deserialize<'de> for Items<'a> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Items<'a>, D::Error> {
        reader.deserialize_seq(Seats).map(Items)
    }
}

struct Seats;

impl<'de> Visitor<'de> for Seats {
    type Value = Vec<Raw<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a batch")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            if all.len() >= MOST_ITEMS {
                return Err(A::Error::custom("the batch has too many messages"));
            }
            all.push(item);
        }
        Ok(all)
    }
}

/// What cannot be read, as JSON or as a message.
#[cold]
fn unread(text: &str, reason: String) -> Unfit {
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    Unfit { id: None, code: if is_json { INVALID_REQUEST } else { PARSE_ERROR }, reason }
}

#[cold]
fn invalid(id: Option<Id>, reason: &str) -> Unfit {
    Unfit { id, code: INVALID_REQUEST, reason: reason.to_owned() }
}

fn read_one(text: &str) -> Result<Message<'_>, Unfit> {
    let object = Object::read(text).map_err(|error| unread(text, error))?;
    if let Some(key) = object.lookalike(&KEYS) {
        return Err(invalid(None, &format!("`{}` is no key of a message", visible(key))));
    }
    let raw_id = object.get("id");
    let id = raw_id.and_then(Id::read);
    if object.text("jsonrpc").as_deref() != Some("2.0") {
        return Err(invalid(id, "`jsonrpc` is not \"2.0\""));
    }
    if is_deep(text) {
        return Err(invalid(id, "it is nested too deeply"));
    }
    let answers = [object.get("result"), object.get("error")];
    let kind = match (object.get("method"), answers) {
        (Some(_), [None, None]) => {
            let Some(method) = object.text("method") else {
                return Err(invalid(id, "`method` is no text"));
            };
            if raw_id.is_some() && id.is_none() {
                return Err(invalid(None, "`id` is neither a text nor a number"));
            }
            Kind::Call { id, method, params: object.get("params") }
        }
        (None, [result, error]) if result.is_some() != error.is_some() => match id {
            Some(id) => Kind::Answer { id, result },
            None => return Err(invalid(None, "the answer names no request")),
        },
        _ => return Err(invalid(id, "it is neither a request nor an answer")),
    };
    Ok(Message { text, kind })
}

/// The keys of a message.
const KEYS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// Deeper messages than this are refused: what is passed on unread must not be the end of whoever
/// reads it.
const DEEPEST: usize = 512;

/// Whether lists and objects stand in each other more deeply than anyone needs. The text is JSON.
fn is_deep(text: &str) -> bool {
    // Nearly every message has fewer of them altogether.
    if text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count() <= DEEPEST {
        return false;
    }
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match (in_text, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (_, b'"') => in_text = !in_text,
            (false, b'[' | b'{') if depth >= DEEPEST => return true,
            (false, b'[' | b'{') => depth = depth.saturating_add(1),
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;
