use super::*;

fn check(raw: &str, wanted: &str) {
    assert_eq!(decode(raw).as_deref(), Ok(wanted), "{raw:?}");
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
    assert!(decode(r"\c?").is_err());
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
fn what_is_not_certain_is_refused() {
    for raw in [r"\xff", r"\x{72}", r"\U00110000", r"\ud800", r"\x01", r"\177", r"\cA"] {
        assert!(decode(raw).is_err(), "{raw:?}");
    }
}
