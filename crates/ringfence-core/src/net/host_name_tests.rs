use proptest::prelude::*;

use super::*;

fn check(text: &str, expected: &str) {
    let host = HostName::parse(text).map(|host| host.to_string());
    assert_eq!(host.as_deref(), Ok(expected), "{text:?}");
}

fn check_refused(text: &str) {
    let host = HostName::parse(text);
    assert!(host.is_err(), "{text:?} is read as {host:?}");
}

#[test]
fn host_names_have_one_form() {
    check("github.com", "github.com");
    check("GitHub.COM.", "github.com");
    check("github.com。", "github.com");
    check("github。com", "github.com");
    check("github．com", "github.com");
    check("github｡com", "github.com");
    check("ｇｉｔｈｕｂ.com", "github.com");
    check("bücher.example", "xn--bcher-kva.example");
    check("BÜCHER.example", "xn--bcher-kva.example");
    check("bu\u{308}cher.example", "xn--bcher-kva.example");
    check("XN--BCHER-KVA.example", "xn--bcher-kva.example");
    check("_dmarc.example.com", "_dmarc.example.com");
    check("a--b.example", "a--b.example");
    check("r3---sn-4g5e.example", "r3---sn-4g5e.example");
    check("git\u{ad}hub.com", "github.com");
    check("127.0.0.1.nip.io", "127.0.0.1.nip.io");
    check("1.2.3.4.example", "1.2.3.4.example");
    check("0x7f.example", "0x7f.example");
}

#[test]
fn a_look_alike_letter_gives_another_name() {
    for text in ["gіthub.com", "githυb.com", "github.com。evil.example", "gıthub.com"] {
        let host = HostName::parse(text).unwrap();
        assert_ne!(host.to_string(), "github.com", "{text}");
        assert!(!host.to_string().ends_with(".github.com"), "{text}");
    }
}

#[test]
fn every_loopback_name_and_address_is_one_host() {
    for text in [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "foo.localhost",
        "a.b.LocalHost.",
        "localhost.localdomain",
        "localhost6",
        "ip6-localhost",
        "ip6-loopback",
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "127.255.0.9",
        "2130706433",
        "0x7f000001",
        "0X7F.1",
        "0177.0.0.1",
        "017700000001",
        "127.000.000.001",
        "0",
        "0.0.0.0",
        "0x0",
        "[::1]",
        "::1",
        "[0:0:0:0:0:0:0:1]",
        "0000::0001",
        "::",
        "[::]",
        "::ffff:127.0.0.1",
        "[::ffff:7f00:1]",
        "::ffff:0.0.0.0",
        "::127.0.0.1",
        "64:ff9b::127.0.0.1",
        "１２７.0.0.1",
        "①②⑦.0.0.1",
        "127。0。0。1",
        "ⓛocalhost",
        "localhost。",
    ] {
        assert_eq!(HostName::parse(text), Ok(HostName::Loopback), "{text}");
    }
    check("notlocalhost", "notlocalhost");
    check("localhost.example", "localhost.example");
    check("localhost.com", "localhost.com");
}

#[test]
fn addresses_have_one_form() {
    check("169.254.169.254", "169.254.169.254");
    check("[::ffff:169.254.169.254]", "169.254.169.254");
    check("::ffff:a9fe:a9fe", "169.254.169.254");
    check("2852039166", "169.254.169.254");
    check("0xA9FEA9FE", "169.254.169.254");
    check("169.254.169.254.", "169.254.169.254");
    check("2001:DB8:0:0::1", "2001:db8::1");
    check("[2001:db8::1]", "2001:db8::1");
    check("2002:a9fe:a9fe::", "2002:a9fe:a9fe::");
    let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
    assert_eq!(HostName::from(mapped), HostName::parse("10.0.0.1").unwrap());
}

