//! Strict parsing of URLs.
//!
//! URL parsers disagree on odd URLs, and an agent's tool may use any parser. A URL that all read
//! alike is parsed here and compared with the browsers' reading (the `url` crate); any other URL is
//! refused. The result must never be a host that some parser would not dial. `..` in the path of a
//! file is left to [`resolve`](crate::path::resolve).

use std::borrow::Cow;

use super::bad_url::{BadUrl, UrlFault};
use super::endpoint::{Endpoint, parse_port};
use super::host_name::HostName;
use super::percent;
use super::scheme::{Scheme, scheme};
use crate::text::split_at_byte;

/// The longest URL that is parsed, in bytes.
const MAX_URL: usize = 65_536;

/// The destination of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlTarget {
    /// A host.
    Net {
        /// The scheme in lower case.
        scheme: Box<str>,
        /// The host with the given port, or the default port of the scheme.
        endpoint: Endpoint,
        /// Whether the URL contains a user or password.
        user: bool,
    },
    /// A file on this machine, as an absolute path that may still contain `..`.
    File(Box<str>),
}

/// Parses a URL strictly.
pub fn parse_url(text: &str) -> Result<UrlTarget, BadUrl> {
    parse(text).map_err(|fault| BadUrl::new(text, fault))
}

/// Returns whether programs would read a text as the URL of a host or a file.
///
/// [`parse_url`] may still refuse such a URL. Texts such as `localhost:3000`, `redis:6379`, `C:\x`,
/// and URLs with an unknown scheme (`memo://x`) are not URLs here.
pub fn is_url(text: &str) -> bool {
    let Some((name, rest)) = split_scheme(text.trim_start()) else {
        return false;
    };
    match scheme(&name) {
        Some(Scheme::File | Scheme::Refused) => true,
        // Browsers accept these schemes without slashes.
        Some(Scheme::Net(_)) => {
            matches!(&*name, "http" | "https" | "ws" | "wss" | "ftp") || rest.starts_with("//")
        }
        None => false,
    }
}

fn parse(text: &str) -> Result<UrlTarget, UrlFault> {
    check_text(text)?;
    let (name, rest) = split_scheme(text).ok_or(UrlFault::NoScheme)?;
    match scheme(&name) {
        Some(Scheme::Net(port)) => parse_net(text, &name, rest, port),
        Some(Scheme::File) => parse_file(rest).map(|path| UrlTarget::File(path.into())),
        Some(Scheme::Refused) | None => Err(UrlFault::Scheme((&*name).into())),
    }
}

fn check_text(text: &str) -> Result<(), UrlFault> {
    if text.is_empty() || text.len() > MAX_URL {
        return Err(UrlFault::Length);
    }
    // Most URLs are plain ASCII; this test without early exit is vectorised.
    if text.bytes().fold(true, |all, byte| all & matches!(byte, b'!'..=b'~')) {
        return Ok(());
    }
    if text.chars().any(char::is_control) {
        return Err(UrlFault::Control);
    }
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        return Err(UrlFault::Space);
    }
    Ok(())
}

/// Splits a text into its scheme, in lower case, and the text after the colon.
fn split_scheme(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let (name, rest) = split_at_byte(text, b':')?;
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Some((Cow::Borrowed(name), rest));
    }
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_scheme_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let is_scheme = starts_well && name.chars().all(is_scheme_char);
    is_scheme.then(|| (Cow::Owned(name.to_ascii_lowercase()), rest))
}

fn parse_net(
    text: &str,
    scheme: &str,
    rest: &str,
    usual_port: Option<u16>,
) -> Result<UrlTarget, UrlFault> {
    let rest = rest.strip_prefix("//").ok_or(UrlFault::NoSlashes)?;
    let (authority, tail) = split_authority(rest);
    check_tail(tail)?;
    let (user, host_and_port) = split_user(authority)?;
    let mut endpoint = parse_host_and_port(host_and_port)?;
    endpoint.port = endpoint.port.or(usual_port);
    if !is_read_alike(scheme, host_and_port, &endpoint) {
        agree_with_browsers(text, &endpoint)?;
    }
    Ok(UrlTarget::Net { scheme: scheme.into(), endpoint, user })
}

