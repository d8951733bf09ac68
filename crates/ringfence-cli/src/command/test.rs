//! `ringfence test`: runs `[[test]]` blocks, case files and case folders.
//!
//! Cases are decided in a described world, so that they decide the same on every machine. A case
//! folder holds a policy and `requests.jsonl`.

use std::path::{Path, PathBuf};

use ringfence_core::Role;
use ringfence_guard::case::{Case, Cases, PolicyText};
use ringfence_guard::world::read_policy;
use ringfence_manifest::Format;
use serde_json::Value;

use crate::args::TestArgs;
use crate::door::{absolute, document_failure};
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &TestArgs) -> Result<Exit, Failure> {
    let mut runner = Runner { skip_areas: &args.skip_area, ..Runner::default() };
    for path in &args.files {
        runner.path(path)?;
    }
    let Runner { passed, failed, skipped, .. } = runner;
    let total = passed.saturating_add(failed);
    if total == 0 {
        show::say("note: there was nothing to test");
    }
    match skipped {
        0 => show::print(&format!("{passed} passed, {failed} failed")),
        _ => show::print(&format!("{passed} passed, {failed} failed, {skipped} skipped")),
    }
    Ok(if failed == 0 && total > 0 { Exit::Allow } else { Exit::Failed })
}

#[derive(Default)]
struct Runner<'a> {
    cases: Cases,
    skip_areas: &'a [String],
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Runner<'_> {
    fn path(&mut self, path: &Path) -> Result<(), Failure> {
        if path.is_dir() {
            return self.folder(path);
        }
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            return self.case_file(path, None);
        }
        self.policy(path)
    }

    fn folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
            .map_err(|error| cannot_read(folder, &error))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        entries.sort();
        let requests = folder.join("requests.jsonl");
        if requests.is_file() {
            let is_policy = |path: &&PathBuf| {
                path.file_stem().is_some_and(|stem| stem == "policy") && format_of(path).is_some()
            };
            let policies: Vec<&PathBuf> = entries.iter().filter(is_policy).collect();
            if policies.is_empty() {
                return Err(Failure::new(format!("{} has no policy", folder.display())));
            }
            for policy in policies {
                self.case_file(&requests, Some(policy_text(policy)?))?;
            }
        }
        entries.iter().filter(|path| path.is_dir()).try_for_each(|path| self.folder(path))
    }

    fn case_file(&mut self, path: &Path, policy: Option<PolicyText>) -> Result<(), Failure> {
        for (number, line) in read(path)?.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let place = format!("{}:{}", path.display(), number.saturating_add(1));
            let value: Result<Value, String> =
                serde_json::from_str(line).map_err(|error| error.to_string());
            let area = value.as_ref().ok().and_then(|value| value.get("area")?.as_str());
            if area.is_some_and(|area| self.skip_areas.iter().any(|skip| skip == area)) {
                self.skipped = self.skipped.saturating_add(1);
                continue;
            }
            let case = value.and_then(|value| match &policy {
                Some(policy) => Case::read_for(&value, policy.clone()),
                None => Case::read(&value),
            });
            self.count(&place, case);
        }
        Ok(())
    }

    fn policy(&mut self, path: &Path) -> Result<(), Failure> {
        let policy = policy_text(path)?;
        let location = absolute(path)?;
        let read = read_policy(&location, &policy.name, Role::Named)
            .map_err(|error| document_failure(&error))?;
        for test in &read.loaded.tests {
            let place = test.origin.to_string();
            self.count(&place, Ok(Case::of_test(test, policy.clone())));
        }
        Ok(())
    }

    fn count(&mut self, place: &str, case: Result<Case, String>) {
        let mismatch = match &case {
            Ok(case) => self.cases.mismatch(case),
            Err(error) => Some(error.clone()),
        };
        match mismatch {
            None => self.passed = self.passed.saturating_add(1),
            Some(mismatch) => {
                self.failed = self.failed.saturating_add(1);
                let id = case.ok().and_then(|case| case.id.as_str().map(str::to_owned));
                let name = id.filter(|id| id != place).map(|id| format!("{id}: "));
                show::print(&format!("{place}: {}{mismatch}", name.unwrap_or_default()));
            }
        }
    }
}

pub(crate) fn policy_text(path: &Path) -> Result<PolicyText, Failure> {
    let format = format_of(path).ok_or_else(|| {
        Failure::new(format!("{} is neither a policy nor a case file", path.display()))
            .hint("policies end in .toml, .yaml, .json or .jsonc, case files in .jsonl")
    })?;
    Ok(PolicyText {
        name: path.display().to_string(),
        format,
        text: read(path)?,
        location: Some(absolute(path)?),
    })
}

fn format_of(path: &Path) -> Option<Format> {
    Format::of_path(path)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| cannot_read(path, &error))
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {error}", path.display()))
}
