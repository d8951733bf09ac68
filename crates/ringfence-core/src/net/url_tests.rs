use proptest::prelude::*;

use super::*;

fn check(text: &str, endpoint: &str) {
    match parse_url(text) {
        Ok(UrlTarget::Net { endpoint: read, .. }) => {
            assert_eq!(read.to_string(), endpoint, "{text}");
        }
        other => panic!("{text} is read as {other:?}"),
    }
}

fn check_file(text: &str, path: &str) {
    assert_eq!(parse_url(text), Ok(UrlTarget::File(path.into())), "{text}");
}

fn check_refused(text: &str) {
    let read = parse_url(text);
    assert!(read.is_err(), "{text:?} is read as {read:?}");
}

#[test]
fn plain_urls_name_their_host() {
    check("https://api.github.com/repos/o/r", "api.github.com:443");
    check("https://registry.pkg.example/@types%2fnode", "registry.pkg.example:443");
    check("https://github.com/o/r/blob/main/a%20b.md", "github.com:443");
    check("HTTPS://GitHub.COM./x", "github.com:443");
    check("http://example.com", "example.com:80");
    check("http://example.com:8080/x:y@z", "example.com:8080");
    check("https://example.com:443", "example.com:443");
    check("https://example.com?q=1#f", "example.com:443");
    check("https://example.com/?next=https://evil.example/\\@x", "example.com:443");
    check("https://example.com/a b", "example.com:443");
    check("https://bücher.example/ü", "xn--bcher-kva.example:443");
    check("wss://example.com/s", "example.com:443");
    check("ssh://git@github.com/o/r", "github.com:22");
    check("git://github.com/o/r", "github.com:9418");
    check("git+ssh://git@github.com/o/r.git", "github.com:22");
    check("socks5h://proxy.example:1", "proxy.example:1");
    check("postgres://u:p@db.example/x", "db.example:5432");
    check("tcp://10.0.0.1:2375", "10.0.0.1:2375");
    check("ssh://bücher.example", "xn--bcher-kva.example:22");
}

#[test]
fn every_spelling_of_an_address_gives_one_host() {
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.000.000.001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "0",
        "0.0.0.0",
        "localhost",
        "foo.localhost",
        "LOCALHOST.",
        "127。0。0。1",
        "①27.0.0.1",
        "[::]",
    ] {
        check(&format!("http://{host}/"), "localhost:80");
    }
    check("http://[::ffff:169.254.169.254]/", "169.254.169.254:80");
    check("http://[2001:db8::1]:8080/", "[2001:db8::1]:8080");
    check("ssh://2852039166/", "169.254.169.254:22");
}

#[test]
fn the_host_follows_the_user() {
    check("https://github.com@evil.example/", "evil.example:443");
    check("https://github.com:443@evil.example:8443/", "evil.example:8443");
    check("https://github.com%2f@evil.example/", "evil.example:443");
    check("https://github.com;x=@evil.example/", "evil.example:443");
    let has_user = |text| matches!(parse_url(text), Ok(UrlTarget::Net { user: true, .. }));
    assert!(has_user("https://user:pass@example.com/"));
    assert!(has_user("https://@example.com/"));
    assert!(!has_user("https://example.com/@user"));
}

