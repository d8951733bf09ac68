//! Why a text is no host that can be judged.

use std::fmt;
use std::net::Ipv4Addr;

use super::excerpt;

/// A host that was refused: the text, and what is wrong with it.
///
/// A refused host is never dialled, so whoever meets this error answers `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadHost {
    host: Box<str>,
    fault: HostFault,
}

impl BadHost {
    pub(super) fn new(host: &str, fault: HostFault) -> BadHost {
        BadHost { host: host.into(), fault }
    }

    /// The text as it was given.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// What is wrong with it.
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

/// What is wrong with a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostFault {
    /// It is empty.
    Empty,
    /// It is longer than names can be.
    Long,
    /// It has a character that no host name has.
    Character(char),
    /// Two dots meet, or it starts with one.
    EmptyLabel,
    /// A label is too long, or starts or ends with a hyphen.
    Label,
    /// Old and new rules for international names disagree on this character.
    Deviation(char),
    /// It does not follow the rules for international names.
    Idna,
    /// It ends in a number and is no address of version 4.
    Ipv4,
    /// Programs disagree on which address its zeros mean.
    Octal(Ipv4Addr, Ipv4Addr),
    /// It is no address of version 6.
    Ipv6,
    /// It is bound to one interface of one machine.
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
            HostFault::Idna => f.write_str("breaks the rules for international names"),
            HostFault::Ipv4 => f.write_str("ends in a number but is no IPv4 address"),
            HostFault::Octal(octal, decimal) => {
                write!(f, "means {octal} to some programs and {decimal} to others")
            }
            HostFault::Ipv6 => f.write_str("is no IPv6 address"),
            HostFault::Zone => f.write_str("has a zone"),
        }
    }
}
