//! The policies in `tests/corpus/` are documents.

use std::collections::HashSet;

use ringfence_manifest::Format;

use super::support::{load, shared};

#[test]
fn every_policy_of_the_corpus_loads() {
    for file in ["attacks.jsonl", "benign.jsonl", "benign-more.jsonl"] {
        let Some(cases) = shared(&format!("corpus/{file}")) else { continue };
        let mut seen = HashSet::new();
        for case in cases.lines() {
            let case: serde_json::Value = serde_json::from_str(case).unwrap();
            let Some(policy) = case.get("policy") else { continue };
            if seen.insert(policy.to_string()) {
                let loaded = load(Format::Json, &policy.to_string());
                assert!(loaded.document.danger.is_some(), "{policy}");
            }
        }
        assert!(!seen.is_empty(), "{file}");
    }
}
