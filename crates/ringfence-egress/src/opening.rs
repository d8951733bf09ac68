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
    /// A request of HTTP/1, of which at least the first line is there.
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
        let unfinished = match is_tls(buffer.bytes()) {
            true => Opening::Bad("its hello does not end"),
            false => Opening::Other,
        };
        if buffer.bytes().len() > limits.opening_bytes {
            return Ok(unfinished);
        }
        match timeout_at(deadline, buffer.fill(client)).await {
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

/// The longest method of a request that is looked for.
const LONGEST_METHOD: usize = 24;

fn tell_http(bytes: &[u8]) -> Option<Opening> {
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    match bytes.get(letters) {
        None if letters <= LONGEST_METHOD => return None,
        Some(b' ') if (1..=LONGEST_METHOD).contains(&letters) => {}
        _ => return Some(Opening::Other),
    }
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = bytes.get(..end).unwrap_or_default().trim_ascii_end();
    let is_http = line.ends_with(b" HTTP/1.1") || line.ends_with(b" HTTP/1.0");
    Some(if is_http { Opening::Http } else { Opening::Other })
}

#[cfg(test)]
#[path = "opening_tests.rs"]
mod tests;
