//! `ringfence lint`: rules that do not do what they seem to, and tests that fail.

use std::path::Path;

use ringfence_analysis::{Finding, LintOptions, Severity};
use ringfence_core::{Document, Effect, Role};
use ringfence_guard::case::failing_tests;
use ringfence_guard::world::{Documents, RealHost, read_policy};
use ringfence_manifest::{Loaded, builtin};
use serde_json::{Value, json};

use super::test::policy_text;
use crate::args::LintArgs;
use crate::door::{absolute, document_failure, surroundings};
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &LintArgs) -> Result<Exit, Failure> {
    if let Some(word) = &args.explain {
        return explain(word);
    }
    let host = RealHost::new();
    let here = surroundings(&host)?;
    let dangers = builtin::danger_rules();
    let options = LintOptions::new(here.context.today, &dangers);
    let mut found: Vec<Finding> = Vec::new();
    let mut failing: Vec<String> = Vec::new();
    if args.files.is_empty() {
        let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
        let documents = Documents::find(&places, &[]).map_err(|error| document_failure(&error))?;
        found.extend(of_files(ringfence_analysis::lint(&documents.documents, &options)));
    }
    for path in &args.files {
        let (documents, mismatches) = read(path)?;
        found.extend(of_files(ringfence_analysis::lint(&documents, &options)));
        failing.extend(mismatches);
    }
    if args.json {
        let found: Vec<Value> = found.iter().map(finding_json).collect();
        show::print(&json!({ "findings": found, "failing_tests": failing }).to_string());
    } else {
        found.iter().for_each(print_finding);
        failing.iter().for_each(|mismatch| show::print(&format!("{mismatch} [test]")));
        if found.is_empty() && failing.is_empty() {
            show::print("no findings");
        }
    }
    let serious = found.iter().any(|finding| finding.severity == Severity::Warning);
    Ok(if serious || !failing.is_empty() { Exit::Failed } else { Exit::Allow })
}

fn read(path: &Path) -> Result<(Vec<Document>, Vec<String>), Failure> {
    let policy = policy_text(path)?;
    let read = read_policy(&absolute(path)?, &policy.name, Role::Named)
        .map_err(|error| document_failure(&error))?;
    let Loaded { document, ceilings, tests, warnings, .. } = read.loaded;
    for warning in warnings {
        show::say(&warning.to_string());
    }
    let mismatches = failing_tests(&tests, &policy);
    Ok((std::iter::once(document).chain(ceilings).collect(), mismatches))
}

/// What profiles say is not for the reader of a file to change.
fn of_files(findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    findings.into_iter().filter(|finding| !finding.origin.document.starts_with('@'))
}

fn print_finding(finding: &Finding) {
    let style = match finding.severity {
        Severity::Warning => show::style(Effect::Ask),
        Severity::Info => show::QUIET,
    };
    let Finding { code, name, severity, message, origin, remedy, related, .. } = finding;
    let place = format!("{}:{}:{}", origin.document, origin.line, origin.column);
    let quiet = show::QUIET;
    show::print(&format!(
        "{place}: {style}{severity}{style:#}: {message} {quiet}[{code} {name}]{quiet:#}"
    ));
    if let Some(related) = related {
        show::print(&format!("  {quiet}see{quiet:#}     {related}"));
    }
    show::print(&format!("  {quiet}remedy{quiet:#}  {remedy}"));
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.as_str(),
        "message": finding.message,
        "document": &*finding.origin.document,
        "line": finding.origin.line,
        "column": finding.origin.column,
        "remedy": finding.remedy,
        "related": finding.related.as_ref().map(ToString::to_string),
    })
}

fn explain(word: &str) -> Result<Exit, Failure> {
    let Some(code) = ringfence_analysis::code(word) else {
        let known: Vec<&str> = ringfence_analysis::CODES.iter().map(|code| code.code).collect();
        return Err(Failure::new(format!("`{word}` is no code of a finding"))
            .hint(format!("one of {}", known.join(", "))));
    };
    show::print(&format!("{} {}: {}\n\n{}", code.code, code.name, code.summary, code.explanation));
    show::print(&format!("\nFound in:\n\n{}\n\nSet right:\n\n{}", code.example, code.fixed));
    Ok(Exit::Allow)
}