#[test]
fn urls_that_parsers_read_differently_are_refused() {
    for text in [
        "",
        " https://github.com/",
        "https://github.com/ ",
        "\thttps://github.com/",
        "https://github.com/\n",
        "ht\ntps://github.com/",
        "https://git\thub.com/",
        "https://github.com/\0",
        "https://github.com/a\u{85}b",
        "github.com",
        "//github.com/",
        "/x",
        "://github.com",
        "1http://x",
        "https",
        "https:",
        "https:/",
        "https://",
        "https:///",
        "https:evil.example/",
        "https:/evil.example/",
        "https:///evil.example/",
        "https:\\\\evil.example/",
        "https:/\\evil.example",
        "https://github.com\\.evil.example/",
        "https://github.com\\@evil.example/",
        "https://evil.example\\@github.com/",
        "https://\\evil.example",
        "https://github.com\\evil.example",
        "https://a@b@github.com/",
        "https://evil.example#@github.com/",
        "https://evil.example?@github.com/",
        "https://github.com#@evil.example",
        "https://:443/",
        "https://@/",
        "https://u@/",
        "https://u@:443/",
        "https://?x",
        "https://#x",
        "https://github.com:/",
        "https://github.com:0/",
        "https://github.com:443:443/",
        "https://github.com:https/",
        "https://github.com:+443/",
        "https://github.com:0443/",
        "https://github.com:65536/",
        "https://github.com:４４３/",
        "https://git hub.com/",
        "https://github%2ecom/",
        "https://github.com%00.evil.example/",
        "https://github.com%2f.evil.example/",
        "https://%67ithub.com/",
        "https://github.com%40evil.example/",
        "https://git\u{3000}hub.com/",
        "https://github.com／evil.example",
        "https://github.com＠evil.example/",
        "https://a..b/",
        "https://.github.com/",
        "https://-x.example/",
        "https://[::1/",
        "https://::1/",
        "https://[::1]x/",
        "https://[::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[github.com]/",
        "https://1.2.3.4.5/",
        "https://1.2.3.256/",
        "https://foo.1/",
        "https://010.8.8.8/",
        "https://a,b/",
        "https://*/",
        "https://*.github.com/",
        "https://$HOST/",
        "https://{a,b}/",
        "https://faß.de/",
        "https://\"github.com\"/",
        "https://<github.com>/",
        "https://`x`/",
        "https://u[@github.com/",
        "https://ü@github.com/",
        "mongodb://a.example,b.example/x",
        "postgres:///x",
        "ssh://git@github.com:o/r",
    ] {
        check_refused(text);
    }
    check_refused(&format!("https://github.com/{}", "a".repeat(70_000)));
}

#[test]
fn unicode_dots_separate_labels_before_comparison() {
    check("https://github.com。evil.example/", "github.com.evil.example:443");
    check("https://github．com/", "github.com:443");
    check("https://github.com⁄evil.example", "github.xn--comevil-3d7c.example:443");
}

#[test]
fn errors_name_the_unknown_scheme() {
    for scheme in ["data", "javascript", "gopher", "dict", "x-custom", "localhost", "view-source"] {
        let error = parse_url(&format!("{}://x", scheme.to_uppercase())).unwrap_err();
        assert_eq!(error.fault(), &UrlFault::Scheme(scheme.into()));
        assert!(error.to_string().contains(&format!("the scheme `{scheme}`")), "{error}");
    }
}

#[test]
fn messages_repeat_no_password() {
    let message = |text| parse_url(text).unwrap_err().to_string();
    assert_eq!(
        message("https://u:secret@x..y/"),
        "the URL `https://…@x..y/` has no valid host: the host `x..y` has an empty label"
    );
    assert_eq!(
        message("https:evil.example/"),
        "the URL `https:evil.example/` has no `//` after its scheme"
    );
    assert!(!message("https://u:secret@a@b/").contains("secret"));
}

#[test]
fn file_urls_keep_parent_components() {
    check_file("file:///home/u/.ssh/id_rsa", "/home/u/.ssh/id_rsa");
    check_file("file:/home/u/x", "/home/u/x");
    check_file("FILE://localhost/home/u/x", "/home/u/x");
    check_file("file:///home/u/proj/..%2f.ssh/id_rsa", "/home/u/proj/../.ssh/id_rsa");
    check_file("file:///home/u/proj/%2e%2e/%2E%2e/x", "/home/u/proj/../../x");
    check_file("file:///home/u/proj/../x", "/home/u/proj/../x");
    check_file("file:///a%20b/%c3%a9", "/a b/é");
    check_file("file:///a\\..\\b", "/a\\..\\b");
    check_file("file:///C:/x", "/C:/x");
    check_file("file:////server/x", "//server/x");
}

