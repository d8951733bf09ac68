//! A host with a port.
//!
//! It must never choose between two readings: `a:1:b:2` and `::1:80` are refused.

use std::fmt;
use std::str::FromStr;

use super::bad_host::BadHost;
use super::{HostName, excerpt};

/// A host and, where it is said, a port.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endpoint {
    /// The host.
    pub host: HostName,
    /// The port, where one is given; never 0.
    pub port: Option<u16>,
}

impl Endpoint {
    /// Reads `host`, `host:port`, `[v6]`, `[v6]:port` or an address of version 6 alone.
    pub fn parse(text: &str) -> Result<Endpoint, BadEndpoint> {
        let bad = |fault| BadEndpoint::new(text, fault);
        let (host, port) = split(text).map_err(bad)?;
        let port = port.map(|port| parse_port(port).ok_or_else(|| bad(EndpointFault::Port)));
        Ok(Endpoint {
            host: HostName::parse(host).map_err(|error| bad(EndpointFault::Host(error)))?,
            port: port.transpose()?,
        })
    }
}

impl FromStr for Endpoint {
    type Err = BadEndpoint;

    fn from_str(text: &str) -> Result<Endpoint, BadEndpoint> {
        Endpoint::parse(text)
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.host, self.port) {
            (HostName::Ip(ip), Some(port)) if ip.is_ipv6() => write!(f, "[{ip}]:{port}"),
            (host, Some(port)) => write!(f, "{host}:{port}"),
            // Without brackets the last group could be meant as a port.
            (HostName::Ip(ip), None) if ip.is_ipv6() => write!(f, "[{ip}]"),
            (host, None) => host.fmt(f),
        }
    }
}

/// A text that is no host with a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadEndpoint {
    endpoint: Box<str>,
    fault: EndpointFault,
}

impl BadEndpoint {
    fn new(endpoint: &str, fault: EndpointFault) -> BadEndpoint {
        BadEndpoint { endpoint: endpoint.into(), fault }
    }

    /// The text as it was given.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// What is wrong with it.
    pub fn fault(&self) -> &EndpointFault {
        &self.fault
    }
}

impl fmt::Display for BadEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            EndpointFault::Host(error) => error.fmt(f),
            fault => write!(f, "`{}` {fault}", excerpt(&self.endpoint)),
        }
    }
}

impl std::error::Error for BadEndpoint {}

/// What is wrong with a host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointFault {
    /// The host is refused.
    Host(BadHost),
    /// The port is no number from 1 to 65535 in plain digits.
    Port,
    /// Something stands between the bracket and the port, or a bracket is missing.
    Bracket,
    /// It can be parted in more than one place.
    Colons,
}

impl fmt::Display for EndpointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndpointFault::Host(error) => error.fmt(f),
            EndpointFault::Port => f.write_str("has a port that is no number from 1 to 65535"),
            EndpointFault::Bracket => f.write_str("has a bracket out of place"),
            EndpointFault::Colons => {
                f.write_str("has several colons; write `host:port` or `[address]:port`")
            }
        }
    }
}

/// A port in plain digits; neither 0 nor written with leading zeros.
pub(super) fn parse_port(text: &str) -> Option<u16> {
    let plain = text.starts_with(|c: char| matches!(c, '1'..='9'));
    text.parse().ok().filter(|_| plain)
}

/// Parts host and port in the one place where they can be parted.
fn split(text: &str) -> Result<(&str, Option<&str>), EndpointFault> {
    if text.starts_with('[') {
        let end = text.find(']').ok_or(EndpointFault::Bracket)?;
        let (host, rest) =
            text.split_at_checked(end.saturating_add(1)).ok_or(EndpointFault::Bracket)?;
        return match rest.strip_prefix(':') {
            Some(port) => Ok((host, Some(port))),
            None if rest.is_empty() => Ok((host, None)),
            None => Err(EndpointFault::Bracket),
        };
    }
    let Some((host, last)) = text.rsplit_once(':') else {
        return Ok((text, None));
    };
    if !host.contains(':') {
        return Ok((host, Some(last)));
    }
    // An address of version 6, unless its last group could be meant as a port.
    let is_v6 = |text: &str| text.parse::<std::net::Ipv6Addr>().is_ok();
    if is_v6(text) && !(is_v6(host) && parse_port(last).is_some()) {
        return Ok((text, None));
    }
    Err(EndpointFault::Colons)
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
