//! Address ranges: the kind of network that an address belongs to, and so whether `*` may match it.
//!
//! This module must never call an address public that leads to this machine or a private network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::address::{canonical, join_segments};

/// The kind of network that an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressRange {
    /// The internet. Blocks for documentation and benchmarks count as well: no host answers there,
    /// and examples behave like real addresses.
    Public,
    /// This machine.
    Loopback,
    /// A private network: RFC 1918, carrier-grade NAT, unique local addresses.
    Private,
    /// The local network segment.
    LinkLocal,
    /// The metadata service of a cloud, which hands out credentials.
    Metadata,
    /// Multicast, broadcast, tunnels and reserved blocks.
    Other,
}

/// Returns the kind of network that an address belongs to.
pub fn reach(ip: IpAddr) -> AddressRange {
    match canonical(ip) {
        IpAddr::V4(v4) => reach_v4(v4),
        IpAddr::V6(v6) => reach_v6(v6),
    }
}

/// Returns whether an address is on the internet, so that `*` may match it.
pub fn is_public(ip: IpAddr) -> bool {
    reach(ip) == AddressRange::Public
}

/// The IPv4 addresses at which clouds serve credentials.
const METADATA_V4: [Ipv4Addr; 7] = [
    Ipv4Addr::new(169, 254, 169, 254), // AWS, Google, Azure, Oracle, OpenStack and others
    Ipv4Addr::new(169, 254, 170, 2),   // AWS ECS task credentials
    Ipv4Addr::new(169, 254, 170, 23),  // AWS EKS pod identity
    Ipv4Addr::new(169, 254, 42, 42),   // Scaleway
    Ipv4Addr::new(100, 100, 100, 200), // Alibaba
    Ipv4Addr::new(168, 63, 129, 16),   // Azure wire server
    Ipv4Addr::new(192, 0, 0, 192),     // Oracle, older
];

/// The IPv6 addresses at which clouds serve credentials.
const METADATA_V6: [Ipv6Addr; 5] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), // AWS
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),  // AWS EKS pod identity
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),  // Google
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),   // Scaleway
    Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe), // OpenStack
];

/// The host names of metadata services.
const METADATA_NAMES: [&str; 9] = [
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.internal",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "metadata.platformequinix.com",
    "instance-data",
    "instance-data.ec2.internal",
];

/// Returns whether a normal-form name always means a metadata service.
pub(super) fn is_metadata_name(name: &str) -> bool {
    METADATA_NAMES.contains(&name)
}

/// Domain suffixes that have no owner on the internet: reserved (RFC 2606, 6761, 6762, 8375,
/// `internal`), or kept out of the DNS root because private networks use them.
const LOCAL_SUFFIXES: [&str; 10] = [
    "test",
    "internal",
    "local",
    "localhost",
    "home.arpa",
    "lan",
    "intranet",
    "private",
    "corp",
    "home",
];

/// Returns whether a normal-form name has no owner on the internet: a single label, or a name below
/// one of these suffixes.
pub(super) fn is_local_name(name: &str) -> bool {
    let is_below = |suffix: &str| {
        name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    !name.contains('.') || LOCAL_SUFFIXES.into_iter().any(is_below)
}

fn reach_v4(v4: Ipv4Addr) -> AddressRange {
    if METADATA_V4.contains(&v4) {
        return AddressRange::Metadata;
    }
    match v4.octets() {
        [127, ..] | [0, 0, 0, 0] => AddressRange::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => {
            AddressRange::Private
        }
        [169, 254, ..] => AddressRange::LinkLocal,
        // This network, protocol assignments, 6to4 relays, multicast, reserved, broadcast.
        [0, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [224..=255, ..] => AddressRange::Other,
        _ => AddressRange::Public,
    }
}

fn reach_v6(v6: Ipv6Addr) -> AddressRange {
    if METADATA_V6.contains(&v6) {
        return AddressRange::Metadata;
    }
    match v6.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => AddressRange::Loopback,
        // Unique local addresses, and site-local ones, their predecessor.
        [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] => AddressRange::Private,
        [0xfe80..=0xfebf, ..] => AddressRange::LinkLocal,
        // A 6to4 address leads to a machine behind the IPv4 address in it.
        [0x2002, high, low, ..] => reach_v4(join_segments(high, low)),
        // A local-use NAT64 prefix: only its operator knows how the IPv4 address is encoded.
        [0x64, 0xff9b, 1, ..] => AddressRange::Private,
        // Teredo tunnels.
        [0x2001, 0, ..] => AddressRange::Other,
        [0x2000..=0x3fff, ..] => AddressRange::Public,
        _ => AddressRange::Other,
    }
}

#[cfg(test)]
#[path = "reach_tests.rs"]
mod tests;
