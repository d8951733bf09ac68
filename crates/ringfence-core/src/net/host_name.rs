//! Host names and addresses in one normal form.
//!
//! All spellings of a destination must be parsed to the same [`HostName`].

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::address::{canonical, is_numeric, parse_ipv4, parse_ipv6};
use super::bad_host::{BadHost, HostFault};
use super::reach::{AddressRange, is_local_name, is_metadata_name, reach};
use crate::text::split_at_each_byte;

/// The longest name that DNS can look up, in bytes.
const MAX_NAME: usize = 253;
/// The longest label of a name, in bytes.
const MAX_LABEL: usize = 63;

/// A host in its normal form.
///
/// Use [`HostName::parse`] or convert from an [`IpAddr`]. Code that constructs a variant directly
/// must keep the forms that these produce.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HostName {
    /// A host name: ASCII (IDNA), lower case, without a final dot.
    Domain(Box<str>),
    /// An address that is not loopback, in its [canonical](super::canonical) form.
    Ip(IpAddr),
    /// This machine, under any of its names or addresses.
    Loopback,
}

impl HostName {
    /// Parses a host name, an IPv4 address in any spelling, or an IPv6 address with or without
    /// brackets.
    pub fn parse(text: &str) -> Result<HostName, BadHost> {
        parse(text).map_err(|fault| BadHost::new(text, fault))
    }

    /// Returns the labels of a host name, last label first; empty for addresses and loopback.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let name = match self {
            HostName::Domain(name) => Some(&**name),
            HostName::Ip(_) | HostName::Loopback => None,
        };
        name.into_iter().flat_map(|name| name.rsplit('.'))
    }

    /// Returns the kind of network that this host belongs to. For a name it is `None`, unless the
    /// name always means a metadata service.
    pub fn reach(&self) -> Option<AddressRange> {
        match self {
            HostName::Domain(name) => is_metadata_name(name).then_some(AddressRange::Metadata),
            HostName::Ip(ip) => Some(reach(*ip)),
            HostName::Loopback => Some(AddressRange::Loopback),
        }
    }

    /// Returns whether a grant of exactly this name also grants an address.
    ///
    /// The owner of a public name chooses its addresses, so a grant of the name must not open a
    /// private network. A name without an owner on the internet can only mean a host nearby.
    pub fn may_lead_to(&self, address: IpAddr) -> bool {
        match (self, reach(address)) {
            (HostName::Ip(_) | HostName::Loopback, _) | (_, AddressRange::Public) => true,
            (HostName::Domain(name), AddressRange::Loopback | AddressRange::Private) => {
                is_local_name(name)
            }
            (HostName::Domain(name), _) => is_metadata_name(name),
        }
    }

    /// Returns the address if the host is one; `127.0.0.1` for loopback.
    pub fn address(&self) -> Option<IpAddr> {
        match self {
            HostName::Domain(_) => None,
            HostName::Ip(ip) => Some(*ip),
            HostName::Loopback => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        }
    }
}

impl From<IpAddr> for HostName {
    fn from(ip: IpAddr) -> HostName {
        let ip = canonical(ip);
        match reach(ip) {
            AddressRange::Loopback => HostName::Loopback,
            _ => HostName::Ip(ip),
        }
    }
}

impl FromStr for HostName {
    type Err = BadHost;

    fn from_str(text: &str) -> Result<HostName, BadHost> {
        HostName::parse(text)
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostName::Domain(name) => f.write_str(name),
            HostName::Ip(ip) => ip.fmt(f),
            HostName::Loopback => f.write_str("localhost"),
        }
    }
}

