//! L110: a grant that starts with `**` and so holds everywhere, not only in the project.

use ringfence_core::pattern::{Base, Component, PathAlternative, PathPattern, Pattern};

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::rights;
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const FLOATING_PATH: Code = Code {
    code: "L110",
    name: "floating-path",
    severity: Severity::Warning,
    summary: "the path starts with `**`, so that it matches all over the machine",
    explanation: "A path is relative to the project unless it says otherwise; a leading `**` says \
                  otherwise: it stands for any directory of the machine. In a deny that is what \
                  is wanted, in an allow it seldom is. Reading is reported as info.",
    example: r#"allow = ["fs:w:**/dist/**"]"#,
    fixed: r#"allow = ["fs:w:@root/**/dist/**"]"#,
};

pub(in crate::lint) fn floating_path<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let Pattern::File(rights, path) = &entry.rule.pattern else {
        return None;
    };
    if !entry.is_open_grant() || !path.alternatives().iter().any(floats) {
        return None;
    }
    let own = &entry.rule.pattern;
    let message = format!("`{own}` matches in every directory of the machine");
    let text = path.to_string();
    let anchored = text.starts_with("**").then(|| PathPattern::parse(&format!("@root/{text}")));
    let remedy = match anchored.and_then(Result::ok) {
        Some(path) => format!("write `{}` for the project alone", Pattern::File(*rights, path)),
        None => "start it with `@root/` for the project alone".to_owned(),
    };
    let replaces = rights::granted_ops(own).iter().any(rights::replaces);
    let severity = if replaces { Severity::Warning } else { Severity::Info };
    Some(Finding::new(&FLOATING_PATH, entry, message, remedy).with_severity(severity))
}

/// Whether the pattern starts anywhere and names something further down.
fn floats(alternative: &PathAlternative) -> bool {
    alternative.base == Base::Slash
        && alternative.components.first() == Some(&Component::Deep)
        && alternative.components.len() > 1
}
