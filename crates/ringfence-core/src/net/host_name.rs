//! Hosts in one normal form.
//!
//! It must never give a host that another spelling of the same destination would not give too.

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::address::{canonical, is_numeric, parse_ipv4, parse_ipv6};
use super::bad_host::{BadHost, HostFault};
use super::reach::{Reach, is_local_name, is_metadata_name, reach};
use crate::text::parts;

/// The longest name that can be looked up, in bytes.
const MAX_NAME: usize = 253;
/// The longest label of a name, in bytes.
const MAX_LABEL: usize = 63;

/// A host in its one normal form.
///
/// Made by [`HostName::parse`] or from an [`IpAddr`]; whoever writes out a variant by hand must
/// keep to the forms that these give.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HostName {
    /// A name: ASCII (IDNA), lower case, no dot at the end.
    Domain(Box<str>),
    /// An address that is not loopback, in its [canonical](super::canonical) form.
    Ip(IpAddr),
    /// This machine, by whichever name or address.
    Loopback,
}

impl HostName {
    /// Reads a name, an address of version 4 in any spelling, or one of version 6 with or
    /// without brackets.
    pub fn parse(text: &str) -> Result<HostName, BadHost> {
        parse(text).map_err(|fault| BadHost::new(text, fault))
    }

    /// The labels of a name, last one first; none for addresses and loopback.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let name = match self {
            HostName::Domain(name) => Some(&**name),
            HostName::Ip(_) | HostName::Loopback => None,
        };
        name.into_iter().flat_map(|name| name.rsplit('.'))
    }

    /// How far this host is; `None` for names, of which it is not known before they are looked
    /// up, apart from those that always name a metadata service.
    pub fn reach(&self) -> Option<Reach> {
        match self {
            HostName::Domain(name) => is_metadata_name(name).then_some(Reach::Metadata),
            HostName::Ip(ip) => Some(reach(*ip)),
            HostName::Loopback => Some(Reach::Loopback),
        }
    }

    /// Returns whether a grant of exactly this name may lead to an address that is not public.
    ///
    /// Whoever owns a public name chooses its addresses, so a grant of the name says nothing about
    /// a private network. A name that has no owner on the internet can only mean a host nearby.
    pub fn may_lead_to(&self, address: IpAddr) -> bool {
        match (self, reach(address)) {
            (HostName::Ip(_) | HostName::Loopback, _) | (_, Reach::Public) => true,
            (HostName::Domain(name), Reach::Loopback | Reach::Private) => is_local_name(name),
            (HostName::Domain(name), _) => is_metadata_name(name),
        }
    }

    /// The address, where the host is given by one; `127.0.0.1` for loopback.
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
            Reach::Loopback => HostName::Loopback,
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
    // Most others are their own normal form too; the tables for the rest need not be touched.
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
        // A character that was mapped to one which no name has, such as `＄`.
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

/// Whether a text is nothing but a name in its normal form, or the name of this machine, as nearly
/// every one is: each label begins with a letter, or is not the last and begins with a digit.
fn is_plain(text: &str) -> bool {
    let (mut last, mut by_letter) = (b'.', false);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => {
                if last == b'.' {
                    by_letter = byte > b'9';
                }
            }
            // Two in a row, and one at an end of a label, are looked at more closely.
            b'.' | b'-' if !matches!(last, b'.' | b'-') => {}
            _ => return false,
        }
        last = byte;
    }
    // No label of a short name is too long.
    by_letter && !matches!(last, b'.' | b'-') && text.len() <= MAX_LABEL
}

/// Whether a text is a name in its normal form, as far as its characters go: ASCII, lower case, and
/// nothing that is written otherwise (`xn--`).
fn is_normal(text: &str) -> bool {
    let is_normal = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
    // Without a way out in between, many bytes are looked at in one step.
    let all = text.bytes().fold(true, |all, byte| all & is_normal(byte));
    all && !text.as_bytes().windows(2).fold(false, |any, two| any | (two == b"--"))
}

/// The name in ASCII and lower case, every kind of dot made a full stop.
fn to_ascii(text: &str) -> Result<String, HostFault> {
    // Four characters that the rules of 2003 map and those of 2008 keep: programs that follow
    // one or the other would look up two different names.
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

/// Refuses a name that nobody can look up; its last label.
fn check_labels(name: &str) -> Result<&str, HostFault> {
    if name.len() > MAX_NAME {
        return Err(HostFault::Long);
    }
    let mut last = "";
    for label in parts(name, b'.') {
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

/// Names that resolvers and hosts files give to this machine.
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
    // Nearly every name ends otherwise than all of these.
    let may_be = matches!(name.as_bytes().last(), Some(b't' | b'n' | b'4' | b'6' | b'k'));
    may_be && (NAMES.contains(&name) || name.ends_with(".localhost"))
}

#[cfg(test)]
#[path = "host_name_tests.rs"]
mod tests;
