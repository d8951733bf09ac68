//! Redacts secrets in JSON documents and in lists of words.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::bytes::Bytes;
use super::context::{behind_user, takes_secret};
use super::secret_names::{self, NameContext, SecretKind};
use super::value::is_literal;
use super::{hide, redact};

/// Returns the document with its secrets replaced by hashes: whole values of fields named like
/// secrets, and everything that [`redact`] finds in other strings.
pub fn redact_json(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(redact(text).into_owned()),
        Value::Array(items) => Value::Array(redact_items(items)),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let kind = secret_names::kind(name, NameContext::Field);
                (redact(name).into_owned(), redact_field(kind, value))
            });
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Returns a command's words with secrets replaced by hashes, including words that follow an option
/// for a secret.
pub fn redact_words<'t, T: AsRef<str>>(words: &'t [T]) -> Vec<Cow<'t, str>> {
    let mut before = "";
    let mut redacted = Vec::with_capacity(words.len());
    for word in words {
        let word = word.as_ref();
        redacted.push(redact_word(before, word));
        before = word;
    }
    redacted
}

fn redact_word<'t>(before: &str, word: &'t str) -> Cow<'t, str> {
    if takes_secret(before) && !word.starts_with('-') && is_literal(word) {
        return Cow::Owned(hide(word));
    }
    let is_user = matches!(before, "-u" | "--user" | "-U" | "--proxy-user");
    if is_user && let Some(secret) = behind_user(Bytes::new(word), 0..word.len()) {
        let (user, secret) = word.split_at_checked(secret.start).unwrap_or((word, ""));
        return Cow::Owned(format!("{user}{}", hide(secret)));
    }
    redact(word)
}

fn redact_items(items: &[Value]) -> Vec<Value> {
    let mut before = "";
    let mut redacted = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Value::String(word) => {
                redacted.push(Value::String(redact_word(before, word).into_owned()));
                before = word;
            }
            item => {
                redacted.push(redact_json(item));
                before = "";
            }
        }
    }
    redacted
}

fn redact_field(kind: Option<SecretKind>, value: &Value) -> Value {
    match (kind, value) {
        (Some(SecretKind::Secret | SecretKind::Cookie), _) => hide_all(value),
        (Some(SecretKind::Authorization), Value::String(text)) if is_literal(text) => {
            Value::String(match text.split_once(' ') {
                Some((scheme, secret)) if is_scheme(scheme) => format!("{scheme} {}", hide(secret)),
                _ => hide(text),
            })
        }
        _ => redact_json(value),
    }
}

fn is_scheme(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Replaces every string and number by its hash.
fn hide_all(value: &Value) -> Value {
    match value {
        Value::String(text) if is_literal(text) => Value::String(hide(text)),
        Value::Number(number) => Value::String(hide(&number.to_string())),
        Value::Array(items) => Value::Array(items.iter().map(hide_all).collect()),
        Value::Object(fields) => {
            let hide =
                |(name, value): (&String, &Value)| (redact(name).into_owned(), hide_all(value));
            Value::Object(fields.iter().map(hide).collect())
        }
        Value::String(_) | Value::Null | Value::Bool(_) => value.clone(),
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
