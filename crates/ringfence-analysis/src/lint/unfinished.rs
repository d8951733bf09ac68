//! L901: the policy is too large to compare every rule with every other.

use super::code::Code;
use super::finding::{Finding, Severity};
use super::survey::Survey;

pub(super) const UNFINISHED: Code = Code {
    code: "L901",
    name: "unfinished",
    severity: Severity::Info,
    summary: "not all rules were compared with each other",
    explanation: "Whether a rule can speak depends on all the others. A policy with very many \
                  rules of one kind would take too long to compare in full, so lint stops after a \
                  fixed number of comparisons; what it found until then holds.",
    example: r#"allow = ["cmd:git:*:--stat", "cmd:git:log:*:--stat"]"#,
    fixed: r#"allow = ["cmd:git:{log,diff}:*"]"#,
};

pub(super) fn unfinished(survey: &Survey<'_>) -> Option<Finding> {
    let first = survey.own_rules().next().filter(|_| survey.compare.gave_up())?;
    let limit = survey.options.max_comparisons;
    Some(Finding::new(
        &UNFINISHED,
        first,
        format!("more than {limit} comparisons would be needed, so some findings may be missing"),
        "write several rules as one with `{a,b}`, or lint the documents one by one".to_owned(),
    ))
}
