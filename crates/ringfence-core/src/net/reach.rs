//! How far an address is: whether `*` may stand for it.
//!
//! It must never call an address public that leads into this machine or a private network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::address::{canonical, join_segments};

/// How far a host is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// The internet. Blocks set aside for documentation and benchmarks count as well: nothing
    /// answers there, and examples behave like the real thing.
    Public,
    /// This machine.
    Loopback,
    /// A private network: RFC 1918, carriers' NAT, unique local addresses.
    Private,
    /// The local segment.
    LinkLocal,
    /// A cloud's metadata service, which hands out credentials.
    Metadata,
    /// Multicast, broadcast, tunnels and reserved blocks.
    Other,
}

/// How far an address is.
pub fn reach(ip: IpAddr) -> Reach {
    match canonical(ip) {
        IpAddr::V4(v4) => reach_v4(v4),
        IpAddr::V6(v6) => reach_v6(v6),
    }
}

/// Whether an address is on the internet, so that `*` may stand for it.
pub fn is_public(ip: IpAddr) -> bool {
    reach(ip) == Reach::Public
}

/// Addresses of version 4 at which clouds serve credentials.
const METADATA_V4: [Ipv4Addr; 7] = [
    Ipv4Addr::new(169, 254, 169, 254), // AWS, Google, Azure, Oracle, OpenStack and others
    Ipv4Addr::new(169, 254, 170, 2),   // AWS ECS task credentials
    Ipv4Addr::new(169, 254, 170, 23),  // AWS EKS pod identity
    Ipv4Addr::new(169, 254, 42, 42),   // Scaleway
    Ipv4Addr::new(100, 100, 100, 200), // Alibaba
    Ipv4Addr::new(168, 63, 129, 16),   // Azure wire server
    Ipv4Addr::new(192, 0, 0, 192),     // Oracle, older
];

/// Addresses of version 6 at which clouds serve credentials.
const METADATA_V6: [Ipv6Addr; 5] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), // AWS
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),  // AWS EKS pod identity
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),  // Google
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),   // Scaleway
    Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe), // OpenStack
];

/// Names that lead to a metadata service wherever one is.
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

/// Whether a name in normal form always names a metadata service.
pub(super) fn is_metadata_name(name: &str) -> bool {
    METADATA_NAMES.contains(&name)
}

/// Last labels that nobody owns on the internet: reserved (RFC 2606, 6761, 6762, 8375, `internal`),
/// or kept out of the root because private networks use them.
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

/// Whether a name in normal form has no owner on the internet: a single label, or one below a
/// suffix of private networks.
pub(super) fn is_local_name(name: &str) -> bool {
    let is_below = |suffix: &str| {
        name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    !name.contains('.') || LOCAL_SUFFIXES.into_iter().any(is_below)
}

fn reach_v4(v4: Ipv4Addr) -> Reach {
    if METADATA_V4.contains(&v4) {
        return Reach::Metadata;
    }
    match v4.octets() {
        [127, ..] | [0, 0, 0, 0] => Reach::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Reach::Private,
        [169, 254, ..] => Reach::LinkLocal,
        // This network, protocol assignments, 6to4 relays, multicast, reserved, broadcast.
        [0, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [224..=255, ..] => Reach::Other,
        _ => Reach::Public,
    }
}

fn reach_v6(v6: Ipv6Addr) -> Reach {
    if METADATA_V6.contains(&v6) {
        return Reach::Metadata;
    }
    match v6.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Reach::Loopback,
        // Unique local, and site-local before it.
        [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] => Reach::Private,
        [0xfe80..=0xfebf, ..] => Reach::LinkLocal,
        // 6to4 goes to a machine behind the address it carries.
        [0x2002, high, low, ..] => reach_v4(join_segments(high, low)),
        // A translator of the operator's own: only the operator knows which address is carried.
        [0x64, 0xff9b, 1, ..] => Reach::Private,
        // Teredo.
        [0x2001, 0, ..] => Reach::Other,
        [0x2000..=0x3fff, ..] => Reach::Public,
        _ => Reach::Other,
    }
}

#[cfg(test)]
#[path = "reach_tests.rs"]
mod tests;
