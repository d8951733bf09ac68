//! `parse`: the corpus of lines through the command, and what people see.

use std::path::Path;

use serde_json::{Value, json};

use super::skip::skip;
use super::{repository, ringfence, run_with_input, stdout};

/// The fields that the corpus compares.
const FIELDS: [&str; 4] = ["commands", "compound_redirs", "syntax_error", "unsupported"];

fn answers(input: &str, exit: i32) -> Vec<Value> {
    let output = run_with_input(ringfence().args(["parse", "--jsonl"]), input.as_bytes());
    assert_eq!(output.status.code(), Some(exit), "{output:?}");
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn compare(path: &Path, at_least: usize) {
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() >= at_least, "only {} lines in {}", cases.len(), path.display());
    let answers = answers(&text, 0);
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(case["id"], answer["id"]);
        for field in FIELDS {
            assert_eq!(case.get(field), answer.get(field), "{field} of {}", case["line"]);
        }
    }
}

#[test]
fn every_line_of_the_corpus_is_listed_as_bash_runs_it() {
    compare(&repository().join("tests/corpus/shell-parse.jsonl"), 40);
}

#[test]
fn every_line_of_the_shared_corpus_is_listed_as_bash_runs_it() {
    let path = repository().join("../shared/corpus/shell-parse-more.jsonl");
    if !path.exists() {
        return skip("there is no ../shared/corpus/shell-parse-more.jsonl");
    }
    compare(&path, 300);
}

#[test]
fn a_bad_line_is_an_error_and_the_others_are_answered() {
    let input = "not json\n\
        {\"id\": 1}\n\
        {\"id\": 2, \"line\": \"ls ~\", \"home\": 3}\n\
        {\"id\": 3, \"line\": \"ls\", \"line\": \"rm\"}\n\
        \n\
        {\"id\": 4, \"line\": \"ls ~\", \"home\": \"/home/w\"}\n\
        {\"id\": 5, \"line\": \"ls ~\"}\n\
        {\"id\": 6, \"line\": \"if\"}\n";
    let answers = answers(input, 2);
    assert_eq!(answers.len(), 7);
    for bad in &answers[..4] {
        assert!(bad["error"].is_string() && bad.get("commands").is_none(), "{bad}");
    }
    assert_eq!(answers[1]["id"], 1);
    assert_eq!(answers[4], json!({"id": 4, "commands": [{"argv": ["ls", "/home/w"]}]}));
    assert_eq!(answers[5], json!({"id": 5, "commands": [{"argv": ["ls", "/home/u"]}]}));
    assert_eq!(answers[6], json!({"id": 6, "commands": [], "syntax_error": true}));
}

fn parse(words: &[&str]) -> String {
    let output = ringfence().arg("parse").args(words).env("HOME", "/home/w").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    stdout(&output)
}

#[test]
fn one_line_is_answered_in_the_same_schema() {
    let answer: Value =
        serde_json::from_str(&parse(&["--json", "A=1 git log \"$x\" | (head > o)"])).unwrap();
    assert_eq!(
        answer,
        json!({"commands": [
            {"argv": ["git", "log", null], "assigns": [["A", "1"]]},
            {"argv": ["head"], "redirs": [[">", "o"]], "in": "subshell"},
        ]})
    );
}

#[test]
fn people_read_one_command_a_line() {
    let said = parse(&["A=1 git log \"$x\" 'a b' | (head > o); { ls; } 2>> e"]);
    let wanted = "  1  A=1 git log ? 'a b'
  2  head > o             in a subshell
  3  ls
     2>> e  of a group or loop
? is known only when the line runs
";
    assert_eq!(said, wanted);
    assert_eq!(parse(&["# nothing"]), "the line runs nothing\n");
}

#[test]
fn an_error_is_shown_where_it_stands() {
    let said = parse(&["ls; fi"]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("a shell refuses this line: "), "{said}");
    assert_eq!(lines[1..], ["  ls; fi", "      ^^"], "{said}");
}

#[test]
fn nothing_to_parse_is_an_error() {
    let output = ringfence().arg("parse").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
