use super::*;

fn check(text: &str, wanted: &str) {
    match sequence(text) {
        Sequence::Items(items) => assert_eq!(items.join(" "), wanted, "{text}"),
        Sequence::Not => assert_eq!("not", wanted, "{text}"),
        Sequence::Unclear => assert_eq!("unclear", wanted, "{text}"),
    }
}

#[test]
fn numbers_count_up_and_down() {
    check("1..5", "1 2 3 4 5");
    check("3..1", "3 2 1");
    check("-1..-3", "-1 -2 -3");
    check("+1..+3", "1 2 3");
    check("5..5", "5");
}

#[test]
fn steps_have_no_sign() {
    check("1..10..4", "1 5 9");
    check("5..1..2", "5 3 1");
    check("1..3..-1", "1 2 3");
    check("1..3..0", "1 2 3");
    check("a..e..2", "a c e");
}

#[test]
fn a_leading_zero_pads_all() {
    check("01..3", "01 02 03");
    check("1..003", "001 002 003");
    check("-01..1", "-01 000 001");
    check("10..08", "10 09 08");
    check("0..2", "0 1 2");
}

#[test]
fn letters_of_one_case() {
    check("a..e", "a b c d e");
    check("C..A", "C B A");
    check("a..C", "unclear");
    check("é..ü", "not");
}

#[test]
fn other_texts_are_no_sequences() {
    for text in
        ["1..a", "a..1", "1..", "..1", "..", "1...3", "1..3..", "1..3...", "1.5..2", "ab..c", ""]
    {
        check(text, "not");
    }
    check("1..99999999999999999999", "not");
    check("3..1..\r2", "unclear");
}

#[test]
fn long_sequences_are_not_written_out() {
    check("1..4097", "unclear");
    check("1..9999999999", "unclear");
    check("-9223372036854775808..9223372036854775807", "unclear");
    assert!(matches!(sequence("1..4096"), Sequence::Items(items) if items.len() == 4096));
}
