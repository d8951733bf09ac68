use super::*;

fn check(expected: AddressRange, addresses: &[&str]) {
    for address in addresses {
        let ip: IpAddr = address.parse().unwrap();
        assert_eq!(reach(ip), expected, "{address}");
        assert_eq!(is_public(ip), expected == AddressRange::Public, "{address}");
    }
}

#[test]
fn every_address_block_has_its_range() {
    check(
        AddressRange::Public,
        &[
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "223.255.255.255",
            "192.0.2.1",
            "198.18.0.1",
            "203.0.113.9",
            "2606:4700::1111",
            "2001:db8::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ],
    );
    check(
        AddressRange::Loopback,
        &[
            "127.0.0.1",
            "127.255.255.254",
            "0.0.0.0",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:0:127.0.0.1",
            "::127.0.0.1",
            "::ffff:0.0.0.0",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
        ],
    );
    check(
        AddressRange::Private,
        &[
            "10.0.0.5",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "fc00::1",
            "fdff::1",
            "fec0::1",
            "::ffff:10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::10.0.0.1",
            "2002:a00:1::1",
        ],
    );
    check(
        AddressRange::LinkLocal,
        &["169.254.1.1", "169.254.169.253", "fe80::1", "febf::1", "::ffff:169.254.0.9"],
    );
    check(
        AddressRange::Metadata,
        &[
            "169.254.169.254",
            "::ffff:169.254.169.254",
            "::ffff:a9fe:a9fe",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::",
            "169.254.170.2",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd20:ce::254",
            "fe80::a9fe:a9fe",
        ],
    );
    check(
        AddressRange::Other,
        &[
            "0.0.0.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "192.0.0.1",
            "192.88.99.1",
            "ff02::1",
            "100::1",
            "2001::1",
            "4000::1",
            "::ffff:224.0.0.1",
        ],
    );
}

#[test]
fn metadata_names_are_known_without_a_lookup() {
    use crate::net::HostName;
    let reach_of = |name| HostName::parse(name).unwrap().reach();
    for name in ["metadata.google.internal", "METADATA.google.internal.", "instance-data"] {
        assert_eq!(reach_of(name), Some(AddressRange::Metadata), "{name}");
    }
    for name in ["example.com", "metadata.example.com", "xmetadata.google.internal"] {
        assert_eq!(reach_of(name), None, "{name}");
    }
    assert_eq!(reach_of("10.1.1.1"), Some(AddressRange::Private));
    assert_eq!(reach_of("localhost"), Some(AddressRange::Loopback));
}
