//! L109: a grant of every tool.

use ringfence_core::Pattern;

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const ANY_TOOL: Code = Code {
    code: "L109",
    name: "any-tool",
    severity: Severity::Warning,
    summary: "the rule allows every tool of every server",
    explanation: "A server that is added later, and a tool that a server adds later, is granted \
                  with it. Name the servers.",
    example: r#"allow = ["mcp:*/*"]"#,
    fixed: r#"allow = ["mcp:github/*"]"#,
};

pub(in crate::lint) fn any_tool<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let is_any = match &entry.rule.pattern {
        Pattern::Tool(name) => name.is_any(),
        Pattern::Mcp(mcp) => mcp.server.is_any() && mcp.item.is_any(),
        _ => false,
    };
    // A rule for one tool is what `enabled = true` in that tool's table means.
    if !is_any || entry.rule.scope.tool.is_some() || !entry.is_open_grant() {
        return None;
    }
    let message = format!("`{}` allows every tool of every server", entry.rule.pattern);
    let remedy = "name the servers: `mcp:github/*`".to_owned();
    Some(Finding::new(&ANY_TOOL, entry, message, remedy))
}
