//! L302: an opt-in to nothing.

use super::may_lift;
use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, List, Survey};

pub(in crate::lint) const IDLE_OPT_IN: Code = Code {
    code: "L302",
    name: "idle-opt-in",
    severity: Severity::Info,
    summary: "nothing on the danger list matches the opt-in",
    explanation: "`danger` lifts the danger list where it matches, and grants nothing by itself. \
                  What is not on the list needs no opt-in: an allow is enough.",
    example: r#"allow = ["cmd:git:*"]
danger = ["cmd:git:status:*"]"#,
    fixed: r#"allow = ["cmd:git:*"]
danger = ["cmd:git:push:*:--force"]"#,
};

pub(in crate::lint) fn idle_opt_in<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    if entry.list != List::OptIns || survey.options.dangers.is_empty() {
        return None;
    }
    let pattern = &entry.rule.pattern;
    let mut dangers = survey.dangers();
    if dangers.any(|danger| may_lift(&survey.compare, pattern, &danger.pattern)) {
        return None;
    }
    let message = format!("`{pattern}` opts into nothing: the danger list has no such entry");
    let remedy = "remove it from `danger`; `ringfence danger list` shows what is there".to_owned();
    Some(Finding::new(&IDLE_OPT_IN, entry, message, remedy))
}
