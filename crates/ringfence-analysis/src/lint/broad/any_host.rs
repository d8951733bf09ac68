//! L106: a grant of every host.

use ringfence_core::pattern::{NetTarget, Pattern};

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const ANY_HOST: Code = Code {
    code: "L106",
    name: "any-host",
    severity: Severity::Warning,
    summary: "the rule allows every public host",
    explanation: "Whatever an agent can read it can then send anywhere. Name the hosts that the \
                  work needs; registries have names (`net:@npm`, `net:@crates`).",
    example: r#"allow = ["net:*"]"#,
    fixed: r#"allow = ["net:*.github.com", "net:@npm"]"#,
};

pub(in crate::lint) fn any_host<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let Pattern::Net(net) = &entry.rule.pattern else {
        return None;
    };
    if !entry.is_open_grant() || net.target != NetTarget::Any {
        return None;
    }
    let message = format!("`{}` allows every public host", entry.rule.pattern);
    let remedy = "name the hosts: `net:*.github.com`, `net:@npm`; or ask for `net:*`".to_owned();
    Some(Finding::new(&ANY_HOST, entry, message, remedy))
}
