//! Networks of IP addresses.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use super::address::canonical;
use super::{HostName, excerpt};

/// A network: all addresses with the same leading bits.
///
/// A network in an IPv6 form that stands for IPv4 is stored as IPv4, so that `::ffff:10.0.0.0/104`
/// and `10.0.0.0/8` are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
// INVARIANT: all bits of `network` after the prefix are zero, and `prefix` fits the IP version.
pub struct Cidr {
    network: IpAddr,
    prefix: u8,
}

impl Cidr {
    /// Parses `10.0.0.0/8` or `fd00::/8`. The address must be in its usual spelling.
    pub fn parse(text: &str) -> Result<Cidr, BadCidr> {
        parse(text).map_err(|fault| BadCidr { network: text.into(), fault })
    }

    /// Returns the network that contains exactly one address.
    pub fn host(ip: IpAddr) -> Cidr {
        let network = canonical(ip);
        Cidr { network, prefix: width(network) }
    }

    /// Returns the network of this prefix length around an address; `None` if the length is too
    /// large.
    pub fn around(ip: IpAddr, prefix: u8) -> Option<Cidr> {
        let ip = canonical(ip);
        (prefix <= width(ip)).then(|| Cidr { network: mask(ip, prefix), prefix })
    }

    /// Returns the first address of the network.
    pub fn network(&self) -> IpAddr {
        self.network
    }

    /// Returns the number of leading bits that all addresses share.
    pub fn prefix_len(&self) -> u8 {
        self.prefix
    }

    /// Returns whether the network contains an address, in any of its forms.
    pub fn contains(&self, ip: IpAddr) -> bool {
        let ip = canonical(ip);
        width(ip) == width(self.network) && mask(ip, self.prefix) == self.network
    }

    /// Returns whether the network contains every address of the other network.
    pub fn includes(&self, other: &Cidr) -> bool {
        self.prefix <= other.prefix && self.contains(other.network)
    }

    /// Returns whether some address is in both networks.
    pub fn overlaps(&self, other: &Cidr) -> bool {
        self.includes(other) || other.includes(self)
    }

    /// Returns whether the network contains a host.
    ///
    /// Loopback counts as a single host, so a network with any loopback address contains it. A host
    /// name is in no network before it is resolved.
    pub fn covers(&self, host: &HostName) -> bool {
        match host {
            HostName::Domain(_) => false,
            HostName::Ip(ip) => self.contains(*ip),
            HostName::Loopback => LOOPBACK.iter().any(|loopback| self.overlaps(loopback)),
        }
    }
}

/// The networks that [`HostName::Loopback`] stands for.
const LOOPBACK: [Cidr; 4] = [
    Cidr { network: IpAddr::V4(Ipv4Addr::new(127, 0, 0, 0)), prefix: 8 },
    Cidr { network: IpAddr::V4(Ipv4Addr::UNSPECIFIED), prefix: 32 },
    Cidr { network: IpAddr::V6(Ipv6Addr::LOCALHOST), prefix: 128 },
    Cidr { network: IpAddr::V6(Ipv6Addr::UNSPECIFIED), prefix: 128 },
];

impl FromStr for Cidr {
    type Err = BadCidr;

    fn from_str(text: &str) -> Result<Cidr, BadCidr> {
        Cidr::parse(text)
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.prefix)
    }
}

/// The error for a text that is not a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadCidr {
    network: Box<str>,
    fault: CidrFault,
}

impl BadCidr {
    /// Returns the refused text.
    pub fn network(&self) -> &str {
        &self.network
    }
}

impl fmt::Display for BadCidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the network `{}` ", excerpt(&self.network))?;
        match self.fault {
            CidrFault::Address => f.write_str("does not start with an address"),
            CidrFault::Prefix(width) => {
                write!(f, "does not end in a prefix length from `/0` to `/{width}`")
            }
            CidrFault::HostBits(meant) => {
                write!(f, "has bits set after its prefix; write `{meant}`")
            }
        }
    }
}

impl std::error::Error for BadCidr {}

#[derive(Debug, Clone, PartialEq, Eq)]
enum CidrFault {
    Address,
    Prefix(u8),
    HostBits(Cidr),
}

fn parse(text: &str) -> Result<Cidr, CidrFault> {
    let (address, prefix) = text.split_once('/').unwrap_or((text, ""));
    let network: IpAddr = address.parse().map_err(|_| CidrFault::Address)?;
    let width = width(network);
    let prefix = parse_prefix(prefix, width).ok_or(CidrFault::Prefix(width))?;
    let masked = Cidr { network: mask(network, prefix), prefix };
    if masked.network != network {
        return Err(CidrFault::HostBits(masked));
    }
    Ok(in_version_4(masked).unwrap_or(masked))
}

fn parse_prefix(text: &str, width: u8) -> Option<u8> {
    let plain = text == "0" || text.starts_with(|c: char| matches!(c, '1'..='9'));
    text.parse().ok().filter(|prefix| plain && *prefix <= width)
}

/// Returns the IPv4 network for an IPv6 network in a form that stands for IPv4.
fn in_version_4(cidr: Cidr) -> Option<Cidr> {
    let prefix = cidr.prefix.checked_sub(96)?;
    match (cidr.network, canonical(cidr.network)) {
        (IpAddr::V6(_), network @ IpAddr::V4(_)) => Some(Cidr { network, prefix }),
        _ => None,
    }
}

fn width(ip: IpAddr) -> u8 {
    match ip {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// Returns the address with all bits after the prefix set to zero.
fn mask(ip: IpAddr, prefix: u8) -> IpAddr {
    let prefix = u32::from(prefix);
    match ip {
        IpAddr::V4(v4) => {
            let behind = u32::MAX.checked_shr(prefix).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & !behind))
        }
        IpAddr::V6(v6) => {
            let behind = u128::MAX.checked_shr(prefix).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !behind))
        }
    }
}

#[cfg(test)]
#[path = "cidr_tests.rs"]
mod tests;
