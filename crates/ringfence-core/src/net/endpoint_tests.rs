use proptest::prelude::*;

use super::*;

fn check(text: &str, host: &str, port: Option<u16>) {
    let host = HostName::parse(host).unwrap();
    assert_eq!(Endpoint::parse(text), Ok(Endpoint { host, port }), "{text}");
}

#[test]
fn host_and_port_are_split_at_the_only_possible_colon() {
    check("api.example.com", "api.example.com", None);
    check("api.example.com:443", "api.example.com", Some(443));
    check("API.example.com.:443", "api.example.com", Some(443));
    check("10.0.0.1:65535", "10.0.0.1", Some(65535));
    check("[::1]:80", "localhost", Some(80));
    check("[2001:db8::1]", "2001:db8::1", None);
    check("[2001:db8::1]:443", "2001:db8::1", Some(443));
    check("::1", "localhost", None);
    check("2001:db8::1", "2001:db8::1", None);
    check("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", None);
    check("::ffff:10.0.0.1", "10.0.0.1", None);
    check("2001:db8::dead", "2001:db8::dead", None);
    check("2130706433:80", "localhost", Some(80));
}

#[test]
fn ambiguous_endpoints_are_refused() {
    for text in [
        "",
        ":",
        ":80",
        "a:",
        "a:0",
        "a:00080",
        "a:080",
        "a:65536",
        "a:+80",
        "a:-1",
        "a: 80",
        "a:80 ",
        " a:80",
        "a:8o",
        "a:80:80",
        "api.example.com:443:evil.example:443",
        "a:443:b",
        "::1:80",
        "2001:db8::1:443",
        "[::1]80",
        "[::1]:",
        "[::1",
        "[]:80",
        "[::1]:80:80",
        "[a]:80",
        "::1]:80",
        "a:b:c",
        "1.2.3.4:80:90",
        "a/b:80",
        "u@a:80",
        "http://a:80",
        "a:99999999999999999999",
        "a:\u{ff18}\u{ff10}",
        "a:80\0",
    ] {
        let read = Endpoint::parse(text);
        assert!(read.is_err(), "{text} is read as {read:?}");
    }
}

#[test]
fn error_messages_name_the_reason() {
    let message = |text| Endpoint::parse(text).unwrap_err().to_string();
    assert_eq!(message("a:0"), "`a:0` has a port that is no number from 1 to 65535");
    assert_eq!(
        message("a:1:b:2"),
        "`a:1:b:2` has several colons; write `host:port` or `[address]:port`"
    );
    assert_eq!(message("a b:1"), "the host `a b` has the character ` `");
}

proptest! {
    #[test]
    fn a_printed_endpoint_parses_to_itself(
        bits: u128, name in "[a-z]{1,9}\\.[a-z]{2,5}", pick in 0u8..3, port in 0u16..,
    ) {
        let host = match pick {
            0 => HostName::parse(&name).unwrap(),
            1 => HostName::from(std::net::IpAddr::from(std::net::Ipv6Addr::from_bits(bits))),
            _ => HostName::from(std::net::IpAddr::from(std::net::Ipv4Addr::from_bits(bits as u32))),
        };
        let endpoint = Endpoint { host, port: Some(port).filter(|port| *port != 0) };
        prop_assert_eq!(Endpoint::parse(&endpoint.to_string()), Ok(endpoint));
    }

    #[test]
    fn no_text_panics_the_parser(text in "[a-z0-9:.\\[\\]]{0,24}") {
        if let Ok(endpoint) = Endpoint::parse(&text) {
            prop_assert_ne!(endpoint.port, Some(0));
        }
    }
}
