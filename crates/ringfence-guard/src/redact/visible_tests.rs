use super::*;

#[test]
fn invisible_characters_are_escaped() {
    for (text, expected) in [
        ("a\u{202e}b", "a\\u{202e}b"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\u{9b}31m\u{7f}\0", "\\x9b31m\\x7f\\x00"),
        ("rm\u{a0}-rf\u{3000}x\u{2003}y", "rm\\xa0-rf\\u{3000}x\\u{2003}y"),
        ("a\u{200b}\u{200d}\u{feff}\u{ad}b", "a\\u{200b}\\u{200d}\\u{feff}\\xadb"),
        ("\u{e0041}\u{fe0f}\u{3164}\u{2028}", "\\u{e0041}\\u{fe0f}\\u{3164}\\u{2028}"),
        ("\u{2066}\u{2069}\u{61c}\u{200f}", "\\u{2066}\\u{2069}\\u{61c}\\u{200f}"),
        ("\u{e000}\u{10ffff}", "\\u{e000}\\u{10ffff}"),
    ] {
        assert_eq!(visible(text), expected);
        assert_eq!(visible(expected), expected);
    }
}

#[test]
fn visible_text_is_unchanged() {
    for text in ["", "ls -la", "C:\\x", "grüße, мир, 世界, 🙂", "‹redacted:01234567›"]
    {
        assert!(matches!(visible(text), Cow::Borrowed(_)), "{text}");
    }
}
