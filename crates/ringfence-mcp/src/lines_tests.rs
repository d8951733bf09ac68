use std::io::BufReader;

use super::*;

/// What came of each line, read in small pieces and all at once.
fn all(bytes: &[u8], longest: usize) -> Vec<Result<String, Line<'static>>> {
    let [first, second] = [4, 1000].map(|size| {
        let mut lines = Lines::buffered(BufReader::with_capacity(size, bytes), longest);
        let mut all = Vec::new();
        loop {
            match lines.next().unwrap() {
                Line::End => return all,
                Line::Text(text, _) => all.push(Ok(text.to_owned())),
                Line::TooLong => all.push(Err(Line::TooLong)),
                Line::NoText => all.push(Err(Line::NoText)),
            }
        }
    });
    assert_eq!(first, second);
    first
}

fn text(text: &str) -> Result<String, Line<'static>> {
    Ok(text.to_owned())
}

#[test]
fn lines_end_where_they_end() {
    assert_eq!(all(b"{}\n\nab\ncd", 8), [text("{}"), text(""), text("ab"), text("cd")]);
    assert_eq!(all(b"", 8), []);
}

#[test]
fn a_line_that_is_too_long_is_skipped_whole() {
    assert_eq!(all(b"12345678\n", 8), [text("12345678")]);
    assert_eq!(all(b"123456789\nab\n", 8), [Err(Line::TooLong), text("ab")]);
    assert_eq!(all(b"1234567890123456789012", 8), [Err(Line::TooLong)]);
}

#[test]
fn what_is_not_utf8_is_no_text() {
    assert_eq!(all(b"\xff\n{}\n", 8), [Err(Line::NoText), text("{}")]);
}

#[test]
fn it_is_known_whether_another_line_was_read() {
    let mut lines = Lines::new(&b"a\nb\nc"[..], 8);
    assert_eq!(lines.next().unwrap(), Line::Text("a", More::Follows));
    assert_eq!(lines.next().unwrap(), Line::Text("b", More::No));
    assert_eq!(lines.next().unwrap(), Line::Text("c", More::No));
    assert_eq!(lines.next().unwrap(), Line::End);
    assert_eq!(lines.next().unwrap(), Line::End);
}

#[test]
fn a_line_that_comes_in_pieces_is_whole() {
    let mut lines = Lines::buffered(BufReader::with_capacity(4, &b"abcdefghij\nk\n"[..]), 100);
    assert_eq!(lines.next().unwrap(), Line::Text("abcdefghij", More::No));
    assert_eq!(lines.next().unwrap(), Line::Text("k", More::No));
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
