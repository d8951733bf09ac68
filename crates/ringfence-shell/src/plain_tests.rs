use super::*;

#[test]
fn plain_words_are_read_as_a_shell_reads_them() {
    let line = read("RUST_LOG=debug  cargo test --all a=b").unwrap();
    assert_eq!(line.assignments, [("RUST_LOG", "debug")]);
    assert_eq!(line.words, ["cargo", "test", "--all", "a=b"]);
    assert_eq!(read("").unwrap(), PlainLine::default());
}

#[test]
fn whatever_a_shell_would_expand_or_part_is_not_plain() {
    for line in [
        "a;b", "a|b", "a&b", "a>b", "a<b", "$x", "`x`", "'x'", "\"x\"", "a\\b", "a*", "a?", "[a]",
        "{a,b}", "~/x", "a\nb", "a\tb", "(a)", "#x", "!x", "a\u{a0}b", "é", "a^b", "a\rb",
    ] {
        assert!(read(line).is_err(), "{line:?}");
    }
    for line in ["if a", "time ls", "for x", "function f"] {
        assert!(read(line).is_err(), "{line:?}");
    }
}
