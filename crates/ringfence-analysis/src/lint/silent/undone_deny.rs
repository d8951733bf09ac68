//! L007: a deny of which its own exception leaves nothing.

use ringfence_core::Effect;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::spelling;
use crate::lint::survey::{Entry, List, Survey};

pub(in crate::lint) const UNDONE_DENY: Code = Code {
    code: "L007",
    name: "undone-deny",
    severity: Severity::Warning,
    summary: "an exception takes in everything that the rule denies",
    explanation: "An exception that is as broad as its rule undoes it: nothing that the rule \
                  names is denied any more.",
    example: r#"deny = [{ pattern = "fs:w:vendor/**", except = ["**"] }]"#,
    fixed: r#"deny = [{ pattern = "fs:w:vendor/**", except = ["vendor/ours/**"] }]"#,
};

pub(in crate::lint) fn undone_deny<'a>(survey: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let rule = match entry.list {
        List::Rules if entry.rule.effect == Effect::Deny => spelling::opened(&entry.rule.pattern),
        List::Dangers => entry.rule.pattern.clone(),
        List::Rules | List::OptIns => return None,
    };
    let mut excepts = entry.rule.except.iter();
    let except = excepts.find(|except| survey.compare.includes(except, &rule))?;
    let message = format!("`{}` denies nothing: `{except}` excepts all of it", entry.rule.pattern);
    let remedy = "narrow the exception, or remove the rule".to_owned();
    Some(Finding::new(&UNDONE_DENY, entry, message, remedy))
}
