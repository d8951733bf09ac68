//! Endpoints: a host with a port.
//!
//! The parser must never choose between two readings: it refuses `a:1:b:2` and `::1:80`.

use std::fmt;
use std::str::FromStr;

use super::bad_host::BadHost;
use super::{HostName, excerpt};

/// A host with an optional port.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endpoint {
    /// The host.
    pub host: HostName,
    /// The port, if one is given; never 0.
    pub port: Option<u16>,
}

impl Endpoint {
    /// Parses `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address.
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
            // Without brackets, the last group could be read as a port.
            (HostName::Ip(ip), None) if ip.is_ipv6() => write!(f, "[{ip}]"),
            (host, None) => host.fmt(f),
        }
    }
}

/// The error for a text that is not an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadEndpoint {
    endpoint: Box<str>,
    fault: EndpointFault,
}

impl BadEndpoint {
    fn new(endpoint: &str, fault: EndpointFault) -> BadEndpoint {
        BadEndpoint { endpoint: endpoint.into(), fault }
    }

    /// Returns the refused text.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Returns the reason.
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

/// The reason why an endpoint is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointFault {
    /// The host is refused.
    Host(BadHost),
    /// The port is not a number from 1 to 65535 in plain digits.
    Port,
    /// A bracket is missing, or text stands between the bracket and the port.
    Bracket,
    /// The text can be split into host and port in more than one way.
    Colons,
}

impl fmt::Display for EndpointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndpointFault::Host(error) => error.fmt(f),
            EndpointFault::Port => f.write_str("has a port that is no number from 1 to 65535"),
            EndpointFault::Bracket => f.write_str("has a misplaced bracket"),
            EndpointFault::Colons => {
                f.write_str("has several colons; write `host:port` or `[address]:port`")
            }
        }
    }
}

/// Parses a port in plain digits. Refuses 0 and leading zeros.
pub(super) fn parse_port(text: &str) -> Option<u16> {
    let plain = text.starts_with(|c: char| matches!(c, '1'..='9'));
    text.parse().ok().filter(|_| plain)
}

/// Splits host and port at the only possible position.
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
    // A bare IPv6 address is accepted unless its last group could be read as a port.
    let is_v6 = |text: &str| text.parse::<std::net::Ipv6Addr>().is_ok();
    if is_v6(text) && !(is_v6(host) && parse_port(last).is_some()) {
        return Ok((text, None));
    }
    Err(EndpointFault::Colons)
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
