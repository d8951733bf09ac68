//! What the proxy itself answers.

use ringfence_guard::redact::visible;
use serde_json::json;

use crate::observe::Refused;

/// The answer to a refused request: the envelope as JSON, and the gist in the status line, which
/// is what most clients show.
pub(crate) fn refused(refused: &Refused) -> Vec<u8> {
    let gist = match &refused.grant {
        Some(grant) => format!("Refused by ringfence; {grant} would allow it"),
        None => "Refused by ringfence".to_owned(),
    };
    let mut envelope = refused.refusal.to_json();
    if let (Some(fields), Some(grant)) = (envelope.as_object_mut(), &refused.grant) {
        fields.insert("would_grant".to_owned(), grant.clone().into());
    }
    if let Some(fields) = envelope.as_object_mut() {
        fields.insert("ground".to_owned(), refused.refusal.ground.clone().into());
    }
    respond(403, &gist, &envelope.to_string())
}

/// The answer to a request that cannot be carried out.
pub(crate) fn failed(status: u16, reason: &str) -> Vec<u8> {
    let words = match status {
        400 => "Bad Request",
        408 => "Request Timeout",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        504 => "Gateway Timeout",
        505 => "HTTP Version Not Supported",
        _ => "Error",
    };
    let envelope = json!({
        "error": format!("ringfence: {}", visible(reason)),
        "code": format!("proxy_{status}"),
    });
    respond(status, words, &envelope.to_string())
}

fn respond(status: u16, reason: &str, body: &str) -> Vec<u8> {
    let shown = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    let reason: String = reason.chars().map(shown).collect();
    let length = body.len().saturating_add(1);
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\n\
         Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\
         Cache-Control: no-store\r\n\
         Connection: close\r\n\r\n"
    );
    [head.as_bytes(), body.as_bytes(), b"\n"].concat()
}
