//! What a server tells models about itself, in the form in which it is pinned.
//!
//! That a server says nothing is pinned too: no policy names instructions, so those that come later
//! are a change, unlike a tool that a server gains.

use serde_json::{Value, json};

/// The field of an introduction that has them.
pub(crate) const KEY: &str = "instructions";

/// The definition of a server that says this, or nothing.
pub(crate) fn definition(said: Option<Value>) -> Value {
    match said {
        None | Some(Value::Null) => json!({}),
        Some(Value::String(text)) if text.is_empty() => json!({}),
        Some(said) => json!({ KEY: said }),
    }
}

/// Whether there are none.
pub(super) fn is_none(definition: &Value) -> bool {
    definition.get(KEY).is_none()
}
