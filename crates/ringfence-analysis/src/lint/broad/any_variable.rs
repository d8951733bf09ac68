//! L108: a grant of every variable.

use ringfence_core::Pattern;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const ANY_VARIABLE: Code = Code {
    code: "L108",
    name: "any-variable",
    severity: Severity::Warning,
    summary: "the rule allows every variable",
    explanation: "Tokens and passwords are often kept in variables, and some variables change \
                  what programs do. Name those that are needed.",
    example: r#"allow = ["env:*"]"#,
    fixed: r#"allow = ["env:CARGO_*", "env:RUST_LOG"]"#,
};

pub(in crate::lint) fn any_variable<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let Pattern::Env(name) = &entry.rule.pattern else {
        return None;
    };
    if !entry.is_open_grant() || !name.is_any() {
        return None;
    }
    let message = format!("`{}` allows every variable, tokens included", entry.rule.pattern);
    let remedy = "name the variables: `env:RUST_LOG`, `env:CARGO_*`".to_owned();
    Some(Finding::new(&ANY_VARIABLE, entry, message, remedy))
}