/// Splits the authority (user, host and port) from the path, query or fragment.
fn split_authority(rest: &str) -> (&str, &str) {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    rest.split_at_checked(end).unwrap_or((rest, ""))
}

/// Refuses `host?@other/` and `host#@other/`, where old programs connect to `other`.
fn check_tail(tail: &str) -> Result<(), UrlFault> {
    let before_slash = tail.split('/').next().unwrap_or_default();
    if before_slash.contains('@') {
        return Err(UrlFault::LateUser);
    }
    Ok(())
}

/// Returns whether the authority contains a user, and the text after it.
fn split_user(authority: &str) -> Result<(bool, &str), UrlFault> {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':');
    if authority.bytes().all(is_plain) {
        return Ok((false, authority));
    }
    // Browsers read a backslash as a slash, other programs as a plain character. Brackets, quotes
    // and spaces are read differently too.
    let odd = |c: &char| c.is_whitespace() || matches!(c, '\\' | '"' | '`' | '<' | '>' | '^' | '|');
    if let Some(bad) = authority.chars().find(odd) {
        return Err(UrlFault::Authority(bad));
    }
    let Some((user, host)) = authority.split_once('@') else {
        return Ok((false, authority));
    };
    if host.contains('@') {
        return Err(UrlFault::ManyUsers);
    }
    match user.chars().find(|c| matches!(c, '[' | ']') || !c.is_ascii()) {
        Some(bad) => Err(UrlFault::Authority(bad)),
        None => Ok((true, host)),
    }
}

fn parse_host_and_port(text: &str) -> Result<Endpoint, UrlFault> {
    // A URL must have an IPv6 address in brackets.
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    if host.contains(':') && !host.starts_with('[') {
        return Err(UrlFault::Authority(':'));
    }
    let port = port.map(|port| parse_port(port).ok_or(UrlFault::Port));
    Ok(Endpoint { host: HostName::parse(host).map_err(UrlFault::Host)?, port: port.transpose()? })
}

/// Returns whether browsers surely read the same host: the scheme is `http` or `https`, and the
/// authority is just a normal-form name.
fn is_read_alike(scheme: &str, written: &str, endpoint: &Endpoint) -> bool {
    let HostName::Domain(name) = &endpoint.host else { return false };
    // Browsers may refuse a name that starts with `xn--`.
    matches!(scheme, "http" | "https") && **name == *written && !has_dashes(name)
}

/// Returns whether a name contains two hyphens in a row.
fn has_dashes(name: &str) -> bool {
    name.as_bytes().windows(2).any(|two| two == b"--")
}

/// Refuses a URL if browsers read another host or port from it.
fn agree_with_browsers(text: &str, endpoint: &Endpoint) -> Result<(), UrlFault> {
    let url = url::Url::parse(text).map_err(|_| UrlFault::Disputed)?;
    let host = url.host_str().ok_or(UrlFault::Disputed)?;
    // For schemes that browsers do not know, the `url` crate leaves the host as written,
    // percent-encodes non-ASCII characters, and returns only an explicit port.
    let is_opaque = host.contains('%');
    let same_host = is_opaque || HostName::parse(host).as_ref() == Ok(&endpoint.host);
    let same_port = url.port_or_known_default().is_none_or(|port| Some(port) == endpoint.port);
    if same_host && same_port {
        return Ok(());
    }
    Err(UrlFault::Disputed)
}

/// Returns the decoded path of a `file:` URL on this machine.
fn parse_file(rest: &str) -> Result<String, UrlFault> {
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (machine, path) = split_authority(rest);
            if !machine.is_empty() && !machine.eq_ignore_ascii_case("localhost") {
                return Err(UrlFault::RemoteFile);
            }
            path
        }
        None => rest,
    };
    if path.contains(['?', '#']) {
        return Err(UrlFault::FileQuery);
    }
    if !path.starts_with('/') {
        return Err(UrlFault::RelativeFile);
    }
    let path = percent::decode(path).ok_or(UrlFault::Encoding)?;
    if path.contains('\0') {
        return Err(UrlFault::Nul);
    }
    if percent::is_encoded(path.as_bytes()) {
        return Err(UrlFault::TwiceEncoded);
    }
    Ok(path)
}

#[cfg(test)]
#[path = "url_tests.rs"]
mod tests;
