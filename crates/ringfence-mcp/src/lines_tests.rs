use std::io::BufReader;

use super::*;

fn all(bytes: &[u8], longest: usize) -> Vec<Line> {
    let mut from = BufReader::with_capacity(4, bytes);
    let mut lines = Vec::new();
    loop {
        match next(&mut from, longest).unwrap() {
            Line::End => return lines,
            line => lines.push(line),
        }
    }
}

#[test]
fn lines_end_where_they_end() {
    let text = |text: &str| Line::Text(text.to_owned());
    assert_eq!(all(b"{}\n\nab\ncd", 8), [text("{}"), text(""), text("ab"), text("cd")]);
    assert_eq!(all(b"", 8), []);
}

#[test]
fn a_line_that_is_too_long_is_skipped_whole() {
    let text = |text: &str| Line::Text(text.to_owned());
    assert_eq!(all(b"12345678\n", 8), [text("12345678")]);
    assert_eq!(all(b"123456789\nab\n", 8), [Line::TooLong, text("ab")]);
    assert_eq!(all(b"1234567890123456789012", 8), [Line::TooLong]);
}

#[test]
fn what_is_not_utf8_is_no_text() {
    assert_eq!(all(b"\xff\n{}\n", 8), [Line::NoText, Line::Text("{}".to_owned())]);
}

#[test]
fn a_message_is_one_line_for_readers_of_any_kind() {
    for (text, expected) in [
        (" {} ", "{}"),
        ("{\"a\":\n1,\r\n\"b\":\r2}", "{\"a\": 1,  \"b\": 2}"),
        ("[\"x\u{2028}y\u{2029}z\u{85}\"]", "[\"x\\u2028y\\u2029z\\u0085\"]"),
        ("[\"\u{e9}\u{20ac}\"]", "[\"\u{e9}\u{20ac}\"]"),
    ] {
        assert_eq!(single(text), expected);
        let same = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(same(text), same(&single(text)));
    }
}
