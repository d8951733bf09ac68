//! The corpus of lines with the commands that bash was seen to run for them.

use std::path::Path;

use ringfence_shell::list;
use serde_json::Value;

use super::json::listing;
use super::skip::skip;

#[test]
fn every_line_of_the_corpus_is_read_as_bash_reads_it() {
    compare(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/shell-parse.jsonl"),
        40,
    );
}

#[test]
fn every_line_of_the_shared_corpus_is_read_as_bash_reads_it() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/shell-parse-more.jsonl");
    if !path.exists() {
        return skip("there is no ../shared/corpus/shell-parse-more.jsonl");
    }
    compare(&path, 300);
}

fn compare(path: &Path, at_least: usize) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let found = listing(&list(case["line"].as_str().unwrap(), "/home/u"));
        count += 1;
        for field in ["commands", "compound_redirs", "syntax_error", "unsupported"] {
            if case.get(field) != found.get(field) {
                let wanted = case.get(field).unwrap_or(&Value::Null);
                let got = found.get(field).unwrap_or(&Value::Null);
                wrong.push(format!(
                    "{} {}\n  {field}\n  wanted {wanted}\n  got    {got}",
                    case["id"], case["line"]
                ));
            }
        }
    }
    assert!(count >= at_least, "only {count} lines in {}", path.display());
    assert!(wrong.is_empty(), "{} of {count} lines differ:\n{}", wrong.len(), wrong.join("\n"));
}
