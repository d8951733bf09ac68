//! Hosts, endpoints, networks and URLs.

use std::fmt::{Debug, Display};
use std::str::{self, FromStr};

use ringfence_core::net::{Cidr, Endpoint, HostName, UrlTarget, is_url, parse_url};
use ringfence_core::path::AbsPath;

/// A host, with or without a port, and a network: what was read prints as itself.
pub fn host_name(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    prints_as_itself::<HostName>(text);
    prints_as_itself::<Endpoint>(text);
    prints_as_itself::<Cidr>(text);
}

fn prints_as_itself<T: FromStr<Err: Display> + Display + Debug + PartialEq>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            assert_eq!(printed.parse().ok(), Some(value), "`{printed}`");
        }
        Err(error) => {
            let _ = error.to_string();
        }
    }
}

/// A URL: where it leads does not depend on what surrounds the host.
pub fn url(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match parse_url(text) {
        Ok(UrlTarget::Net { scheme, endpoint, user }) => {
            assert!(is_url(text), "`{text}` leads to a host but is no URL");
            assert_eq!(endpoint.to_string().parse().as_ref(), Ok(&endpoint));
            let plain = format!("{scheme}://{}/", authority(&endpoint));
            let expected = UrlTarget::Net { scheme, endpoint, user: false };
            assert_eq!(parse_url(&plain), Ok(expected), "`{plain}`, user {user}");
        }
        Ok(UrlTarget::File(path)) => {
            assert!(is_url(text), "`{text}` leads to a file but is no URL");
            assert!(path.starts_with('/') && !path.contains('\0'), "`{path}`");
            let _ = AbsPath::new(&path);
        }
        Err(error) => {
            let _ = error.to_string();
        }
    }
}

/// The endpoint as a URL has it: addresses of version 6 in brackets, with or without a port.
fn authority(endpoint: &Endpoint) -> String {
    match (&endpoint.host, endpoint.port) {
        (HostName::Ip(ip), None) if ip.is_ipv6() => format!("[{ip}]"),
        _ => endpoint.to_string(),
    }
}
