//! L006: an exception that takes nothing out of its rule.

use ringfence_core::Pattern;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::spelling;
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const IDLE_EXCEPTION: Code = Code {
    code: "L006",
    name: "idle-exception",
    severity: Severity::Warning,
    summary: "an exception matches nothing that the rule denies",
    explanation: "`except` narrows the rule in which it stands and grants nothing. An exception \
                  outside the rule changes nothing; what it names may still be denied elsewhere.",
    example: r#"deny = [{ pattern = "fs:r:**/.env*", except = ["**/env.example"] }]"#,
    fixed: r#"deny = [{ pattern = "fs:r:**/.env*", except = ["**/.env.example"] }]"#,
};

pub(in crate::lint) fn idle_exception<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    let rule = spelling::loosened(&spelling::opened(&entry.rule.pattern))?;
    let is_idle = |except: &&Pattern| {
        spelling::loosened(except).is_some_and(|except| !survey.compare.overlaps(&except, &rule))
    };
    let idle = entry.rule.except.iter().find(is_idle)?;
    let message = format!("`{idle}` excepts nothing of `{}`", entry.rule.pattern);
    let remedy = "remove the exception, or write it as the rule is written".to_owned();
    Some(Finding::new(&IDLE_EXCEPTION, entry, message, remedy))
}
