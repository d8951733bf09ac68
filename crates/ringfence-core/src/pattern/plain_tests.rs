use proptest::prelude::*;
use proptest::sample::select;

use super::super::{CommandPattern, NamePattern, PathPattern, Pattern};
use super::*;

/// Texts of what patterns are made of, well-formed or not.
fn texts() -> impl Strategy<Value = String> {
    let pieces = vec![
        "",
        "a",
        "git",
        "B7",
        ".",
        "..",
        "*",
        "**",
        "/",
        "//",
        ":",
        "::",
        "@",
        "@root",
        "@cwd",
        "@tmp",
        "@system",
        "@base",
        "@rot",
        "~",
        "~u",
        "$",
        "${X}",
        "{",
        "}",
        "{a,b}",
        ",",
        "[",
        "]",
        "[a]",
        "\\",
        "?",
        " ",
        "\t",
        "'",
        "\"",
        "\0",
        "\u{7f}",
        "é",
        "\u{a0}",
        "-",
        "+",
        "_",
        "=",
        "%",
        "!",
        "#",
        "****************",
        "*a*a*a*a*a*a*a*a",
    ];
    prop::collection::vec(select(pieces), 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn what_is_plain_can_be_read(text in texts()) {
        if is_command(&text) {
            prop_assert!(CommandPattern::parse_in_full(&text).is_ok(), "{text:?}");
        }
        if is_path(&text) {
            prop_assert!(PathPattern::parse_in_full(&text).is_ok(), "{text:?}");
        }
        if is_name(&text) {
            prop_assert!(NamePattern::parse_in_full(&text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_pattern_is_the_same_read_at_once_or_later(text in texts()) {
        let (command, path, name) =
            (CommandPattern::parse(&text), PathPattern::parse(&text), NamePattern::parse(&text));
        prop_assert_eq!(command, CommandPattern::parse_in_full(&text));
        prop_assert_eq!(path, PathPattern::parse_in_full(&text));
        prop_assert_eq!(name, NamePattern::parse_in_full(&text));
    }
}

#[test]
fn everyday_patterns_are_plain() {
    for text in ["git", "git:push:*", "cargo:", "npm:run:test", "/usr/bin/make:*", "*"] {
        assert!(is_command(text), "{text}");
    }
    for text in ["/srv/data/**", "~/.ssh/id_*", "@root", "@root/src/**", "**/.env", "src/a.rs", "~"]
    {
        assert!(is_path(text), "{text}");
    }
    for text in ["git::push", ":git", "", "git push", "git:{push,pull}", "git:\\*", "git:[a]"] {
        assert!(!is_command(text), "{text}");
    }
    for text in ["", "a/../b", "~u/a", "@rot/a", "$HOME/a", "a/{b,c}", "\\a"] {
        assert!(!is_path(text), "{text}");
    }
    assert!(is_name("AWS_*") && !is_name("") && !is_name("A{B,C}"));
    assert!(Pattern::parse("fs:r:@rot/a").is_err() && Pattern::parse("cmd::a").is_err());
}
