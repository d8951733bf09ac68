//! Who may speak to an endpoint.

use std::net::{IpAddr, SocketAddr};

use hyper::Uri;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderValue, ORIGIN};

/// Whether a request is meant for this endpoint, and no page of another site sent it. A name that
/// leads here is not enough: whoever owns the name chooses where it leads.
pub(super) fn check(to: &Uri, headers: &HeaderMap, here: SocketAddr) -> Result<(), String> {
    // Who asks by a whole address means the one in it.
    if to.authority().is_some_and(|own| !is_here(own.as_str(), here)) {
        return Err("the address is not this endpoint".to_owned());
    }
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
        (Some(Ok(host)), None) if is_here(host, here) => {}
        _ => return Err("`Host` is not this endpoint".to_owned()),
    }
    for origin in headers.get_all(ORIGIN) {
        let own = origin.to_str().ok().and_then(|origin| {
            origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
        });
        if !own.is_some_and(|host| is_local(name_of(host), here)) {
            return Err("`Origin` is not this machine".to_owned());
        }
    }
    Ok(())
}

/// Whether the body is said to be JSON. A page of another site can only send what it may not call so,
/// unless it asks first, and it gets no answer to that.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut kinds = headers.get_all(CONTENT_TYPE).iter();
    let (Some(Ok(kind)), None) = (kinds.next().map(HeaderValue::to_str), kinds.next()) else {
        return false;
    };
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim_matches([' ', '\t']).eq_ignore_ascii_case("application/json")
}

fn is_here(host: &str, here: SocketAddr) -> bool {
    let port = host.rsplit_once(':').filter(|(name, _)| !name.is_empty() && !host.ends_with(']'));
    let is_port = port.is_some_and(|(_, port)| port.parse() == Ok(here.port()));
    (is_port || here.port() == 80 && port.is_none()) && is_local(name_of(host), here)
}

/// The host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_local(name: &str, here: SocketAddr) -> bool {
    let bare = name.strip_prefix('[').and_then(|own| own.strip_suffix(']')).unwrap_or(name);
    let address: Option<IpAddr> = bare.parse().ok();
    name.eq_ignore_ascii_case("localhost")
        || address.is_some_and(|address| address.is_loopback() || address == here.ip())
}

#[cfg(test)]
#[path = "origin_tests.rs"]
mod tests;
