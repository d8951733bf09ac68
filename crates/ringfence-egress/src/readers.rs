//! The readers of bytes from outside, as the fuzz targets use them. They are no part of the
//! interface: nothing else may rely on them.

use crate::dns::packet;
use crate::http::{self, Care};
use crate::opening::{self, Opening};
use crate::socks;

/// A request to the proxy that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The host, in its one spelling.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Whether a tunnel is asked for.
    pub is_tunnel: bool,
    /// What is sent on.
    pub head: Vec<u8>,
    /// How long the head was that was read.
    pub length: usize,
}

/// Reads the head of a request, inside a tunnel to a host or outside of any.
pub fn http_request(bytes: &[u8], within: Option<(&str, u16)>) -> Option<HttpRequest> {
    let length = http::end_of_head(bytes, 0, Care::Strict).ok().flatten()?;
    let host = within.map(|(host, _)| ringfence_core::net::HostName::parse(host)).transpose();
    let host = host.ok()?;
    let within = host.as_ref().zip(within.map(|(_, port)| port));
    let request = http::request::read(bytes.get(..length)?, within).ok()?;
    let (is_tunnel, host, port) = match &request.target {
        http::request::Target::Tunnel(host, port) => (true, host, *port),
        http::request::Target::Plain(host, port) => (false, host, *port),
    };
    Some(HttpRequest { host: host.to_string(), port, is_tunnel, length, head: request.head })
}

/// Reads the head of a response to a request; what is sent on.
pub fn http_response(bytes: &[u8], request: &[u8]) -> Option<Vec<u8>> {
    let request = http::request::read(request, None).ok()?;
    let length = http::end_of_head(bytes, 0, Care::Kind).ok().flatten()?;
    http::response::read(bytes.get(..length)?, &request).ok().map(|response| response.head)
}

/// Reads a request of SOCKS5: where it goes and how long it was; `None` if it is not whole yet.
/// An error is the reply.
pub fn socks_request(bytes: &[u8]) -> Result<Option<(String, usize)>, u8> {
    match socks::read_request(bytes) {
        Ok(Some((wanted, length))) => Ok(Some((format!("{wanted:?}"), length))),
        Ok(None) => Ok(None),
        Err(reply) => Err(reply as u8),
    }
}

/// Reads a query of DNS: the name, and the packet that would say that there is none.
pub fn dns_query(packet: &[u8]) -> Result<(String, Vec<u8>), Option<Vec<u8>>> {
    match packet::read(packet) {
        Ok(query) => {
            let answer = query.respond(packet::Answer::Code(packet::Code::NoName));
            Ok((query.name, answer))
        }
        Err(fault) => Err(fault.answer()),
    }
}

/// What a tunnel begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begins {
    /// It cannot be told yet.
    More,
    /// TLS, for this name or none.
    Tls(Option<String>),
    /// HTTP.
    Http,
    /// Something else.
    Other,
    /// TLS that cannot be read.
    Bad,
}

/// Tells what a tunnel begins with.
pub fn tunnel(bytes: &[u8]) -> Begins {
    match opening::tell(bytes) {
        None => Begins::More,
        Some(Opening::Tls(name)) => Begins::Tls(name),
        Some(Opening::Http) => Begins::Http,
        Some(Opening::Other) => Begins::Other,
        Some(Opening::Bad(_)) => Begins::Bad,
    }
}
