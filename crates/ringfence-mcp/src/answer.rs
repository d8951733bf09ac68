//! What the gateway says in its own words: refusals and errors.

use ringfence_guard::Refusal;
use ringfence_guard::redact::visible;
use serde_json::{Value, json};

use crate::id::Id;
use crate::object::Raw;
use crate::pin::Kind;
use crate::remote::header::revision;

/// A request was refused by the policy.
const REFUSED: i32 = -32010;
/// The other side is gone; what clients themselves say then.
const GONE: i32 = -32000;
/// The revision of the protocol is not known.
const UNSUPPORTED: i32 = -32022;
/// The parameters cannot be read.
const INVALID_PARAMS: i32 = -32602;

/// Tells a client that it has to ask for a list again. There is no such word for instructions: a
/// client hears them when it begins.
pub(crate) fn changed(kind: Kind) -> Option<String> {
    let list = match kind {
        Kind::Tool => "tools",
        Kind::Prompt => "prompts",
        Kind::Resource => "resources",
        Kind::Instructions => return None,
    };
    Some(format!(r#"{{"jsonrpc":"2.0","method":"notifications/{list}/list_changed"}}"#))
}

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
    pub(crate) fn of(method: &str, params: Option<Raw<'_>>) -> Form {
        if method != "tools/call" {
            return Form::Error;
        }
        // Whatever says its revision itself has results that say their kind.
        Form::ToolResult { says_its_kind: revision(params).is_some() }
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

/// An answer with an error as somebody else wrote it.
pub(crate) fn error_of(id: &Id, error: Raw<'_>) -> String {
    answer(id, &format!("\"error\":{}", error.get()))
}

/// The answer to a request of a revision that is not known here.
pub(crate) fn unsupported(id: &Id, supported: &str, requested: &str) -> String {
    let data = json!({ "supported": [supported], "requested": visible(requested) });
    error(
        Some(id),
        UNSUPPORTED,
        "ringfence: this revision of the protocol is not known",
        Some(data),
    )
}

/// Tells a server that nobody waits for an answer any more.
pub(crate) fn cancelled(id: &Id) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{},"reason":"ringfence: there was no answer in time"}}}}"#,
        id.as_json()
    )
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
