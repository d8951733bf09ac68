//! The corpus through the command: `check --jsonl` and `test`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::skip::skip;
use super::{repository, ringfence, run_with_input, stdout};

pub(super) fn cases(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(repository().join("tests/corpus").join(name)).unwrap();
    lines(&text)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(super) fn verdicts(cases: &[Value]) -> BTreeMap<String, String> {
    let input: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let output = run_with_input(ringfence().args(["check", "--jsonl"]), input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answers = stdout(&output);
    let answers = answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    answers.map(|answer| (text(&answer["id"]), text(&answer["verdict"]))).collect()
}

#[test]
fn every_attack_gets_an_accepted_verdict() {
    let cases = cases("attacks.jsonl");
    let verdicts = verdicts(&cases);
    for case in cases {
        let verdict = &verdicts[case["id"].as_str().unwrap()];
        let accepted = case["accept"].as_array().unwrap();
        assert!(accepted.iter().any(|own| own == verdict), "{case}: {verdict}");
    }
}

#[test]
fn every_benign_case_is_allowed() {
    let cases = cases("benign.jsonl");
    for (id, verdict) in verdicts(&cases) {
        assert_eq!(verdict, "allow", "{id}");
    }
}

#[test]
fn more_benign_cases_are_allowed() {
    let path = repository().join("../shared/corpus/benign-more.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return skip("there is no ../shared/corpus/benign-more.jsonl");
    };
    for (id, verdict) in verdicts(&lines(&text)) {
        assert_eq!(verdict, "allow", "{id}");
    }
}

#[test]
fn test_runs_case_files_folders_and_profiles() {
    let output = ringfence()
        .current_dir(repository())
        .arg("test")
        .args(["tests/corpus/attacks.jsonl", "tests/corpus/benign.jsonl", "tests/cases"])
        .args(
            std::fs::read_dir(repository().join("policies/profiles"))
                .unwrap()
                .map(|entry| entry.unwrap().path()),
        )
        .output()
        .unwrap();
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.lines().last().unwrap().contains(" passed, 0 failed"), "{said}");
}

#[test]
fn a_bad_line_is_denied_and_the_others_are_answered() {
    let input = "not json\n{\"id\": \"x\"}\n\
        {\"id\": \"y\", \"policy\": {\"alow\": []}, \"action\": {\"access\": \"fs:r:/x\"}}\n\
        {\"id\": \"z\", \"policy\": {\"allow\": [\"fs:r:**\"]}, \"action\": {\"access\": \"fs:r:/x\"}}\n";
    let output = run_with_input(ringfence().args(["check", "--jsonl"]), input.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let answers = stdout(&output);
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<&str> = answers.iter().map(|own| own["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["deny", "deny", "deny", "allow"]);
    assert!(answers[2]["error"].as_str().unwrap().contains("allow"), "names the nearest key");
}