#[test]
fn ambiguous_file_urls_are_refused() {
    for text in [
        "file:",
        "file:x",
        "file:~/x",
        "file://",
        "file://server/share/x",
        "file://127.0.0.1/x",
        "file://~/x",
        "file://..",
        "file:///a%00b",
        "file:///a%zz",
        "file:///a%",
        "file:///%ff",
        "file:///%c0%ae%c0%ae/x",
        "file:///a?b",
        "file:///a#/../../x",
        "file:///p/%252e%252e/x",
        "file:///p/%25%32e/x",
        "file:\\\\x",
        "file:///a\n",
        "file:///a ",
        "file://localhost",
        "file://u@localhost/x",
        "file://localhost:80/x",
        "file:..%2fx",
    ] {
        check_refused(text);
    }
}

#[test]
fn urls_are_distinguished_from_other_words() {
    for text in [
        "https://x",
        "HTTP:x",
        "file:x",
        "ssh://x",
        " https://x",
        "gopher://x",
        "data:text/plain,x",
        "https:\\\\x",
    ] {
        assert!(is_url(text), "{text}");
    }
    for text in [
        "localhost:3000",
        "redis:6379",
        "C:\\x",
        "memo://x",
        "a/b:c",
        "git@github.com:o/r",
        "x",
        "",
        ":",
    ] {
        assert!(!is_url(text), "{text}");
    }
}

/// Generates texts from the parts on which URL parsers differ.
fn url_like() -> impl Strategy<Value = String> {
    let scheme = prop_oneof![Just("https:"), Just("http://"), Just("ssh://"), Just("https://")];
    let piece = prop_oneof![
        Just("github.com"),
        Just("evil.example"),
        Just("127.1"),
        Just("[::1]"),
        Just("@"),
        Just(":"),
        Just(":80"),
        Just("/"),
        Just("\\"),
        Just("?"),
        Just("#"),
        Just("%2f"),
        Just("."),
        Just("。"),
        Just("\t"),
        Just("é"),
        Just("0"),
    ];
    (scheme, prop::collection::vec(piece, 0..7))
        .prop_map(|(scheme, rest)| scheme.to_owned() + &rest.concat())
}

/// Returns the host by the grammar of RFC 3986 (appendix B), as simple programs read it.
fn host_by_grammar(text: &str) -> Option<String> {
    let rest = text.split_once("://")?.1;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => host.split(':').next()?,
    };
    HostName::parse(host).ok().map(|host| host.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn urls_that_skip_the_browser_comparison_agree_with_it(
        scheme in "https?|ftp|ssh",
        written in "[a-z0-9_-]{0,4}(\\.[a-zA-Z0-9_%@:-]{0,6}){0,3}",
        tail in "([/?#][ -~]{0,8})?",
    ) {
        let text = format!("{scheme}://{written}{tail}");
        let Ok(endpoint) = parse_host_and_port(&written) else { return Ok(()) };
        if is_read_alike(&scheme, &written, &endpoint) {
            let port = scheme.ends_with('s').then_some(443).or(Some(80));
            let endpoint = Endpoint { port, ..endpoint };
            prop_assert!(agree_with_browsers(text.trim_end(), &endpoint).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn accepted_urls_agree_with_grammar_and_browsers(text in url_like()) {
        if let Ok(UrlTarget::Net { endpoint, .. }) = parse_url(&text) {
            prop_assert_eq!(host_by_grammar(&text), Some(endpoint.host.to_string()));
            let url = ::url::Url::parse(&text).unwrap();
            if url.is_special() {
                let host = HostName::parse(url.host_str().unwrap()).unwrap();
                prop_assert_eq!(host, endpoint.host);
                prop_assert_eq!(url.port_or_known_default(), endpoint.port);
            }
        }
    }

    #[test]
    fn no_text_panics_the_parser(text in "\\PC*") {
        let _ = parse_url(&text);
        let _ = parse_url(&format!("https://{text}"));
        let _ = parse_url(&format!("file:///{text}"));
    }
}
