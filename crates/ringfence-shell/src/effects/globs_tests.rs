use super::*;

#[test]
fn names_match_patterns() {
    for (pattern, name) in [
        ("*", "a"),
        ("*.rs", "a.rs"),
        ("a?c", "abc"),
        ("[ab]*", "bx"),
        ("\\*", "*"),
        ("a*b*", "ab"),
    ] {
        assert!(matches(pattern, name), "{pattern} {name}");
    }
    for (pattern, name) in [("*.rs", "a.md"), ("a?c", "ac"), ("\\*", "a"), ("ab", "abc")] {
        assert!(!matches(pattern, name), "{pattern} {name}");
    }
}

#[test]
fn many_stars_take_no_more_than_their_time() {
    let pattern = "*a".repeat(200);
    assert!(!matches(&pattern, &"b".repeat(4000)));
}