#[test]
fn texts_that_are_no_host_are_refused() {
    for text in [
        "",
        ".",
        "..",
        ".example.com",
        "example..com",
        "example.com..",
        "exa mple.com",
        " example.com",
        "example.com ",
        "example.com\n",
        "example\t.com",
        "example.com\0",
        "a\0.github.com",
        "example.com\\",
        "example.com/",
        "user@example.com",
        "example.com%2f",
        "%65xample.com",
        "example.com:80",
        "a:b:c",
        "*.example.com",
        "a,b",
        "a;b",
        "a=b",
        "$HOME",
        "a'b",
        "(a)",
        "{a,b}",
        "~",
        "!",
        "a#b",
        "a?b",
        "<a>",
        "|a",
        "^a",
        "`a`",
        "\"a\"",
        "a+b.example",
        "-oProxyCommand",
        "-a.example",
        "a-.example",
        "[::1",
        "::1]",
        "[1.2.3.4]",
        "[]",
        "[[::1]]",
        "[fe80::1%eth0]",
        "fe80::1%1",
        "1::2::3",
        "12345::",
        ":::",
        "1.2.3.4.5",
        "256.1.1.1",
        "1.2.3.256",
        "foo.1",
        "foo.0x1",
        "foo.08",
        "example.123",
        "08.08.08.08",
        "4294967296",
        "a／b.example",
        "a＠b.example",
        "a：80",
        "℀.example",
        "faß.example",
        "FAẞ.example",
        "βόλος.example",
        "a\u{200d}b.example",
        "a\u{200c}b.example",
        "xn--\u{fc}.example",
        "xn--a.example",
        "xn--.example",
        "xn--github-.com",
        "\u{202e}moc.buhtig",
        "a\u{3000}b",
        "a\u{a0}b",
        "\u{feff}",
        "\u{ad}",
        "１０.evil.１",
    ] {
        check_refused(text);
    }
}

#[test]
fn lengths_are_limited() {
    let label = "a".repeat(63);
    let name = format!("{label}.{label}.{label}.{}", "a".repeat(61));
    assert_eq!(name.len(), 253);
    check(&name, &name);
    check(&format!("{name}."), &name);
    check_refused(&format!("{name}a"));
    check_refused(&format!("{label}a.example"));
    check_refused(&"a.".repeat(100_000));
}

#[test]
fn labels_come_last_one_first() {
    let labels = |text| {
        let host = HostName::parse(text).unwrap();
        host.labels().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(labels("api.github.com."), ["com", "github", "api"]);
    assert!(labels("10.0.0.1").is_empty());
    assert!(labels("localhost").is_empty());
}

#[test]
fn error_messages_name_the_host_and_the_reason() {
    let message = |text| HostName::parse(text).unwrap_err().to_string();
    assert_eq!(message(""), "the host is empty");
    assert_eq!(message("a\0b"), "the host `a\\0b` has the character `\\0`");
    assert_eq!(
        message("1.2.3.999"),
        "the host `1.2.3.999` ends in a number but is no IPv4 address"
    );
    assert_eq!(
        message("010.8.8.8"),
        "the host `010.8.8.8` means 8.8.8.8 to some programs and 10.8.8.8 to others"
    );
}

/// Generates texts that resemble host names.
fn host_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z0-9-]{1,5}",
        "[A-Z0-9_]{1,3}",
        "0x[0-9a-fA-F]{0,4}",
        Just("xn--".to_owned()),
        Just("localhost".to_owned()),
        "[.。．:@/\\\\%\\[\\]\0 ]",
        "\\PC",
    ];
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_normal_form_is_a_fixed_point(text in host_like()) {
        if let Ok(host) = HostName::parse(&text) {
            prop_assert_eq!(HostName::parse(&host.to_string()), Ok(host));
        }
    }

    #[test]
    fn normal_forms_contain_only_plain_characters(text in host_like()) {
        if let Ok(HostName::Domain(name)) = HostName::parse(&text) {
            let plain = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-' | '_' | '.');
            prop_assert!(name.chars().all(plain), "{}", name);
            prop_assert!(name.split('.').all(|label| !label.is_empty()), "{}", name);
            prop_assert!(name.parse::<IpAddr>().is_err());
        }
    }

    #[test]
    fn case_and_one_dot_at_the_end_make_no_difference(text in "[a-z0-9._-]{1,20}") {
        let host = HostName::parse(&text).ok();
        prop_assert_eq!(&HostName::parse(&text.to_uppercase()).ok(), &host);
        if !text.ends_with('.') {
            prop_assert_eq!(&HostName::parse(&format!("{text}.")).ok(), &host);
        }
    }

    #[test]
    fn printed_addresses_parse_to_themselves(bits: u128) {
        let host = HostName::from(IpAddr::from(std::net::Ipv6Addr::from_bits(bits)));
        prop_assert_eq!(HostName::parse(&host.to_string()), Ok(host));
    }
}
