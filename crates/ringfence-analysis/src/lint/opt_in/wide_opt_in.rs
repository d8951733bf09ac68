//! L301: an opt-in that is wider than what it is needed for.

use ringfence_core::Pattern;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::rights;
use crate::lint::survey::{Entry, List, Survey};

pub(in crate::lint) const WIDE_OPT_IN: Code = Code {
    code: "L301",
    name: "wide-opt-in",
    severity: Severity::Warning,
    summary: "the opt-in takes in whole entries of the danger list, and more",
    explanation: "A broad pattern under `danger` lifts everything dangerous that it matches, also \
                  what is added to the danger list later. Name the entries that are needed.",
    example: r#"allow = ["cmd:git:*"]
danger = ["cmd:git:*"]"#,
    fixed: r#"allow = ["cmd:git:*"]
danger = ["cmd:git:push:*:--force"]"#,
};

/// How many narrower patterns a remedy names.
const NAMED: usize = 3;

pub(in crate::lint) fn wide_opt_in<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    if entry.list != List::OptIns || is_as_narrow(survey, entry) {
        return None;
    }
    let pattern = &entry.rule.pattern;
    let ops = rights::granted_ops(pattern);
    let dangers = survey.dangers().map(|danger| &danger.pattern);
    let dangers = dangers.filter(|danger| ops.iter().any(|op| rights::objects(danger, *op)));
    let lifted: Vec<&Pattern> =
        dangers.filter(|danger| survey.compare.includes(pattern, danger)).collect();
    if lifted.is_empty() {
        return None;
    }
    let message = match lifted.as_slice() {
        [one] => format!("`{pattern}` opts into more than `{one}`"),
        several => format!("`{pattern}` opts into {} dangers at once", several.len()),
    };
    let remedy = format!("name only what is needed: {}", listed(&lifted));
    Some(Finding::new(&WIDE_OPT_IN, entry, message, remedy))
}

/// Whether the danger list itself is nowhere narrower than the opt-in.
fn is_as_narrow<'a>(survey: &Survey<'a>, opt_in: &Entry<'a>) -> bool {
    let pattern = &opt_in.rule.pattern;
    let mut around = survey.dangers_around(opt_in);
    around.retain(|danger| survey.compare.includes(&danger.pattern, pattern));
    let mut ops = rights::granted_ops(pattern).into_iter();
    ops.all(|op| around.iter().any(|danger| rights::grants(&danger.pattern, op)))
}

fn listed(patterns: &[&Pattern]) -> String {
    let named = patterns.iter().take(NAMED).map(|pattern| format!("`{pattern}`"));
    let named = named.collect::<Vec<_>>().join(", ");
    match patterns.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} or one of {more} more"),
    }
}
