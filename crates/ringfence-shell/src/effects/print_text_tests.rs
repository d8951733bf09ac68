use super::*;

#[test]
fn echo_reads_its_own_options_only() {
    let text = |words: &[&str]| echo_text(words, Dialect::Bash);
    assert_eq!(text(&["-O", "x"]).as_deref(), Some("-O x\n"));
    assert_eq!(text(&["-n", "-Ocurl"]).as_deref(), Some("-Ocurl"));
    assert_eq!(text(&["-ne", r"-\x4fcurl\n"]).as_deref(), Some("-Ocurl\n"));
    assert_eq!(text(&["-e", "-E", r"a\n"]).as_deref(), Some("a\\n\n"));
    assert_eq!(text(&["a", "-n"]).as_deref(), Some("a -n\n"));
    assert_eq!(echo_text(&["-e", "x"], Dialect::Sh), None);
    assert_eq!(echo_text(&[r"a\nb"], Dialect::Sh), None);
}

#[test]
fn printf_goes_over_its_format_until_the_values_are_used_up() {
    let text = |words: &[&str]| printf_text(words);
    assert_eq!(text(&["%s\\n", "a", "b"]).as_deref(), Some("a\nb\n"));
    assert_eq!(text(&["%s=%s;", "a"]).as_deref(), Some("a=;"));
    assert_eq!(text(&["--", "%s", "-O"]).as_deref(), Some("-O"));
    assert_eq!(text(&["\\055O%%", "x"]).as_deref(), Some("-O%"));
    assert_eq!(text(&["%b", r"\x2dO"]).as_deref(), Some("-O"));
    assert_eq!(text(&["%d", "12"]).as_deref(), Some("12"));
    assert_eq!(text(&["%d", "012"]), None);
    assert_eq!(text(&["%5s", "a"]), None);
    assert_eq!(text(&["%s\\q", "a"]), None);
    assert_eq!(text(&[]), None);
}
