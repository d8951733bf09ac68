//! The ids of requests, compared as both sides compare them.

use ringfence_core::access::Text;
use serde_json::Value;

use crate::object::Raw;

/// An id: a text or a number, in one spelling for each.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(Text);

impl Id {
    /// Reads an id; `None` for what is no id (`null`, lists, objects, words).
    pub(crate) fn read(raw: Raw<'_>) -> Option<Id> {
        let text = raw.get();
        if is_plain(text) {
            return Some(Id(text.into()));
        }
        Id::of(&serde_json::from_str(text).ok()?)
    }

    /// The id that a value is.
    pub(crate) fn of(value: &Value) -> Option<Id> {
        match value {
            Value::String(_) => Some(Id(value.to_string().into())),
            Value::Number(number) => Some(Id(Text::from(match number.as_f64() {
                // `1`, `1.0` and `1e0` are one number, and some servers answer with another spelling.
                Some(float) if float.fract() == 0.0 && float.abs() <= LARGEST_EXACT => {
                    // There is one zero: adding it takes the sign away.
                    format!("{:.0}", float + 0.0)
                }
                _ => number.to_string(),
            }))),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// As it is written in a message.
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }
}

/// Whether a value is an id in the very spelling that is kept, as nearly all are: digits, or a text
/// in which nothing is written out.
fn is_plain(json: &str) -> bool {
    match json.as_bytes() {
        [b'"', ..] => !json.contains('\\'),
        [b'1'..=b'9', rest @ ..] => rest.len() < 15 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Up to here every whole number has a spelling of its own as a float.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
#[path = "id_tests.rs"]
mod tests;
