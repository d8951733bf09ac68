//! URLs, read strictly.
//!
//! The parsers of the world disagree on odd URLs, and an agent's tool may use any of them. What
//! they read alike is taken apart here and compared with the reading of browsers (the `url`
//! crate); everything else is refused. It must never pass on a host that one of them would not
//! dial, and it leaves `..` in the path of a file to [`resolve`](crate::path::resolve).

use std::borrow::Cow;

use super::bad_url::{BadUrl, UrlFault};
use super::endpoint::{Endpoint, parse_port};
use super::host_name::HostName;
use super::percent;
use super::scheme::{Scheme, scheme};
use crate::text::cut;

/// The longest URL that is read, in bytes.
const MAX_URL: usize = 65_536;

/// What a URL leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlTarget {
    /// A host.
    Net {
        /// The scheme in lower case.
        scheme: Box<str>,
        /// The host, and the port that is given or usual for the scheme.
        endpoint: Endpoint,
        /// Whether a user or password is given.
        user: bool,
    },
    /// A file of this machine, as the text of an absolute path that still has its `..`.
    File(Box<str>),
}

/// Reads a URL.
pub fn parse_url(text: &str) -> Result<UrlTarget, BadUrl> {
    parse(text).map_err(|fault| BadUrl::new(text, fault))
}

/// Whether programs would take the text for a URL that leads to a host or a file.
///
/// It may still be refused by [`parse_url`]. `localhost:3000`, `redis:6379`, `C:\x` and schemes
/// that are not known (`memo://x`) are none.
pub fn is_url(text: &str) -> bool {
    let Some((name, rest)) = split_scheme(text.trim_start()) else {
        return false;
    };
    match scheme(&name) {
        Some(Scheme::File | Scheme::Refused) => true,
        // Browsers want no slashes after the schemes they know.
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
    // Nearly every URL is plain; many bytes at once are looked at faster than each by itself.
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

/// The scheme in lower case, and what follows its colon.
fn split_scheme(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let (name, rest) = cut(text, b':')?;
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

/// Parts what stands before the path, query or fragment from the rest.
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

/// Whether a user is given, and what follows it.
fn split_user(authority: &str) -> Result<(bool, &str), UrlFault> {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':');
    if authority.bytes().all(is_plain) {
        return Ok((false, authority));
    }
    // A backslash is a slash to browsers and a plain character to others; brackets, quotes and
    // spaces are read differently too.
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
    // In a URL an address of version 6 must stand in brackets.
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

/// Whether browsers surely read the host as it was read here: the scheme is one of theirs, and nothing
/// stands before the path but a name in its normal form.
fn is_read_alike(scheme: &str, written: &str, endpoint: &Endpoint) -> bool {
    let HostName::Domain(name) = &endpoint.host else { return false };
    // What begins with `xn--` may be no name to them, whatever it looks like.
    matches!(scheme, "http" | "https") && **name == *written && !has_dashes(name)
}

/// Whether a name has two dashes in a row.
fn has_dashes(name: &str) -> bool {
    name.as_bytes().windows(2).any(|two| two == b"--")
}

/// Refuses what browsers read differently from what was read here.
fn agree_with_browsers(text: &str, endpoint: &Endpoint) -> Result<(), UrlFault> {
    let url = url::Url::parse(text).map_err(|_| UrlFault::Disputed)?;
    let host = url.host_str().ok_or(UrlFault::Disputed)?;
    // For schemes that browsers do not know the `url` crate leaves the host as it is written, in
    // percent form beyond ASCII, and has no port unless one is given.
    let is_opaque = host.contains('%');
    let same_host = is_opaque || HostName::parse(host).as_ref() == Ok(&endpoint.host);
    let same_port = url.port_or_known_default().is_none_or(|port| Some(port) == endpoint.port);
    if same_host && same_port {
        return Ok(());
    }
    Err(UrlFault::Disputed)
}

/// The decoded path of a file of this machine.
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
