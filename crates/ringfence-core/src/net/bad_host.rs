//! Errors for host names that cannot be judged.

use std::fmt;
use std::net::Ipv4Addr;

use super::excerpt;

/// The error for a host that was refused, with its text and fault.
///
/// A refused host is never dialled. Callers must answer `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadHost {
    host: Box<str>,
    fault: HostFault,
}

impl BadHost {
    pub(super) fn new(host: &str, fault: HostFault) -> BadHost {
        BadHost { host: host.into(), fault }
    }

    /// Returns the refused text.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the reason.
    pub fn fault(&self) -> &HostFault {
        &self.fault
    }
}

impl fmt::Display for BadHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            HostFault::Empty => write!(f, "the host {}", self.fault),
            _ => write!(f, "the host `{}` {}", excerpt(&self.host), self.fault),
        }
    }
}

impl std::error::Error for BadHost {}

/// The reason why a host is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostFault {
    /// The text is empty.
    Empty,
    /// The text is longer than a host name can be.
    Long,
    /// The text has a character that no host name may have.
    Character(char),
    /// The text starts with a dot, or has two dots in a row.
    EmptyLabel,
    /// A label is too long, or starts or ends with a hyphen.
    Label,
    /// Old and new IDNA rules disagree on this character.
    Deviation(char),
    /// The text violates the IDNA rules for international names.
    Idna,
    /// The text ends in a number but is not an IPv4 address.
    Ipv4,
    /// Programs read the leading zeros differently: as this octal address or this decimal one.
    Octal(Ipv4Addr, Ipv4Addr),
    /// The text is not an IPv6 address.
    Ipv6,
    /// The address has a zone: it is bound to one network interface.
    Zone,
}

impl fmt::Display for HostFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostFault::Empty => f.write_str("is empty"),
            HostFault::Long => f.write_str("is longer than 253 bytes"),
            HostFault::Character(c) => write!(f, "has the character `{}`", c.escape_debug()),
            HostFault::EmptyLabel => f.write_str("has an empty label"),
            HostFault::Label => {
                f.write_str("has a label longer than 63 bytes or with a hyphen at an end")
            }
            HostFault::Deviation(c) => write!(
                f,
                "has the character `{}`, which programs read differently; write its `xn--` form",
                c.escape_debug()
            ),
            HostFault::Idna => f.write_str("violates the rules for international names (IDNA)"),
            HostFault::Ipv4 => f.write_str("ends in a number but is no IPv4 address"),
            HostFault::Octal(octal, decimal) => {
                write!(f, "means {octal} to some programs and {decimal} to others")
            }
            HostFault::Ipv6 => f.write_str("is no IPv6 address"),
            HostFault::Zone => f.write_str("has a zone"),
        }
    }
}
