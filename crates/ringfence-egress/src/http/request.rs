//! Requests: what a client asks for, and what is sent on.

use ringfence_core::net::{Endpoint, HostName};

use super::body::{self, Body};
use super::fields::{Care, ConnectionWords, Fault, Field, is_for_next_hop, is_token, put, split};

/// A request, read.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) target: Target,
    pub(crate) body: Body,
    /// Whether the client goes on with this connection.
    pub(crate) keep_alive: bool,
    /// Whether a response to it has no body.
    pub(crate) is_head: bool,
    /// Whether asking twice does no harm.
    pub(crate) is_safe: bool,
    /// Whether it asks for a websocket.
    pub(crate) upgrade: bool,
    pub(crate) minor: u8,
    /// What is sent on, up to the empty line.
    pub(crate) head: Vec<u8>,
}

/// Where a request is to go.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A tunnel to this host and port.
    Tunnel(HostName, u16),
    /// A request to this host and port.
    Plain(HostName, u16),
}

/// Why a request goes nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It cannot be read.
    Fault(Fault),
    /// It names a host that cannot be read.
    Host { text: String, reason: String },
    /// It names two hosts.
    Disagrees { host: HostName, port: u16, reason: String },
}

impl From<Fault> for Unfit {
    fn from(fault: Fault) -> Unfit {
        Unfit::Fault(fault)
    }
}

/// Reads a request to a proxy. Inside a tunnel to `within` it may say a path alone.
pub(crate) fn read(head: &[u8], within: Option<(&HostName, u16)>) -> Result<Request, Unfit> {
    let (first, fields) = split(head, Care::Strict)?;
    let line = Line::read(first)?;
    let (target, path) = read_target(&line, within)?;
    let (Target::Tunnel(host, port) | Target::Plain(host, port)) = &target;
    let (host, port) = (host.clone(), *port);
    if let Some((own, own_port)) = within
        && (*own != host || own_port != port)
    {
        let reason = format!("a request in a tunnel to `{own}` is for `{host}`");
        return Err(Unfit::Disagrees { host: own.clone(), port: own_port, reason });
    }
    check_hosts(&fields, line.minor, &host, port)?;
    let body = body::of_request(&fields, line.minor)?;
    if matches!(target, Target::Tunnel(..)) && body != Body::EMPTY {
        return Err(Fault::bad("CONNECT has no body").into());
    }
    let words = ConnectionWords::read(&fields)?;
    let closes = |field: &Field<'_>| {
        field.is("proxy-connection") && field.value.eq_ignore_ascii_case(b"close")
    };
    let upgrade = words.has("upgrade") && asks_websocket(&fields) && line.minor == 1;
    Ok(Request {
        keep_alive: line.minor == 1 && !words.has("close") && !fields.iter().any(closes),
        is_head: line.method == "HEAD",
        is_safe: matches!(line.method, "GET" | "HEAD" | "OPTIONS"),
        upgrade,
        minor: line.minor,
        head: write(&line, path, &Endpoint { host, port: Some(port) }, &fields, &words, upgrade),
        body,
        target,
    })
}

/// The first line of a request.
struct Line<'a> {
    method: &'a str,
    target: &'a str,
    minor: u8,
}

impl Line<'_> {
    fn read(line: &[u8]) -> Result<Line<'_>, Fault> {
        let line = std::str::from_utf8(line).map_err(|_| Fault::bad("its line is no text"))?;
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Fault::bad("its line is not three words"));
        };
        let minor = match version {
            "HTTP/1.1" => 1,
            "HTTP/1.0" => 0,
            _ => return Err(Fault { status: 505, reason: "it is no HTTP/1" }),
        };
        if !is_token(method) || target.is_empty() || target.contains('\t') {
            return Err(Fault::bad("its line cannot be read"));
        }
        Ok(Line { method, target, minor })
    }
}

