//! Host patterns, with an optional port.

use std::fmt;
use std::sync::Arc;

use super::error::PatternError;
use crate::access::Text;
use crate::net::{Cidr, HostName};
use crate::text::split_at_byte;

/// A pattern that matches hosts, at one port or at every port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetPattern {
    text: Text,
    /// The hosts.
    pub target: NetTarget,
    /// The port; `None` is any port.
    pub port: Option<u16>,
}

/// The hosts of a host pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetTarget {
    /// `net:*`: every public host.
    Any,
    /// Exactly this name or address.
    Exact(HostName),
    /// `*.x`: the domain x and every name below it.
    Under(HostName),
    /// The addresses of a network.
    Network(Cidr),
    /// `@npm`: the hosts of the package registry that the tools on this host use.
    Registry(Arc<str>),
}

/// The package registries that have a name.
///
/// The hosts of the first six are read from the configuration of their tools. The others have the
/// default hosts of their tools.
pub const REGISTRIES: [&str; 36] = [
    "npm",
    "pypi",
    "crates",
    "go",
    "maven",
    "debian",
    "alpine",
    "arch",
    "clojars",
    "conda",
    "docker",
    "fedora",
    "flathub",
    "flutter",
    "galaxy",
    "hackage",
    "hex",
    "homebrew",
    "macports",
    "nix",
    "node",
    "nuget",
    "ollama",
    "opam",
    "packagist",
    "packer",
    "pub",
    "python",
    "rubygems",
    "rustup",
    "snap",
    "suse",
    "terraform",
    "uv",
    "vagrant",
    "wrapdb",
];

impl NetPattern {
    /// Parses the text after `net:`.
    pub fn parse(text: &str) -> Result<NetPattern, PatternError> {
        if split_at_byte(text, b'/').is_some() && text.contains("://") {
            return Err(PatternError::new(text, "is a URL").hint("write the host alone"));
        }
        let (host, port) = split_port(text)?;
        let target = parse_target(text, host)?;
        Ok(NetPattern { text: text.into(), target, port })
    }

    /// Creates a pattern for every public host at every port.
    pub fn any() -> NetPattern {
        NetPattern { text: "*".into(), target: NetTarget::Any, port: None }
    }

    /// Returns the text after `net:`.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for NetPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_target(text: &str, host: &str) -> Result<NetTarget, PatternError> {
    let bad = |reason: String| PatternError::new(text, reason);
    if host == "*" {
        return Ok(NetTarget::Any);
    }
    if let Some(name) = host.strip_prefix('@') {
        if REGISTRIES.contains(&name) {
            return Ok(NetTarget::Registry(name.into()));
        }
        let known: Vec<String> =
            REGISTRIES.iter().take(6).map(|name| format!("`@{name}`")).collect();
        let known = known.join(", ");
        return Err(
            bad(format!("`{host}` is not a known registry")).hint(format!("one of {known}"))
        );
    }
    if split_at_byte(host, b'/').is_some() {
        let network = Cidr::parse(host).map_err(|error| bad(error.to_string()))?;
        return Ok(NetTarget::Network(network));
    }
    if let Some(domain) = host.strip_prefix("*.") {
        let domain = parse_host(text, domain)?;
        return match domain {
            HostName::Domain(_) => Ok(NetTarget::Under(domain)),
            // Every name below `localhost` is this machine.
            HostName::Loopback => Ok(NetTarget::Exact(domain)),
            HostName::Ip(_) => Err(bad("has a star before an address".to_owned())
                .hint("write a network as `10.0.0.0/8`")),
        };
    }
    parse_host(text, host).map(NetTarget::Exact)
}

fn parse_host(text: &str, host: &str) -> Result<HostName, PatternError> {
    if split_at_byte(host, b'*').is_some() {
        return Err(PatternError::new(text, "has a star inside a host name")
            .hint("only a whole first label may be a star: `*.example.com`"));
    }
    HostName::parse(host).map_err(|error| PatternError::new(text, error.to_string()))
}

/// Splits `host:port`. An IPv6 address with a port must be in brackets.
fn split_port(text: &str) -> Result<(&str, Option<u16>), PatternError> {
    let bad_port = || PatternError::new(text, "has a port that is no number from 1 to 65535");
    if let Some(rest) = text.strip_prefix('[') {
        let (host, after) =
            rest.split_once(']').ok_or_else(|| PatternError::new(text, "has `[` without `]`"))?;
        return match after.strip_prefix(':') {
            Some(port) => Ok((host, Some(parse_port(port).ok_or_else(bad_port)?))),
            None if after.is_empty() => Ok((host, None)),
            None => Err(PatternError::new(text, "has text after `]`")),
        };
    }
    match split_at_byte(text, b':') {
        Some((host, port)) if !port.contains(':') => match port {
            "*" => Ok((host, None)),
            port => Ok((host, Some(parse_port(port).ok_or_else(bad_port)?))),
        },
        _ => Ok((text, None)),
    }
}

pub(super) fn parse_port(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port != 0)
}
