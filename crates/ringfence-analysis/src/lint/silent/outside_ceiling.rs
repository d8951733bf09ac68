//! L005: an allow or ask rule of which a ceiling leaves nothing.

use ringfence_core::pattern::McpItemKind;
use ringfence_core::{Document, Effect, Pattern, Role, Rule, Scope};

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::rights;
use crate::lint::survey::{Entry, Survey, may_grant};

pub(in crate::lint) const OUTSIDE_CEILING: Code = Code {
    code: "L005",
    name: "outside-ceiling",
    severity: Severity::Warning,
    summary: "no rule of a ceiling lets it through",
    explanation: "A ceiling with a rule on a class denies everything in that class that it does \
                  not list, whoever grants it.",
    example: r#"allow = ["net:api.example.com"]
ceiling = ["net:*.acme.example"]"#,
    fixed: r#"allow = ["net:api.acme.example"]
ceiling = ["net:*.acme.example"]"#,
};

pub(in crate::lint) fn outside_ceiling<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    if !entry.grants() || !may_grant(entry.document.role) {
        return None;
    }
    let ceilings = survey.documents.iter().filter(|document| document.role == Role::Ceiling);
    let mut ceilings = ceilings.filter(|ceiling| survey.binds(ceiling, entry));
    let ceiling = ceilings.find(|ceiling| {
        let mut grants = of_class(ceiling, entry).peekable();
        has_stance(survey, ceiling, entry)
            && !grants.any(|rule| lets_through(survey, rule, entry.rule))
    })?;
    let message = format!(
        "`{}` never {}s anything: no rule of the ceiling matches any of it",
        entry.rule.pattern, entry.rule.effect
    );
    let remedy = "remove it, or list it in the ceiling as well".to_owned();
    let finding = Finding::new(&OUTSIDE_CEILING, entry, message, remedy);
    Some(match of_class(ceiling, entry).next() {
        Some(rule) => finding.because_of(&rule.origin),
        None => finding,
    })
}

fn of_class<'d>(ceiling: &'d Document, entry: &Entry<'_>) -> impl Iterator<Item = &'d Rule> {
    let class = entry.class();
    let grants = ceiling.rules.iter().filter(|rule| rule.effect != Effect::Deny);
    grants.filter(move |rule| rule.pattern.class() == class)
}

/// Whether the ceiling speaks on the entry's class wherever the entry holds.
fn has_stance(survey: &Survey<'_>, ceiling: &Document, entry: &Entry<'_>) -> bool {
    let takes_in = |scope: &Scope| survey.compare.scope_includes(scope, &entry.rule.scope);
    let mut stated = ceiling.stances.iter().filter(|stance| stance.class == entry.class());
    takes_in(&ceiling.scope)
        && (stated.any(|stance| takes_in(&stance.scope))
            || of_class(ceiling, entry).any(|rule| speaks_of(rule, entry) && takes_in(&rule.scope)))
}

/// A rule on tools of MCP servers gives no stance on other tools.
fn speaks_of(ceiling: &Rule, entry: &Entry<'_>) -> bool {
    let is_tool = |pattern: &Pattern| match pattern {
        Pattern::Mcp(mcp) => mcp.sort == McpItemKind::Tool,
        _ => false,
    };
    !matches!(ceiling.pattern, Pattern::Mcp(_)) || is_tool(&entry.rule.pattern)
}

fn lets_through(survey: &Survey<'_>, ceiling: &Rule, rule: &Rule) -> bool {
    let mut ops = rights::granted_ops(&rule.pattern).into_iter();
    ops.any(|op| rights::grants(&ceiling.pattern, op))
        && survey.compare.overlaps(&ceiling.pattern, &rule.pattern)
}