fn parse(text: &str) -> Result<HostName, HostFault> {
    if text.is_empty() {
        return Err(HostFault::Empty);
    }
    if is_plain(text) && !is_loopback_name(text) {
        return Ok(HostName::Domain(text.into()));
    }
    // Most other names are already in normal form, which saves the IDNA conversion.
    let is_normal = is_normal(text);
    let name = match is_normal {
        true => Cow::Borrowed(text),
        false => {
            let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            if let Some(inner) = inner.or(text.contains(':').then_some(text)) {
                return Ok(IpAddr::V6(parse_ipv6(inner)?).into());
            }
            Cow::Owned(to_ascii(text)?)
        }
    };
    let name = name.strip_suffix('.').unwrap_or(&name);
    if !is_normal && let Some(bad) = name.chars().find(|c| !is_name_char(*c)) {
        // The conversion can produce characters that no name has, for example from `＄`.
        return Err(HostFault::Character(bad));
    }
    let last_label = check_labels(name)?;
    if is_numeric(last_label) {
        return Ok(IpAddr::V4(parse_ipv4(name)?).into());
    }
    if is_loopback_name(name) {
        return Ok(HostName::Loopback);
    }
    Ok(HostName::Domain(name.into()))
}

/// Returns whether a text is surely a normal-form name or a name of this machine. This quick test
/// accepts most names: labels of letters, digits and single hyphens, the last label starting with a
/// letter.
fn is_plain(text: &str) -> bool {
    let (mut last, mut by_letter) = (b'.', false);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => {
                if last == b'.' {
                    by_letter = byte > b'9';
                }
            }
            // Doubled separators, and hyphens at the edge of a label, need the full check.
            b'.' | b'-' if !matches!(last, b'.' | b'-') => {}
            _ => return false,
        }
        last = byte;
    }
    // In a text this short, no label can be too long.
    by_letter && !matches!(last, b'.' | b'-') && text.len() <= MAX_LABEL
}

/// Returns whether all characters of a text are those of a normal-form name: ASCII, lower case, and
/// no `--`, which occurs in encoded labels (`xn--`).
fn is_normal(text: &str) -> bool {
    let is_normal = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
    // The fold has no early exit, so that the compiler can vectorise it.
    let all = text.bytes().fold(true, |all, byte| all & is_normal(byte));
    all && !text.as_bytes().windows(2).fold(false, |any, two| any | (two == b"--"))
}

/// Converts a name to lower-case ASCII, with every kind of dot as a full stop.
fn to_ascii(text: &str) -> Result<String, HostFault> {
    // IDNA 2003 maps these four characters and IDNA 2008 keeps them. Programs that follow one or
    // the other would look up different names.
    let deviates = |c: &char| matches!(c, 'ß' | 'ẞ' | 'ς' | '\u{200c}' | '\u{200d}');
    if let Some(deviation) = text.chars().find(deviates) {
        return Err(HostFault::Deviation(deviation));
    }
    if let Some(bad) = text.chars().find(|c| c.is_ascii() && !is_name_char(*c)) {
        return Err(HostFault::Character(bad));
    }
    let ascii = Uts46::new()
        .to_ascii(text.as_bytes(), AsciiDenyList::URL, Hyphens::Allow, DnsLength::Ignore)
        .map_err(|_| HostFault::Idna)?;
    Ok(ascii.to_ascii_lowercase())
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Refuses a name that DNS cannot look up; returns the last label.
fn check_labels(name: &str) -> Result<&str, HostFault> {
    if name.len() > MAX_NAME {
        return Err(HostFault::Long);
    }
    let mut last = "";
    for label in split_at_each_byte(name, b'.') {
        if label.is_empty() {
            return Err(HostFault::EmptyLabel);
        }
        if label.len() > MAX_LABEL || label.starts_with('-') || label.ends_with('-') {
            return Err(HostFault::Label);
        }
        last = label;
    }
    Ok(last)
}

/// Returns whether a name is one that resolvers and hosts files give to this machine.
fn is_loopback_name(name: &str) -> bool {
    const NAMES: [&str; 8] = [
        "localhost",
        "localhost.localdomain",
        "localhost4",
        "localhost4.localdomain4",
        "localhost6",
        "localhost6.localdomain6",
        "ip6-localhost",
        "ip6-loopback",
    ];
    // The last byte rules out most names.
    let may_be = matches!(name.as_bytes().last(), Some(b't' | b'n' | b'4' | b'6' | b'k'));
    may_be && (NAMES.contains(&name) || name.ends_with(".localhost"))
}

#[cfg(test)]
#[path = "host_name_tests.rs"]
mod tests;
