//! L001: an allow or ask rule of which a deny leaves nothing.

use ringfence_core::Effect;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const DENIED_GRANT: Code = Code {
    code: "L001",
    name: "denied-grant",
    severity: Severity::Warning,
    summary: "a deny covers everything that the rule grants",
    explanation: "A deny outranks every allow and ask, however specific, in whichever document. \
                  What it covers completely can be removed, or the deny was meant to be narrower.",
    example: r#"allow = ["cmd:git:push:origin:*"]
deny = ["cmd:git:push"]"#,
    fixed: r#"allow = ["cmd:git:push:origin:*"]
deny = [{ pattern = "cmd:git:push", except = ["cmd:git:push:origin:*"] }]"#,
};

pub(in crate::lint) fn denied_grant<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    if !entry.grants() {
        return None;
    }
    let mut denies = survey.around(entry).filter(|other| other.says(Effect::Deny));
    let deny = denies.find(|deny| {
        survey.is_worth_telling(entry, deny)
            && holds_where(survey, deny, entry)
            && survey.compare.denies_all(deny.rule, entry.rule)
    })?;
    let (own, its) = (&entry.rule.pattern, &deny.rule.pattern);
    let message = format!("`{own}` never {}s anything: deny `{its}` covers it", entry.rule.effect);
    let remedy = format!("remove it, or except it in the deny at {}", deny.rule.origin);
    Some(Finding::new(&DENIED_GRANT, entry, message, remedy).because_of(&deny.rule.origin))
}

/// Whether the deny's document is in play wherever the entry is.
fn holds_where<'a>(survey: &Survey<'a>, deny: &Entry<'a>, entry: &Entry<'a>) -> bool {
    let scope = &deny.document.scope;
    deny.number == entry.number
        || survey.compare.scope_includes(scope, &entry.rule.scope)
        || survey.compare.scope_includes(scope, &entry.document.scope)
}
