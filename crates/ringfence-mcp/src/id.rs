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
        Id::of(&serde_json::from_str(raw.get()).ok()?)
    }

    /// The id that a value is.
    pub(crate) fn of(value: &Value) -> Option<Id> {
        match value {
            Value::String(_) => Some(Id(value.to_string().into())),
            Value::Number(number) => Some(Id(Text::from(match number.as_f64() {
                // `1`, `1.0` and `1e0` are one number, and some servers answer with another spelling.
                Some(float) if float.fract() == 0.0 && float.abs() <= LARGEST_EXACT => {
                    (float as i64).to_string()
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

/// Up to here every whole number has a spelling of its own as a float.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
#[path = "id_tests.rs"]
mod tests;
