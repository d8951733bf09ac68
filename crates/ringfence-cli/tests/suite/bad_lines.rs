//! Lines that no one writes, through every subcommand that takes one.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ringfence, run_with_input, stderr, stdout};

/// Far more than any of them takes, even in a build for tests on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

/// Grants nearly everything, so that only what the line itself is can deny it.
const POLICY: &str = "allow = [\"cmd:*\", \"fs:rw:**\", \"net:*\", \"env:*\", \"tool:*\"]\n";

/// Lines that are denied, each short enough to be one argument of a process.
fn denied_lines() -> Vec<String> {
    let mut lines = vec![
        "(".repeat(10_000),
        format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000)),
        "$(".repeat(10_000),
        "{ ".repeat(10_000),
        "\"$(".repeat(10_000),
        "$((".repeat(10_000),
        "${x:-".repeat(10_000),
        "`".repeat(9_999),
        "a;".repeat(50_000),
        "a|".repeat(50_000),
        format!("a=xxxxxxxx; {} echo $a", "a=$a$a; ".repeat(60)),
        format!("{}x{}", "while a; do ".repeat(20), "; done".repeat(20)),
        format!("cat {}", "n".repeat(300)),
        format!("cat {}", "d/".repeat(3_000)),
        format!("echo > {}", "n".repeat(300)),
        "echo \u{1}".to_owned(),
        "echo \u{202e}".to_owned(),
    ];
    let unbalanced = [
        "echo 'a",
        "echo \"a",
        "echo `a",
        "echo $(a",
        "echo ${a",
        "echo )",
        "}",
        "if a",
        "for",
        "case x in",
        "{ a",
        "((",
        "[[ a",
        "a |",
        "a &&",
        ";;",
        "<<",
        "a >",
        "f() {",
        "a; done",
    ];
    lines.extend(unbalanced.map(str::to_owned));
    lines
}

fn start_of(line: &str) -> String {
    line.chars().take(60).collect()
}

/// Runs a subcommand in an empty directory; it must end in time and say little.
fn run(arguments: &[&OsStr], line: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("policy.toml"), POLICY).unwrap();
    let start = Instant::now();
    let output = ringfence().current_dir(folder.path()).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{:?}: {said}", start_of(line));
    assert!(start.elapsed() < LONGEST, "{:?}: {:?}", start_of(line), start.elapsed());
    assert!(output.stdout.len() < 4 << 20, "{:?}: {}", start_of(line), output.stdout.len());
    output
}

#[test]
fn check_and_explain_deny_them() {
    for line in denied_lines() {
        for subcommand in ["check", "explain"] {
            let arguments = [subcommand, "--policy", "policy.toml", "--", &line];
            let output = run(&arguments.map(OsStr::new), &line);
            assert_eq!(output.status.code(), Some(4), "{subcommand} {:?}", start_of(&line));
        }
    }
}

#[test]
fn explain_says_how_much_it_leaves_out() {
    let line = "a;".repeat(2_500);
    let output = run(&["explain", "--policy", "policy.toml", "--", &line].map(OsStr::new), &line);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("more effects and doubts are not shown"));
}

#[test]
fn parse_answers_them() {
    for line in denied_lines() {
        let output = run(&["parse", "--json", &line].map(OsStr::new), &line);
        assert_eq!(output.status.code(), Some(0), "{:?}: {}", start_of(&line), stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer.is_object(), "{:?}", start_of(&line));
    }
}

#[test]
fn words_that_are_no_text_are_an_error() {
    let bytes: Vec<u8> = (1..=255).collect();
    let word = OsStr::from_bytes(&bytes);
    for subcommand in ["check", "explain", "parse"] {
        let output = run(&[OsStr::new(subcommand), OsStr::new("--"), word], subcommand);
        assert_eq!(output.status.code(), Some(2), "{subcommand}");
    }
}

/// Every character of one byte and of two, the longest lines, and those above.
fn lines_for_standard_input() -> Vec<String> {
    let mut lines = denied_lines();
    for character in (0..=255).map(char::from) {
        lines.push(format!("echo a{character}b {character}"));
    }
    lines.push("a\rb".to_owned());
    lines.push("echo a\r\n\rcat b\r".to_owned());
    lines.push("a".repeat(1 << 20));
    lines.push("a".repeat((1 << 20) + 1));
    lines.push(format!("echo {}", "word ".repeat(100_000)));
    lines.push(" ".repeat((1 << 20) + 1));
    lines
}

#[test]
fn lines_on_standard_input_are_answered_one_by_one() {
    let lines = lines_for_standard_input();
    let input: String =
        lines.iter().map(|line| json!({ "id": 1, "line": line }).to_string() + "\n").collect();
    let start = Instant::now();
    let output = run_with_input(ringfence().args(["parse", "--jsonl"]), input.as_bytes());
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    assert!(start.elapsed() < LONGEST);
    assert_eq!(stdout(&output).lines().count(), lines.len());

    let cases = lines.iter().map(|line| {
        let policy = json!({ "allow": ["cmd:*", "fs:rw:**", "net:*", "env:*", "tool:*"] });
        let action = json!({ "tool": "terminal", "command": line });
        json!({ "policy": policy, "action": action }).to_string() + "\n"
    });
    let input: String = cases.collect();
    let output = run_with_input(ringfence().args(["check", "--jsonl"]), input.as_bytes());
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    let answers = stdout(&output);
    assert_eq!(answers.lines().count(), lines.len());
    for (line, answer) in lines.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let over = line.len() > 1 << 20 || line.contains(['\0', '\u{1}', '\u{7f}', '\u{1b}']);
        if over || denied_lines().contains(line) {
            assert_eq!(answer["verdict"], "deny", "{:?}", start_of(line));
        }
    }
}
