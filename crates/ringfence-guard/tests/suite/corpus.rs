//! Runs the corpus through the library.

use std::path::PathBuf;

use ringfence_core::Effect;
use ringfence_guard::case::{Case, Cases};
use serde_json::Value;

fn corpus(name: &str) -> Vec<Value> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../tests/corpus", name].iter().collect();
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn run(name: &str, right: impl Fn(&Case) -> Vec<Effect>) {
    let mut cases = Cases::default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for value in &corpus(name) {
        count += 1;
        let case = Case::read(value).unwrap();
        let guard = cases.guard(&case).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let judgement = guard.consider(&case.call);
        if !right(&case).contains(&judgement.verdict.effect) {
            wrong.push(format!("{} {}: {:#?}", case.id, value["action"], judgement.verdict));
        }
    }
    assert!(count > 0, "{name} has cases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_attack_is_stopped() {
    run("attacks.jsonl", |case| case.accept.iter().copied().collect());
}

#[test]
fn every_benign_case_is_allowed() {
    run("benign.jsonl", |_| vec![Effect::Allow]);
}

#[test]
fn every_attack_of_the_second_round_is_stopped() {
    run("attacks2.jsonl", |case| case.accept.iter().copied().collect());
}

#[test]
fn every_benign_case_of_the_second_round_is_allowed() {
    run("benign2.jsonl", |_| vec![Effect::Allow]);
}
