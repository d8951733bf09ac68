use std::process::Command;

use super::*;
use crate::redact::visible;

const NAMES: [&str; 8] = [
    "fs:w:/etc/hosts",
    "fs:w:/etc/x\", \"cmd:\\*",
    r"fs:w:/etc/\*\* \\ \[a]\{b,c}",
    "cmd:'it' \"it's\"",
    "fs:r:/a/\u{202e}txt\u{2066}",
    "fs:r:/a'b/\u{200b}",
    "env:\u{e0041}\u{a0}",
    "fs:r:/grüße/世界",
];

#[test]
fn a_policy_parses_the_quoted_text_as_the_same_pattern() {
    for name in NAMES {
        let shown = policy_text(name);
        assert_eq!(visible(&shown), shown, "nothing is_hidden_char");
        let line = format!("allow = [{shown}]\n");
        let read: toml::Table = toml::from_str(&line).unwrap();
        assert_eq!(read["allow"].as_array().unwrap().len(), 1, "{line}");
        assert_eq!(read["allow"][0].as_str(), Some(name), "{line}");
    }
}

#[test]
fn a_shell_parses_the_quoted_text_as_the_same_pattern() {
    for name in NAMES {
        let shown = shell_word(name);
        assert_eq!(visible(&shown), shown, "nothing is_hidden_char");
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("printf %s {shown}")]).env("LC_ALL", "C.UTF-8");
        assert_eq!(String::from_utf8(bash.output().unwrap().stdout).unwrap(), name, "{shown}");
    }
}
