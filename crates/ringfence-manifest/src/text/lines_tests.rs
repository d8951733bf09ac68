use super::Lines;

#[test]
fn columns_are_characters_counted_from_one() {
    let lines = Lines::new("äb\ncd\r\n\nü");
    assert_eq!(lines.locate(0), (1, 1));
    assert_eq!(lines.locate(2), (1, 2));
    assert_eq!(lines.locate(4), (2, 1));
    assert_eq!(lines.locate(8), (3, 1));
    assert_eq!(lines.locate(11), (4, 2));
    assert_eq!(lines.locate(999), (4, 2));
    assert_eq!(lines.line_at(5), (4, "cd"));
    assert_eq!(lines.line_at(9), (9, "ü"));
}

#[test]
fn a_very_long_line_is_located_like_a_short_one() {
    let text = "é".repeat(2000);
    let lines = Lines::new(&text);
    for at in [0, 1, 127, 128, 129, 1999] {
        assert_eq!(lines.locate(at * 2), (1, at as u32 + 1));
    }
}
