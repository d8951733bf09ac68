//! L003: a rule that stands in its list already.

use ringfence_core::{Effect, Pattern, Rule};

use super::redundant_rule::covers;
use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, List, Survey};

pub(in crate::lint) const DUPLICATE_RULE: Code = Code {
    code: "L003",
    name: "duplicate-rule",
    severity: Severity::Info,
    summary: "another rule of the list says the same",
    explanation: "Two rules that match the same, with the same effect and in the same scope, say \
                  no more than one. Usually one of them was meant to be something else.",
    example: r#"allow = ["fs:r:docs/**", "fs:r:@root/docs/**"]"#,
    fixed: r#"allow = ["fs:r:docs/**", "fs:r:@root/notes/**"]"#,
};

pub(in crate::lint) fn duplicate_rule<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    let twins = survey.around(entry).filter(|other| is_of_one_kind(entry, other));
    let mut twins = twins.filter(|other| survey.may_replace(other, entry));
    let twin = twins.find(|twin| {
        let spares = |one: &Rule, two: &Rule| covers(survey, entry, two, one);
        // Of two that say the same, the first is the one that stays.
        let stays = twin.position < entry.position || !spares(twin.rule, entry.rule);
        stays && spares(entry.rule, twin.rule) && is_as_wide(survey, entry.rule, twin.rule)
    })?;
    let message = match entry.list {
        List::OptIns => format!("`{}` is opted into twice", entry.rule.pattern),
        List::Dangers => format!("`{}` is on the danger list twice", entry.rule.pattern),
        List::Rules => format!("`{}` has {} twice", entry.rule.pattern, entry.rule.effect),
    };
    let remedy = format!("remove it, or the one at {}", twin.rule.origin);
    Some(Finding::new(&DUPLICATE_RULE, entry, message, remedy).because_of(&twin.rule.origin))
}

/// Whether both say the same thing about what they match.
pub(super) fn is_of_one_kind(one: &Entry<'_>, two: &Entry<'_>) -> bool {
    let same_effect = Effect::ALL.into_iter().any(|effect| one.says(effect) && two.says(effect));
    one.is_beside(two) && (one.list != List::Rules || same_effect)
}

/// Whether the one takes in all of the other, its last day aside.
fn is_as_wide(survey: &Survey<'_>, one: &Rule, two: &Rule) -> bool {
    let rights = |rule: &Rule| match &rule.pattern {
        Pattern::File(rights, _) => Some(*rights),
        _ => None,
    };
    // `fs:rw` grants no more than `fs:w`, but names reading, and so outranks what only implies it.
    rights(one) == rights(two)
        && survey.compare.includes(&one.pattern, &two.pattern)
        && survey.compare.scope_includes(&one.scope, &two.scope)
}
