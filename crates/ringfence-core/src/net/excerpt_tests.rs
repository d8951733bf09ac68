use super::*;

#[test]
fn long_text_is_cut_and_invisible_text_escaped() {
    assert_eq!(excerpt("a\\b 'é'").to_string(), "a\\b 'é'");
    assert_eq!(excerpt("a\nb\0").to_string(), "a\\nb\\0");
    assert_eq!(excerpt("a\u{202e}b\u{200b}").to_string(), "a\\u{202e}b\\u{200b}");
    assert_eq!(excerpt(&"x".repeat(200)).to_string(), "x".repeat(200));
    assert_eq!(excerpt(&"x".repeat(201)).to_string(), "x".repeat(200) + "…");
}
