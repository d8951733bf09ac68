use super::*;

#[test]
fn a_language_that_is_not_known_is_none() {
    assert_eq!(read("klingon", "x"), None);
}

#[test]
fn what_is_too_long_or_has_a_nul_is_unreadable() {
    for language in languages() {
        let long = "x".repeat(MAX_BYTES + 1);
        assert!(matches!(read(language, &long).unwrap()[..], [Finding::Unreadable(_)]));
        assert!(matches!(read(language, "a\0b").unwrap()[..], [Finding::Unreadable(_)]));
    }
}
