use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;

use super::*;
use crate::net::HostName;

fn check(spelling: &str, expected: &str) {
    let expected: Ipv4Addr = expected.parse().unwrap();
    assert_eq!(parse_ipv4(spelling), Ok(expected), "{spelling}");
}

#[test]
fn every_spelling_parses_to_the_same_address() {
    for spelling in [
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "0xa9.0xfe.0xa9.0xfe",
        "0251.0376.0251.0376",
        "025177524776",
        "0000000025177524776",
        "169.16689662",
        "169.254.43518",
        "0xa9.254.0251.0xfe",
        "169.0xfea9fe",
    ] {
        check(spelling, "169.254.169.254");
    }
    check("127.1", "127.0.0.1");
    check("127.000.000.001", "127.0.0.1");
    check("0177.1", "127.0.0.1");
    check("0", "0.0.0.0");
    check("0x", "0.0.0.0");
    check("00.0.0.0", "0.0.0.0");
    check("4294967295", "255.255.255.255");
    check("8.8.8.8", "8.8.8.8");
    check("8.8.007.8", "8.8.7.8");
}

#[test]
fn malformed_addresses_are_refused() {
    for text in [
        "",
        "1.2.3.4.5",
        "256.1.1.1",
        "1.256.1",
        "1.2.65536",
        "1.16777216",
        "4294967296",
        "08.1.1.1",
        "0x1g.1.1.1",
        "1..2",
        "+1.2.3.4",
        "-1",
        "1.2.3.0x100",
        "1.2.3.0400",
        "99999999999999999999",
        "a.1",
    ] {
        assert!(parse_ipv4(text).is_err(), "{text}");
    }
}

#[test]
fn ambiguous_leading_zeros_are_refused_unless_private() {
    let fault = parse_ipv4("010.8.8.8");
    let [octal, decimal] = ["8.8.8.8", "10.8.8.8"].map(|ip| ip.parse().unwrap());
    assert_eq!(fault, Err(HostFault::Octal(octal, decimal)));
    check("012.0.0.1", "10.0.0.1");
    check("0300.0250.0.1", "192.168.0.1");
}

#[test]
fn ipv6_forms_of_ipv4_become_ipv4() {
    for (form, expected) in [
        ("::ffff:1.2.3.4", "1.2.3.4"),
        ("::ffff:102:304", "1.2.3.4"),
        ("::ffff:0:1.2.3.4", "1.2.3.4"),
        ("::1.2.3.4", "1.2.3.4"),
        ("64:ff9b::102:304", "1.2.3.4"),
        ("::", "::"),
        ("::1", "::1"),
        ("2002:102:304::", "2002:102:304::"),
        ("2001:db8::1", "2001:db8::1"),
    ] {
        let [form, expected] = [form, expected].map(|ip| ip.parse::<IpAddr>().unwrap());
        assert_eq!(canonical(form), expected, "{form}");
    }
}

/// Returns a number in one of the spellings that `inet_aton` accepts.
fn spell(number: u32, how: u8) -> String {
    match how {
        0 => format!("{number}"),
        1 => format!("{number:#x}"),
        2 => format!("{number:#X}").replace("0X", "0x"),
        3 => format!("0{number:o}"),
        4 => format!("0x000{number:x}"),
        _ => format!("000{number:o}"),
    }
}

/// Returns an address written with one to four numbers.
fn spell_address(bits: u32, parts: u8, how: [u8; 4]) -> String {
    let [a, b, c, d] = bits.to_be_bytes().map(u32::from);
    let [one, two, three, four] = how;
    match parts {
        1 => spell(bits, one),
        2 => format!("{}.{}", spell(a, one), spell(bits & 0x00ff_ffff, two)),
        3 => format!("{}.{}.{}", spell(a, one), spell(b, two), spell(bits & 0xffff, three)),
        _ => format!("{}.{}.{}.{}", spell(a, one), spell(b, two), spell(c, three), spell(d, four)),
    }
}

proptest! {
    #[test]
    fn any_spelling_gives_the_address_or_is_refused_as_ambiguous(
        bits: u32, parts in 1u8..=4, how in prop::array::uniform4(0u8..6),
    ) {
        let text = spell_address(bits, parts, how);
        let address = Ipv4Addr::from_bits(bits);
        match parse_ipv4(&text) {
            Ok(read) => prop_assert_eq!(read, address),
            Err(HostFault::Octal(octal, decimal)) => {
                prop_assert_eq!(octal, address);
                prop_assert_ne!(octal, decimal);
            }
            Err(fault) => prop_assert!(false, "{} {}", text, fault),
        }
    }

    #[test]
    fn no_spelling_of_a_private_address_parses_to_another(
        host: u16, parts in 1u8..=4, how in prop::array::uniform4(0u8..6),
    ) {
        let private = Ipv4Addr::from_bits(0xc0a8_0000 | u32::from(host));
        let text = spell_address(private.to_bits(), parts, how).to_uppercase() + ".";
        prop_assert_eq!(HostName::parse(&text), Ok(HostName::Ip(private.into())));
    }
}
