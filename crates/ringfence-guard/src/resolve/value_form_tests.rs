use super::*;

#[test]
fn paths_are_told_by_their_form() {
    for path in ["/x", "\\x", "~", "~/x", "~user/x", "$HOME/x", "${HOME}/x", "a/../b", "C:\\x"] {
        assert!(looks_like_path(path), "{path}");
    }
    for text in ["x", "a/b", "~1.2.3", "$5/month", "${x", "$HOME", "$/x", "..", "1.."] {
        assert_eq!(looks_like_path(text), text == "..", "{text}");
    }
}

#[test]
fn values_are_also_read_trimmed_and_decoded() {
    for (text, other) in [
        (" /x", Some("/x")),
        ("\u{feff}/x\n", Some("/x")),
        ("..%2f..%2Fx", Some("../../x")),
        (" %2e%2e/x", Some("../x")),
        ("/x", None),
        ("100%", None),
        ("5 % of", None),
    ] {
        assert_eq!(decoded_form(text).as_deref(), other, "{text:?}");
    }
}

#[test]
fn hosts_stand_in_addresses_of_every_kind() {
    for (text, host) in [
        ("a.example/x", "a.example"),
        ("a.example:443", "a.example:443"),
        ("//a.example/x", "a.example"),
        ("git@a.example:r.git", "a.example"),
        ("user:pw@a.example:8080/x", "a.example:8080"),
        ("[::1]:80", "[::1]:80"),
        ("::1", "::1"),
        ("2852039166", "2852039166"),
    ] {
        assert_eq!(host_of_address(text), host, "{text}");
    }
    let behind = |text| hosts_behind_scheme(text).collect::<Vec<_>>();
    assert_eq!(behind("mongodb+srv://u:p@a.example,b.example:1/x"), ["a.example", "b.example:1"]);
    assert_eq!(behind("jdbc:mysql://a.example/x"), ["a.example"]);
    assert!(behind("memo://notes").is_empty() && behind("a: b").is_empty());
}

#[test]
fn urls_stay_urls_with_ends_of_lines_inside() {
    for text in ["https://x.example", "ht\ttps://x.example", "https:\n//x.example"] {
        assert!(is_net_url(text), "{text:?}");
    }
    assert!(!is_net_url("file:///x") && !is_net_url("memo://x") && !is_net_url("a\nb"));
}
