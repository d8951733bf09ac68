//! L004: a rule that a broader one of the same effect makes redundant.

use ringfence_core::{Effect, Pattern, Rule};

use super::duplicate_rule::is_of_one_kind;
use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::rights::{self, Op};
use crate::lint::spelling;
use crate::lint::survey::{Entry, List, Survey};

pub(in crate::lint) const REDUNDANT_RULE: Code = Code {
    code: "L004",
    name: "redundant-rule",
    severity: Severity::Info,
    summary: "a broader rule of the same effect says all that it says",
    explanation: "Without the rule every verdict would be the same. A narrow allow that lifts an \
                  ask, or a narrow ask that an allow does not lift, is not redundant and not \
                  reported.",
    example: r#"allow = ["cmd:cargo:*", "cmd:cargo:test:*"]"#,
    fixed: r#"allow = ["cmd:cargo:test:*"]
ask = ["cmd:cargo:*"]"#,
};

pub(in crate::lint) fn redundant_rule<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    // Of a wide opt-in and a narrow one it is the wide one that should go.
    if entry.list == List::OptIns {
        return None;
    }
    let broader = survey.around(entry).filter(|other| is_of_one_kind(entry, other));
    let mut broader = broader.filter(|other| survey.may_replace(other, entry));
    let broader = broader.find(|other| {
        covers(survey, entry, other.rule, entry.rule)
            && !covers(survey, entry, entry.rule, other.rule)
            && !makes_a_difference(survey, entry, other)
    })?;
    let (own, its) = (&entry.rule.pattern, &broader.rule.pattern);
    let message = match own.to_string() == its.to_string() {
        true => format!("`{own}` says nothing that it does not say in a wider scope too"),
        false => format!("`{own}` says nothing that `{its}` does not say"),
    };
    let remedy = format!("remove it, or the broader one at {}", broader.rule.origin);
    Some(Finding::new(&REDUNDANT_RULE, entry, message, remedy).because_of(&broader.rule.origin))
}

/// Whether `two` takes in all of `one`, both being of the kind of the entry.
pub(super) fn covers(survey: &Survey<'_>, kind: &Entry<'_>, two: &Rule, one: &Rule) -> bool {
    if kind.list == List::Dangers {
        survey.compare.objects_all(two, one, Pattern::clone)
    } else if kind.says(Effect::Deny) {
        survey.compare.objects_all(two, one, spelling::opened)
    } else {
        survey.compare.grants_all(two, one)
    }
}

/// Whether the rule outranks, or escapes being outranked, where the broader one does not.
fn makes_a_difference<'a>(survey: &Survey<'a>, entry: &Entry<'a>, broader: &Entry<'a>) -> bool {
    let compare = &survey.compare;
    let (rule, broader) = (entry.rule, broader.rule);
    let ops = rights::granted_ops(&rule.pattern);
    let Some(others) = survey.beside(entry) else {
        return true;
    };
    let mut others = others.filter(|other| other.class() == entry.class());
    let is_lifted_by_it =
        |ask: &Rule, op: Op| compare.outranks(rule, ask, op) && !compare.outranks(broader, ask, op);
    let would_lift = |allow: &Rule, op: Op| {
        compare.outranks(allow, broader, op)
            && !compare.outranks(allow, rule, op)
            && compare.overlaps(&allow.pattern, &rule.pattern)
    };
    others.any(|other| {
        let mut ops = ops.iter().filter(|op| rights::grants(&other.rule.pattern, **op));
        match (entry.rule.effect, other.rule.effect) {
            (Effect::Allow, Effect::Ask) => ops.any(|op| is_lifted_by_it(other.rule, *op)),
            (Effect::Ask, Effect::Allow) => ops.any(|op| would_lift(other.rule, *op)),
            _ => false,
        }
    })
}
