//! L002: an allow rule that an ask rule of the same document always turns into a question.

use ringfence_core::Effect;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::relation::outlasts;
use crate::lint::rights;
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const SHADOWED_ALLOW: Code = Code {
    code: "L002",
    name: "shadowed-allow",
    severity: Severity::Warning,
    summary: "an ask of the same document matches the same, so that it always asks",
    explanation: "Within a document an allow outranks an ask only if it is narrower. Where both \
                  match the same, the question stays. Profiles count as part of the document that \
                  extends them.",
    example: r#"allow = ["cmd:npm:install:*"]
ask = ["cmd:npm:install:*"]"#,
    fixed: r#"allow = ["cmd:npm:install:*"]
ask = ["cmd:npm:*"]"#,
};

pub(in crate::lint) fn shadowed_allow<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    if !entry.says(Effect::Allow) {
        return None;
    }
    let asks = survey.around(entry).filter(|other| other.says(Effect::Ask));
    let mut asks = asks.filter(|ask| ask.is_beside(entry));
    let ask = asks.find(|ask| {
        survey.is_worth_telling(entry, ask)
            && outlasts(ask.rule, entry.rule)
            && shadows(survey, ask, entry)
    })?;
    let (own, its) = (&entry.rule.pattern, &ask.rule.pattern);
    let message = format!("`{own}` is asked all the same: ask `{its}` matches all of it");
    let remedy = "remove one of the two, or make the allow narrower than the ask".to_owned();
    Some(Finding::new(&SHADOWED_ALLOW, entry, message, remedy).because_of(&ask.rule.origin))
}

fn shadows<'a>(survey: &Survey<'a>, ask: &Entry<'a>, allow: &Entry<'a>) -> bool {
    let compare = &survey.compare;
    let in_all = compare.includes(&ask.rule.pattern, &allow.rule.pattern)
        && compare.scope_includes(&ask.rule.scope, &allow.rule.scope);
    let mut ops = rights::granted_ops(&allow.rule.pattern).into_iter();
    in_all
        && ops.all(|op| {
            rights::grants(&ask.rule.pattern, op) && !compare.outranks(allow.rule, ask.rule, op)
        })
}
