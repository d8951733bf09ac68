use super::*;

fn check(raw: &str, wanted: &str) {
    assert_eq!(decode(raw).as_deref(), Ok(wanted.as_bytes()), "{raw:?}");
}

#[test]
fn letters_stand_for_control_characters() {
    check(r"\a\b\e\E\f\n\r\t\v", "\x07\x08\x1b\x1b\x0c\n\r\t\x0b");
    check(r#"\\\'\"\?"#, "\\'\"?");
}

#[test]
fn numbers_stand_for_bytes_and_characters() {
    check(r"\x72\x6d", "rm");
    check(r"\x7", "\x07");
    check(r"\x72d", "rd");
    check(r"\162\155", "rm");
    check(r"\1628", "r8");
    check(r"\u72\u006d", "rm");
    check(r"\u00e9\U0001F600", "é😀");
    check(r"\xc3\xa9", "é");
    check(r"\501", "A");
}

#[test]
fn what_is_no_escape_keeps_its_backslash() {
    check(r"\q\ \$", r"\q\ \$");
    check(r"\xg\u\Uz", r"\xg\u\Uz");
    check("\\\n", "\\\n");
    check("é$x`y`", "é$x`y`");
}

#[test]
fn control_letters() {
    check(r"\cb\cB\c[", "\x02\x02\x1b");
    check(r"\c\\x", "\x1cx");
    check(r"\c?\cA", "\x7f\x01");
    assert!(decode(r"\cé").is_err());
}

#[test]
fn nothing_after_nul_remains() {
    check(r"rm\0foo", "rm");
    check(r"\x00", "");
    check(r"a\u0000b", "a");
    check(r"a\400b", "a");
}

#[test]
fn braces_hold_all_digits_of_one_byte() {
    check(r"\x{72}m", "rm");
    check(r"\x{4172}m", "rm");
    check(r"\x{6d", "m");
    check(r"a\x{}b", "a");
}

#[test]
fn numbers_that_are_no_characters_are_refused() {
    for raw in [r"\U00110000", r"\ud800"] {
        assert!(decode(raw).is_err(), "{raw:?}");
    }
}

#[test]
fn what_is_no_text_is_not_known() {
    for word in [r"$'\xff'", r"$'\x01'", r"a$'\177'b", r"$'\cA'"] {
        let listing = crate::list(&format!("c {word} d"), "/h");
        assert_eq!(listing.commands[0].argv, [Some("c".into()), None, Some("d".into())], "{word}");
    }
}
