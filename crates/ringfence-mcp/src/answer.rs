//! What the gateway says in its own words: refusals and errors.

use ringfence_guard::Refusal;
use ringfence_guard::redact::visible;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::id::Id;
use crate::object::Object;

/// A request was refused by the policy.
const REFUSED: i32 = -32010;
/// The other side is gone; what clients themselves say then.
const GONE: i32 = -32000;
/// The parameters cannot be read.
const INVALID_PARAMS: i32 = -32602;

/// The revision from which on every result says what kind it is.
const KEY_OF_REVISION: &str = "io.modelcontextprotocol/protocolVersion";

/// Tells a client that it has to ask for the tools again.
pub(crate) const TOOLS_CHANGED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

/// How a refusal is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the result of a tool: the model reads it.
    ToolResult { says_its_kind: bool },
    /// As an error.
    Error,
}

impl Form {
    /// The form for the answer to a method.
    pub(crate) fn of(method: &str, params: Option<&RawValue>) -> Form {
        if method != "tools/call" {
            return Form::Error;
        }
        let meta = params
            .and_then(|params| Object::read(params.get()).ok())
            .and_then(|params| params.get("_meta"))
            .and_then(|meta| Object::read(meta.get()).ok());
        let says_its_kind = meta.is_some_and(|meta| meta.get(KEY_OF_REVISION).is_some());
        Form::ToolResult { says_its_kind }
    }
}

/// The answer to a request that was refused: the one envelope.
pub(crate) fn refused(id: &Id, form: Form, refusal: &Refusal) -> String {
    let envelope = refusal.to_json();
    match form {
        Form::ToolResult { says_its_kind } => {
            let text = json!({ "type": "text", "text": envelope.to_string() });
            let mut result = json!({ "content": [text], "isError": true });
            if says_its_kind && let Some(fields) = result.as_object_mut() {
                fields.insert("resultType".to_owned(), "complete".into());
            }
            answer(id, &format!("\"result\":{result}"))
        }
        Form::Error => error(Some(id), REFUSED, &refusal.error, Some(envelope)),
    }
}

/// The answer to a request whose parameters cannot be read with certainty.
pub(crate) fn unreadable(id: &Id, reason: &str) -> String {
    error(Some(id), INVALID_PARAMS, &format!("ringfence: {}", visible(reason)), None)
}

/// The answer to a request that nobody will answer any more.
pub(crate) fn gone(id: &Id, reason: &str) -> String {
    error(Some(id), GONE, &format!("ringfence: {reason}"), None)
}

/// The answer to what is no message.
pub(crate) fn unfit(id: Option<&Id>, code: i32, reason: &str) -> String {
    error(id, code, &format!("ringfence: {}", visible(reason)), None)
}

/// The answer that says nothing but yes.
pub(crate) fn empty(id: &Id) -> String {
    result(id, "{}")
}

/// An answer with this result.
pub(crate) fn result(id: &Id, result: &str) -> String {
    answer(id, &format!("\"result\":{result}"))
}

fn error(id: Option<&Id>, code: i32, message: &str, data: Option<Value>) -> String {
    let mut error = json!({ "code": code, "message": message });
    if let (Some(data), Some(fields)) = (data, error.as_object_mut()) {
        fields.insert("data".to_owned(), data);
    }
    let body = format!("\"error\":{error}");
    match id {
        Some(id) => answer(id, &body),
        None => format!("{{\"jsonrpc\":\"2.0\",\"id\":null,{body}}}"),
    }
}

fn answer(id: &Id, body: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{},{body}}}", id.as_json())
}
