//! IP addresses: parses every spelling that programs accept, and converts it to one form.
//!
//! All spellings of one destination must give the same address. A number that some program reads as a
//! protected address must never be read as a harmless one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::bad_host::HostFault;
use super::reach::{AddressRange, reach};

/// Returns the canonical form of an address.
///
/// An IPv6 address that stands for an IPv4 destination (mapped, translated, compatible and NAT64
/// forms) becomes that IPv4 address. 6to4 and Teredo addresses stay unchanged, because their IPv4
/// part names a different machine.
pub fn canonical(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(v6) => carried(v6).map_or(ip, IpAddr::V4),
    }
}

/// Returns the IPv4 address that an IPv6 address stands for.
fn carried(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = v6.segments();
    let stands_for_v4 = match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0xffff] | [0, 0, 0, 0, 0xffff, 0] | [0x64, 0xff9b, 0, 0, 0, 0] => true,
        // `::` and `::1` have meanings of their own.
        [0, 0, 0, 0, 0, 0] => high != 0 || low > 1,
        _ => false,
    };
    stands_for_v4.then(|| join_segments(high, low))
}

/// Returns the IPv4 address in two segments of an IPv6 address.
pub(super) fn join_segments(high: u16, low: u16) -> Ipv4Addr {
    let [a, b] = high.to_be_bytes();
    let [c, d] = low.to_be_bytes();
    Ipv4Addr::new(a, b, c, d)
}

/// Parses an IPv6 address without brackets.
pub(super) fn parse_ipv6(text: &str) -> Result<Ipv6Addr, HostFault> {
    if text.contains('%') {
        return Err(HostFault::Zone);
    }
    text.parse().map_err(|_| HostFault::Ipv6)
}

/// Returns whether a host name that ends in this label is an IPv4 address to programs: the label is a
/// number, such as `1`, `0177` or `0x7f`.
pub(super) fn is_numeric(last_label: &str) -> bool {
    let digits = !last_label.is_empty() && last_label.bytes().all(|byte| byte.is_ascii_digit());
    digits || parse_number(last_label, Zeros::Octal).is_some()
}

/// Parses an IPv4 address as `inet_aton` and browsers do.
///
/// Some libraries read a number with leading zeros as decimal. If that gives another address and
/// the `inet_aton` address is public, the text is refused. An address that is not public is
/// returned, so that rules about it apply.
pub(super) fn parse_ipv4(text: &str) -> Result<Ipv4Addr, HostFault> {
    let octal = parse_parts(text, Zeros::Octal).ok_or(HostFault::Ipv4)?;
    match parse_parts(text, Zeros::Decimal) {
        Some(decimal) if decimal != octal && reach(octal.into()) == AddressRange::Public => {
            Err(HostFault::Octal(octal, decimal))
        }
        _ => Ok(octal),
    }
}

/// The meaning of leading zeros in a number.
#[derive(Clone, Copy)]
enum Zeros {
    /// The number is octal.
    Octal,
    /// The number is decimal.
    Decimal,
}

/// Parses one to four numbers. All but the last are single bytes; the last fills the remaining
/// bytes.
fn parse_parts(text: &str, zeros: Zeros) -> Option<Ipv4Addr> {
    let numbers: Vec<u32> =
        text.split('.').map(|part| parse_number(part, zeros)).collect::<Option<_>>()?;
    let (last, bytes) = numbers.split_last()?;
    let bits_left = 8u32.checked_mul(4u32.checked_sub(u32::try_from(bytes.len()).ok()?)?)?;
    if bits_left == 0 || u64::from(*last) >= 1u64.checked_shl(bits_left)? {
        return None;
    }
    let mut address = 0u32;
    for byte in bytes {
        address = (address << 8) | u32::from(u8::try_from(*byte).ok()?);
    }
    let address = u64::from(address).checked_shl(bits_left)? | u64::from(*last);
    Some(Ipv4Addr::from_bits(u32::try_from(address).ok()?))
}

fn parse_number(text: &str, zeros: Zeros) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    let (digits, radix) = if let Some(hex) = text.strip_prefix("0x") {
        (hex, 16)
    } else {
        match (text.strip_prefix('0'), zeros) {
            (Some(octal), Zeros::Octal) => (octal, 8),
            _ => (text, 10),
        }
    };
    // `0` and `0x` alone mean zero. A sign is not a digit.
    if digits.is_empty() {
        return Some(0);
    }
    let all_digits = digits.chars().all(|digit| digit.is_digit(radix));
    all_digits.then(|| u32::from_str_radix(digits, radix).ok()).flatten()
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