/// Where it goes, and the path that is sent on.
fn read_target<'a>(
    line: &Line<'a>,
    within: Option<(&HostName, u16)>,
) -> Result<(Target, &'a str), Unfit> {
    if line.method == "CONNECT" {
        let Endpoint { host, port } = endpoint(line.target)?;
        let port = port.ok_or(Fault::bad("CONNECT names no port"))?;
        return Ok((Target::Tunnel(host, port), ""));
    }
    if let Some((host, port)) = within
        && (line.target.starts_with('/') || line.target == "*")
    {
        return Ok((Target::Plain(host.clone(), port), line.target));
    }
    let Some((scheme, rest)) = line.target.split_once("://") else {
        return Err(Fault::bad("this is a proxy; ask it for a whole URL").into());
    };
    if !scheme.eq_ignore_ascii_case("http") {
        return Err(Fault::bad("only http goes without CONNECT").into());
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    if path.contains('#') {
        return Err(Fault::bad("its URL has a fragment").into());
    }
    let Endpoint { host, port } = endpoint(authority)?;
    Ok((Target::Plain(host, port.unwrap_or(80)), path))
}

fn endpoint(text: &str) -> Result<Endpoint, Unfit> {
    Endpoint::parse(text)
        .map_err(|error| Unfit::Host { text: text.to_owned(), reason: error.to_string() })
}

/// Every field that names a host names the one that is asked for.
fn check_hosts(fields: &[Field<'_>], minor: u8, host: &HostName, port: u16) -> Result<(), Unfit> {
    let hosts = fields.iter().filter(|field| field.is("host")).count();
    if hosts > 1 {
        return Err(Fault::bad("it has `Host` twice").into());
    }
    if hosts == 0 && minor == 1 {
        return Err(Fault::bad("it has no `Host`").into());
    }
    for field in fields {
        let names_host = field.is("host") || field.is("x-forwarded-host") || field.is("forwarded");
        if names_host && !agrees(field, host, port) {
            let reason = format!("its `{}` names another host than `{host}`", field.name);
            return Err(Unfit::Disagrees { host: host.clone(), port, reason });
        }
    }
    Ok(())
}

/// Returns whether servers or their frameworks may take a field's value for the name of the host
/// that is asked for. CGI and its heirs know no difference between `-` and `_`.
fn may_name_host(name: &str) -> bool {
    const WORDS: [&str; 7] =
        ["host", "hosts", "hostname", "vhost", "servername", "authority", "forwarded"];
    const NOT_ABOUT_HOSTS: [&str; 5] = ["for", "proto", "protocol", "scheme", "port"];
    let mut words = name.split(['-', '_']);
    let names = |word: &str, known: &[&str]| known.iter().any(|own| word.eq_ignore_ascii_case(own));
    let is_about_host = words.clone().any(|word| names(word, &WORDS));
    is_about_host && !words.next_back().is_some_and(|last| names(last, &NOT_ABOUT_HOSTS))
}

/// Whether a field names this host, and no other port.
fn agrees(field: &Field<'_>, host: &HostName, port: u16) -> bool {
    let named = field.text().and_then(|text| Endpoint::parse(text).ok());
    named.is_some_and(|own| own.host == *host && own.port.is_none_or(|own| own == port))
}

fn asks_websocket(fields: &[Field<'_>]) -> bool {
    let mut asked = fields.iter().filter(|field| field.is("upgrade"));
    let first = asked.next().is_some_and(|field| field.value.eq_ignore_ascii_case(b"websocket"));
    first && asked.next().is_none()
}

/// Returns the head as it is sent on. A field that may name another host stays behind.
fn write(
    line: &Line<'_>,
    path: &str,
    to: &Endpoint,
    fields: &[Field<'_>],
    words: &ConnectionWords,
    upgrade: bool,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    out.extend_from_slice(line.method.as_bytes());
    out.push(b' ');
    if !path.starts_with('/') && path != "*" {
        out.push(b'/');
    }
    out.extend_from_slice(path.as_bytes());
    out.extend_from_slice(if line.minor == 1 { b" HTTP/1.1\r\n" } else { b" HTTP/1.0\r\n" });
    // Host is written from what was judged.
    let shown = match to.port {
        Some(80) => Endpoint { host: to.host.clone(), port: None }.to_string(),
        _ => to.to_string(),
    };
    put(&mut out, "Host", shown.as_bytes());
    for field in fields {
        if field.is("host") || is_for_next_hop(field.name) {
            continue;
        }
        if may_name_host(field.name) && !agrees(field, &to.host, to.port.unwrap_or(80)) {
            continue;
        }
        // What frames the message stays, whatever `Connection` says of it.
        if words.has(field.name) && !field.is("content-length") {
            continue;
        }
        put(&mut out, field.name, field.value);
    }
    if fields.iter().any(|field| field.is("transfer-encoding")) {
        put(&mut out, "Transfer-Encoding", b"chunked");
    }
    match (upgrade, line.minor) {
        (true, _) => out.extend_from_slice(b"Connection: Upgrade\r\nUpgrade: websocket\r\n"),
        (false, 0) => put(&mut out, "Connection", b"close"),
        (false, _) => {}
    }
    out.extend_from_slice(b"\r\n");
    out
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
