//! The first words of a tunnel: who the client says that it speaks to.

use std::io;

use tokio::io::AsyncRead;
use tokio::time::{Instant, timeout_at};

use crate::buffer::Buffer;
use crate::limits::Limits;
use crate::tls::{Hello, is_tls, read_hello};

/// What a tunnel begins with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// TLS, for this name or none.
    Tls(Option<String>),
    /// What may be a request of HTTP/1.
    Http,
    /// Something else, or nothing.
    Other,
    /// TLS that cannot be read.
    Bad(&'static str),
}

/// Reads as much as it takes to tell, and keeps all of it in the buffer.
pub(crate) async fn read(
    client: &mut (impl AsyncRead + Unpin),
    buffer: &mut Buffer,
    limits: &Limits,
) -> io::Result<Opening> {
    // Where the server speaks first, a client may say nothing for long.
    if buffer.is_empty() && buffer.fill_within(client, limits.tunnel_idle).await? == 0 {
        return Ok(Opening::Other);
    }
    let deadline = Instant::now().checked_add(limits.opening_time).unwrap_or_else(Instant::now);
    loop {
        if let Some(opening) = tell(buffer.bytes()) {
            return Ok(opening);
        }
        // Whoever takes long over a line, or makes it long, may still end it as a request.
        let unfinished = match is_tls(buffer.bytes()) {
            true => Opening::Bad("its hello does not end"),
            false => Opening::Http,
        };
        if buffer.bytes().len() > limits.opening_bytes {
            return Ok(unfinished);
        }
        match timeout_at(deadline, buffer.fill(client)).await {
            // What broke off within its first line is a request where that line could be one.
            Ok(Ok(0)) if unfinished == Opening::Http => {
                let first = buffer.bytes().trim_ascii_start();
                return Ok(if is_request(first) { Opening::Http } else { Opening::Other });
            }
            Ok(Ok(0)) | Err(_) => return Ok(unfinished),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(error),
        }
    }
}

/// What the bytes are; `None` if that takes more of them.
pub(crate) fn tell(bytes: &[u8]) -> Option<Opening> {
    if is_tls(bytes) {
        return match read_hello(bytes) {
            Hello::More => None,
            Hello::Name(name) => Some(Opening::Tls(Some(name))),
            Hello::Nameless => Some(Opening::Tls(None)),
            Hello::Bad(reason) => Some(Opening::Bad(reason)),
        };
    }
    tell_http(bytes)
}

/// What clients of HTTP/2 send first.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Returns what the first line is.
///
/// Servers differ in what they take for a request: some pass over empty lines and blanks before it,
/// some take every word for a method, any blank between words, no version, or versions that do not
/// exist. What any of them might take is HTTP here, and is then read by the letter, or refused.
fn tell_http(bytes: &[u8]) -> Option<Opening> {
    if bytes.starts_with(PREFACE) {
        return Some(Opening::Other);
    }
    if PREFACE.starts_with(bytes) {
        return None;
    }
    if matches!(bytes, [b'\r' | b'\n', ..]) {
        return Some(Opening::Http);
    }
    let start = bytes.iter().position(|byte| !is_blank(*byte))?;
    let (_, rest) = bytes.split_at_checked(start)?;
    let method = rest.iter().take_while(|byte| is_sign(**byte)).count();
    let is_method = method > 0 && rest.get(method).is_none_or(|byte| is_blank(*byte));
    if !is_method {
        return Some(Opening::Other);
    }
    let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
        // Words of other protocols may begin with a digit or a sign, and have no lines: those of
        // git, for one, hold NUL. No method that anybody uses begins so.
        let is_word = rest.first().is_some_and(u8::is_ascii_alphabetic);
        return (!is_word && rest.contains(&0)).then_some(Opening::Other);
    };
    let line = rest.get(..end).unwrap_or_default();
    Some(if is_request(line) { Opening::Http } else { Opening::Other })
}

/// Returns whether some server would take a line for the first one of a request. Those behind a
/// balancer may expect a line about the client before it.
fn is_request(line: &[u8]) -> bool {
    const PROTOCOLS: [&[u8]; 3] = [b"HTTP/", b"RTSP/", b"ICE/"];
    let names = |protocol: &[u8]| {
        let mut windows = line.windows(protocol.len().saturating_add(1));
        windows.any(|part| {
            let (name, version) = part.split_at_checked(protocol.len()).unwrap_or_default();
            name.eq_ignore_ascii_case(protocol) && version.iter().all(u8::is_ascii_digit)
        })
    };
    line.starts_with(b"PROXY ")
        || PROTOCOLS.iter().any(|protocol| names(protocol))
        || is_request_without_version(line)
}

/// Returns whether a line without a version is a request as HTTP/0.9 had them: a method and a path
/// or URL. Lines of other protocols have words there (`get key` of memcached, `NICK me` of IRC).
fn is_request_without_version(line: &[u8]) -> bool {
    const METHODS: [&[u8]; 9] =
        [b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"PATCH", b"CONNECT"];
    let mut words = line.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty());
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return false };
    let is_url = target.windows(3).any(|part| part == b"://");
    METHODS.contains(&method)
        || target.starts_with(b"/")
        || is_url && target.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Whether a byte may stand in a method.
fn is_sign(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Whether some server takes a byte for a blank; the end of a line is none.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b..=0x0d | 0x1c..=0x1f | 0x85 | 0xa0)
}

#[cfg(test)]
#[path = "opening_tests.rs"]
mod tests;
