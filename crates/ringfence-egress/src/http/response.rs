//! Responses: what a server said, and what the client is told.

use super::body::{self, Body};
use super::fields::{Care, ConnectionWords, Fault, is_for_next_hop, put, split};
use super::request::Request;

/// A response, read.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Body,
    /// Whether the server goes on with its connection.
    pub(crate) reusable: bool,
    /// Whether the client may go on with its own.
    pub(crate) keep_alive: bool,
    /// What the client is told, up to the empty line.
    pub(crate) head: Vec<u8>,
}

/// Reads a response to this request.
pub(crate) fn read(head: &[u8], request: &Request) -> Result<Response, Fault> {
    let (first, fields) = split(head, Care::Kind)?;
    let (minor, status, reason) = read_line(first).ok_or(Fault::bad("its line is no status"))?;
    let words = ConnectionWords::read(&fields)?;
    let interim = (100..200).contains(&status);
    let body = match status {
        _ if interim || request.is_head || matches!(status, 204 | 304) => Body::EMPTY,
        _ => body::of_response(&fields)?,
    };
    if matches!(body, Body::Chunks(_)) && request.minor == 0 {
        return Err(Fault::bad("it has chunks, of which the client knows nothing"));
    }
    let ends = body == Body::UntilClose;
    let keep_alive = request.keep_alive && !ends;
    // A length beside chunks is left out, and that server is not asked again on this connection.
    let chunked = fields.iter().any(|field| field.is("transfer-encoding"));
    let doubtful = chunked && fields.iter().any(|field| field.is("content-length"));

    let mut out = Vec::with_capacity(head.len().saturating_add(64));
    out.extend_from_slice(if request.minor == 1 { b"HTTP/1.1 " } else { b"HTTP/1.0 " });
    out.extend_from_slice(status.to_string().as_bytes());
    out.push(b' ');
    out.extend_from_slice(reason);
    out.extend_from_slice(b"\r\n");
    for field in &fields {
        let dropped = (chunked && field.is("content-length"))
            || (words.has(field.name) && !field.is("content-length"))
            || (is_for_next_hop(field.name) && !field.is("trailer"));
        if !dropped {
            put(&mut out, field.name, field.value);
        }
    }
    if chunked {
        put(&mut out, "Transfer-Encoding", b"chunked");
    }
    if status == 101 {
        out.extend_from_slice(b"Connection: Upgrade\r\nUpgrade: websocket\r\n");
    } else if !keep_alive && !interim {
        put(&mut out, "Connection", b"close");
    }
    out.extend_from_slice(b"\r\n");
    let reusable = minor == 1 && request.minor == 1 && !words.has("close") && !ends && !doubtful;
    Ok(Response { status, body, reusable, keep_alive, head: out })
}

/// Minor version, status and reason.
fn read_line(line: &[u8]) -> Option<(u8, u16, &[u8])> {
    let rest = line.strip_prefix(b"HTTP/1.")?;
    let (minor, rest) = rest.split_first()?;
    let rest = rest.strip_prefix(b" ")?;
    let (digits, reason) = rest.split_at_checked(3)?;
    let status: u16 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let reason = match reason {
        [] => reason,
        [b' ', reason @ ..] => reason,
        _ => return None,
    };
    let minor = match minor {
        b'0' => 0,
        b'1' => 1,
        _ => return None,
    };
    (100..1000).contains(&status).then_some((minor, status, reason))
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
