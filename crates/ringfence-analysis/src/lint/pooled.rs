//! L111: rules of the user's policy that a trusted project's rules add to.

use ringfence_core::{Document, Effect, Role, Rule};

use super::code::Code;
use super::finding::{Finding, Severity};
use super::survey::{Entry, Survey};

pub(super) const POOLED: Code = Code {
    code: "L111",
    name: "project-adds",
    severity: Severity::Warning,
    summary: "a trusted project allows more than the user's policy lists",
    explanation: "The rules of the user's policy and of a trusted project add up: what either \
                  allows is allowed. A list of the user's policy that is meant to be all that any \
                  project may do belongs into `ceiling`.",
    example: r#"allow = ["net:api.example.com"]"#,
    fixed: r#"allow = ["net:api.example.com"]
ceiling = ["net:api.example.com"]"#,
};

/// Finds the first rule of a class in the user's policy, if a project allows something of that class
/// which no rule of the policy takes in. Where the policy asks by default, that may well be meant.
pub(super) fn project_adds<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let own = entry.document;
    if own.role != Role::User || !entry.grants() || !is_first_of_class(own, entry) {
        return None;
    }
    let ceilings = survey.documents.iter().filter(|document| document.role == Role::Ceiling);
    let mut limits = ceilings.flat_map(|document| &document.rules);
    if limits.any(|rule| rule.pattern.class() == entry.class()) {
        return None;
    }
    let projects = survey.documents.iter().filter(|document| document.role == Role::Project);
    let allows = projects.flat_map(|document| &document.rules).filter(|rule| {
        rule.effect == Effect::Allow
            && rule.pattern.class() == entry.class()
            && !rule.origin.document.starts_with('@')
    });
    let beyond = allows.filter(|rule| !takes_in(survey, own, rule));
    let beyond = beyond.min_by_key(|rule| (rule.origin.line, rule.origin.column))?;
    let message = format!(
        "`{}` of a trusted project is allowed, although this policy does not list it",
        beyond.pattern
    );
    let remedy = "list what every project may do at most under `ceiling`".to_owned();
    let is_meant = own.default == Some(Effect::Ask);
    let severity = if is_meant { Severity::Info } else { Severity::Warning };
    Some(
        Finding::new(&POOLED, entry, message, remedy)
            .with_severity(severity)
            .because_of(&beyond.origin),
    )
}

fn is_first_of_class(own: &Document, entry: &Entry<'_>) -> bool {
    let same = own.rules.iter().filter(|rule| {
        rule.effect != Effect::Deny
            && rule.pattern.class() == entry.class()
            && !rule.origin.document.starts_with('@')
    });
    let first = same.min_by_key(|rule| (rule.origin.line, rule.origin.column));
    first.is_some_and(|first| std::ptr::eq(first, entry.rule))
}

fn takes_in(survey: &Survey<'_>, own: &Document, rule: &Rule) -> bool {
    let grants = own.rules.iter().filter(|own| own.effect != Effect::Deny);
    let mut grants = grants.filter(|own| own.pattern.class() == rule.pattern.class());
    grants.any(|own| survey.compare.grants_all(own, rule))
}
