//! Lint: rules that do not do what their author probably means.
//!
//! Every finding is about one rule that a person wrote, and says what to write instead. Rules of
//! built-in profiles are taken into account but never reported: nobody can change them.

mod beginnings;
mod broad;
mod code;
mod compare;
mod exact;
mod finding;
mod opt_in;
mod pooled;
mod relation;
mod rights;
mod silent;
mod spelling;
mod survey;
mod time;
mod unfinished;
mod witness;

pub use code::{CODES, Code, code};
pub use finding::{Finding, Severity};

use compare::Compare;
use ringfence_core::{Date, Document, Rule};
use survey::{Entry, Survey};

/// What lint must know apart from the documents.
#[derive(Debug, Clone)]
pub struct LintOptions<'a> {
    /// The day it is.
    pub today: Date,
    /// The danger list to which documents may opt in; without one, opt-ins are not looked at.
    pub dangers: &'a [Rule],
    /// How many days ahead a rule is about to expire.
    pub days_ahead: u32,
    /// How many pairs of patterns are compared before giving up, which is a finding itself.
    pub max_comparisons: u32,
}

impl<'a> LintOptions<'a> {
    /// The usual options: two weeks ahead, and as many comparisons as take seconds.
    pub fn new(today: Date, dangers: &'a [Rule]) -> LintOptions<'a> {
        LintOptions { today, dangers, days_ahead: 14, max_comparisons: 200_000 }
    }
}

/// A question about one rule.
type Check = for<'a> fn(&Survey<'a>, &Entry<'a>) -> Option<Finding>;

/// Reasons why a rule never speaks: the first one that is found is enough.
const SILENT: [Check; 10] = [
    time::expired,
    silent::duplicate_rule,
    silent::denied_grant,
    silent::shadowed_allow,
    silent::outside_ceiling,
    silent::dangerous_grant,
    silent::undone_deny,
    silent::redundant_rule,
    opt_in::idle_opt_in,
    opt_in::unshared_opt_in,
];

/// What is worth saying about a rule that does speak.
const SPEAKING: [Check; 17] = [
    time::expiring,
    silent::idle_exception,
    broad::any_program,
    broad::broad_program,
    broad::privileged_program,
    broad::broad_write,
    broad::broad_read,
    broad::any_host,
    broad::shared_domain,
    broad::any_variable,
    broad::any_tool,
    broad::floating_path,
    exact::exact_command,
    exact::exact_directory,
    exact::one_level_deny,
    opt_in::wide_opt_in,
    pooled::project_adds,
];

/// Everything that is worth saying about the rules of these documents, in the order of their
/// places.
pub fn lint(documents: &[Document], options: &LintOptions<'_>) -> Vec<Finding> {
    let survey = Survey::new(documents, options);
    let mut findings: Vec<Finding> =
        survey.own_rules().flat_map(|entry| about(&survey, entry)).collect();
    findings.extend(unfinished::unfinished(&survey));
    // One statement may be read into several documents; what it is told, it is told once.
    let key = |finding: &Finding| (finding.origin.clone(), finding.code, finding.message.clone());
    findings.sort_by_cached_key(key);
    findings.dedup_by(|next, last| key(next) == key(last));
    findings
}

/// Returns whether an allow rule outranks an ask rule on some access that both match.
pub(crate) fn outranks(allow: &Rule, ask: &Rule) -> bool {
    let compare = Compare::new(u32::MAX);
    let both = rights::granted_ops(&allow.pattern);
    let mut both = both.into_iter().filter(|op| rights::grants(&ask.pattern, *op));
    both.any(|op| compare.outranks(allow, ask, op))
        && compare.overlaps(&allow.pattern, &ask.pattern)
        && allow.pattern.class() == ask.pattern.class()
}

fn about<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Vec<Finding> {
    if let Some(finding) = SILENT.iter().find_map(|check| check(survey, entry)) {
        return vec![finding];
    }
    SPEAKING.iter().filter_map(|check| check(survey, entry)).collect()
}

#[cfg(test)]
mod testing;
#[cfg(test)]
#[path = "lint/lint_tests.rs"]
mod tests;
