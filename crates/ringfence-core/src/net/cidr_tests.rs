use proptest::prelude::*;

use super::*;

fn cidr(text: &str) -> Cidr {
    Cidr::parse(text).unwrap()
}

#[test]
fn networks_contain_their_addresses() {
    let holds = |network: &str, ip: &str| cidr(network).contains(ip.parse().unwrap());
    assert!(holds("10.0.0.0/8", "10.255.255.255"));
    assert!(!holds("10.0.0.0/8", "11.0.0.0"));
    assert!(holds("10.0.0.0/8", "::ffff:10.1.2.3"));
    assert!(holds("0.0.0.0/0", "8.8.8.8"));
    assert!(!holds("0.0.0.0/0", "2001:db8::1"));
    assert!(holds("::/0", "2001:db8::1"));
    assert!(!holds("::/0", "8.8.8.8"));
    assert!(holds("1.2.3.4/32", "1.2.3.4"));
    assert!(holds("fd00::/8", "fdff::1"));
    assert!(!holds("fd00::/8", "fc00::1"));
    assert!(holds("192.168.1.128/25", "192.168.1.129"));
    assert!(!holds("192.168.1.128/25", "192.168.1.127"));
}

#[test]
fn mapped_networks_are_ipv4_networks() {
    assert_eq!(cidr("::ffff:10.0.0.0/104"), cidr("10.0.0.0/8"));
    assert_eq!(cidr("10.0.0.0/8").to_string(), "10.0.0.0/8");
    assert_eq!(cidr("FD00::/8").to_string(), "fd00::/8");
    assert_eq!(cidr("10.0.0.0/8").prefix_len(), 8);
    assert_eq!(cidr("10.0.0.0/8").network().to_string(), "10.0.0.0");
}

#[test]
fn malformed_networks_are_refused_with_a_hint() {
    let message = |text| Cidr::parse(text).unwrap_err().to_string();
    assert_eq!(
        message("10.0.0.1/8"),
        "the network `10.0.0.1/8` has bits set after its prefix; write `10.0.0.0/8`"
    );
    assert_eq!(
        message("fd00::1/64"),
        "the network `fd00::1/64` has bits set after its prefix; write `fd00::/64`"
    );
    assert_eq!(
        message("10.0.0.0/33"),
        "the network `10.0.0.0/33` does not end in a prefix length from `/0` to `/32`"
    );
    for text in [
        "",
        "/",
        "/8",
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/+8",
        "10.0.0.0/08",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
        "10.0/8",
        "010.0.0.0/8",
        "fd00::/129",
        "[fd00::]/8",
        "example.com/8",
        "10.0.0.0/ 8",
        "10.0.0.0/256",
    ] {
        assert!(Cidr::parse(text).is_err(), "{text}");
    }
}

#[test]
fn an_address_is_in_one_network_of_each_length() {
    let around = |ip: &str, prefix| Cidr::around(ip.parse().unwrap(), prefix);
    assert_eq!(around("10.1.2.3", 8), Some(cidr("10.0.0.0/8")));
    assert_eq!(around("::ffff:10.1.2.3", 32), Some(Cidr::host("10.1.2.3".parse().unwrap())));
    assert_eq!(around("fd00::1", 8), Some(cidr("fd00::/8")));
    assert_eq!(around("10.1.2.3", 33), None);
}

#[test]
fn inclusion_and_overlap_depend_on_the_prefix() {
    assert!(cidr("10.0.0.0/8").includes(&cidr("10.1.0.0/16")));
    assert!(!cidr("10.1.0.0/16").includes(&cidr("10.0.0.0/8")));
    assert!(cidr("10.1.0.0/16").overlaps(&cidr("10.0.0.0/8")));
    assert!(!cidr("10.1.0.0/16").overlaps(&cidr("10.2.0.0/16")));
    assert!(!cidr("::/0").includes(&cidr("0.0.0.0/0")));
}

#[test]
fn a_network_with_one_loopback_address_covers_loopback() {
    let covers = |network: &str, host: &str| cidr(network).covers(&HostName::parse(host).unwrap());
    for network in ["127.0.0.0/8", "127.0.0.53/32", "::1/128", "0.0.0.0/0", "::/0", "0.0.0.0/32"] {
        assert!(covers(network, "localhost"), "{network}");
    }
    assert!(!covers("10.0.0.0/8", "localhost"));
    assert!(covers("10.0.0.0/8", "10.1.1.1"));
    assert!(!covers("0.0.0.0/0", "example.com"));
}

proptest! {
    #[test]
    fn a_network_includes_another_if_it_contains_both_ends(
        bits: u32, prefix in 0u8..=32, inner: u32, inner_prefix in 0u8..=32,
    ) {
        let make = |bits: u32, prefix| {
            let network = mask(IpAddr::V4(bits.into()), prefix);
            cidr(&format!("{network}/{prefix}"))
        };
        let (outer, inner) = (make(bits, prefix), make(inner, inner_prefix));
        let IpAddr::V4(first) = inner.network() else { unreachable!() };
        let last = first.to_bits() | u32::MAX.checked_shr(inner_prefix.into()).unwrap_or(0);
        let holds_ends = outer.contains(first.into()) && outer.contains(IpAddr::V4(last.into()));
        prop_assert_eq!(outer.includes(&inner), holds_ends);
    }
}
