use super::*;

#[test]
fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
    for word in ["git", "HEAD~3", "--opt=a,b", "src/*.rs", "a b", "", "it's", "~", "$x", "{}"] {
        let line = format!("echo {}", quoted(word));
        let listing = ringfence_shell::list(&line, "/home/u");
        assert_eq!(listing.commands[0].argv[1].as_deref(), Some(word), "{line}");
    }
    assert_eq!(quoted("HEAD~3"), "HEAD~3");
    assert_eq!(quoted("it's"), r"'it'\''s'");
}

#[test]
fn secrets_behind_options_are_not_shown() {
    let text = shown(&["curl", "--token", "hunter2hunter2", "x\u{202e}y"]);
    assert!(!text.contains("hunter2"), "{text}");
    assert!(text.contains("\\u{202e}"), "{text}");
}

#[test]
fn headings_stay_short() {
    assert_eq!(shortened("abc", 3), "abc");
    assert_eq!(shortened("abcd efg", 6), "abcd…");
}
