//! L009, L010: rules that have ended, or soon will.

use ringfence_core::Effect;

use super::code::Code;
use super::finding::{Finding, Severity};
use super::survey::{Entry, List, Survey};

pub(super) const EXPIRED_RULE: Code = Code {
    code: "L009",
    name: "expired-rule",
    severity: Severity::Info,
    summary: "the rule's last day is over",
    explanation: "A rule with `until` holds up to and including that day. Afterwards it matches \
                  nothing, but it still gives its document a stance on the class. An expired deny \
                  is a warning: it no longer protects anything.",
    example: r#"allow = [{ pattern = "net:api.example.com", until = 2026-01-31 }]"#,
    fixed: r#"allow = [{ pattern = "net:api.example.com", until = 2030-01-31 }]"#,
};

pub(super) const EXPIRING_RULE: Code = Code {
    code: "L010",
    name: "expiring-rule",
    severity: Severity::Info,
    summary: "the rule's last day is near",
    explanation: "After its last day the rule matches nothing: what it allowed is refused or \
                  asked, what it denied is denied no longer.",
    example: r#"allow = [{ pattern = "net:api.example.com", until = 2026-06-05 }]"#,
    fixed: r#"allow = [{ pattern = "net:api.example.com", until = 2026-12-31 }]"#,
};

pub(super) fn expired<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let last = entry.rule.note.until.filter(|last| *last < survey.options.today)?;
    Some(finding(
        &EXPIRED_RULE,
        entry,
        format!("`{}` ended on {last}", entry.rule.pattern),
        "remove it, or give it a later `until`",
    ))
}

pub(super) fn expiring<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let last = entry.rule.note.until?;
    let days = last.unix_days().checked_sub(survey.options.today.unix_days())?;
    if days > survey.options.days_ahead {
        return None;
    }
    let when = match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days, on {last}"),
    };
    Some(finding(
        &EXPIRING_RULE,
        entry,
        format!("`{}` ends {when}", entry.rule.pattern),
        "give it a later `until` if it is still needed",
    ))
}

/// The end of what protects matters more than the end of what grants.
fn finding(code: &Code, entry: &Entry<'_>, message: String, remedy: &str) -> Finding {
    let protects = entry.says(Effect::Deny) || entry.list == List::Dangers;
    let severity = if protects { Severity::Warning } else { code.severity };
    Finding::new(code, entry, message, remedy.to_owned()).with_severity(severity)
}
