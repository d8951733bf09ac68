//! Runs the case folders through the library.
//!
//! A folder with `requests.jsonl` contains one policy, in one or more formats, and the expected
//! verdict of each request.

use std::path::{Path, PathBuf};

use ringfence_guard::case::{Case, Cases, PolicyText};
use ringfence_manifest::Format;
use serde_json::Value;

#[test]
fn every_case_folder_comes_out_as_it_says() {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../tests/cases"].iter().collect();
    let mut run = Run::default();
    run.folder(&root);
    assert!(run.decided > 0, "{} has cases", root.display());
    let wrong = run.wrong.len();
    assert!(wrong == 0, "{wrong} of {} are wrong:\n{}", run.decided, run.wrong.join("\n"));
}

/// A folder may contain folders, a policy in some format, and its requests.
#[test]
fn case_folders_hold_a_policy_and_its_requests_and_nothing_else() {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../tests/cases"].iter().collect();
    let mut open = vec![root];
    while let Some(folder) = open.pop() {
        for entry in entries(&folder) {
            let name = entry.file_name().unwrap().to_string_lossy().into_owned();
            let known = entry.is_dir() || name == "requests.jsonl" || is_policy(&entry);
            assert!(known, "{} belongs to no case", entry.display());
            if entry.is_dir() {
                open.push(entry);
            }
        }
    }
}

#[derive(Default)]
struct Run {
    cases: Cases,
    decided: usize,
    wrong: Vec<String>,
}

impl Run {
    fn folder(&mut self, folder: &Path) {
        let inside = entries(folder);
        let requests = folder.join("requests.jsonl");
        if requests.is_file() {
            let policies: Vec<&PathBuf> = inside.iter().filter(|path| is_policy(path)).collect();
            assert!(!policies.is_empty(), "{} has no policy", folder.display());
            for policy in policies {
                self.requests(&requests, policy);
            }
        }
        inside.iter().filter(|path| path.is_dir()).for_each(|path| self.folder(path));
    }

    fn requests(&mut self, requests: &Path, policy: &Path) {
        let policy = PolicyText {
            name: policy.display().to_string(),
            format: Format::of_path(policy).unwrap(),
            text: std::fs::read_to_string(policy).unwrap(),
            location: None,
        };
        for (line, number) in std::fs::read_to_string(requests).unwrap().lines().zip(1..) {
            let request: Value = serde_json::from_str(line).unwrap();
            let case = Case::read_for(&request, policy.clone());
            let mismatch = match case {
                Ok(case) => self.cases.mismatch(&case),
                Err(error) => Some(error),
            };
            self.decided = self.decided.saturating_add(1);
            let place = format!("{}:{number} by {}", requests.display(), policy.name);
            self.wrong.extend(mismatch.map(|mismatch| format!("{place}: {mismatch}")));
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn is_policy(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "policy") && Format::of_path(path).is_some()
}
