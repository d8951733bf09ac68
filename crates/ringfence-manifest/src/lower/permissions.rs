//! `[permissions]`: rules on tools by name.

use ringfence_core::document::Stance;
use ringfence_core::pattern::NamePattern;
use ringfence_core::rule::ToolScope;
use ringfence_core::{Class, Document, Effect, Pattern, Role, Rule, Scope};

use super::block::default_effect;
use super::context::Context;
use super::tool_words;
use crate::de::Spanned;
use crate::raw::{Answer, RawPermissions};

pub(super) fn lower(cx: &mut Context<'_>, raw: Option<RawPermissions>, document: &mut Document) {
    let Some(raw) = raw else { return };
    for (name, answer) in raw.tools.into_iter().flat_map(|tools| tools.0) {
        document.rules.extend(rule(cx, effect(answer.value), &name));
    }
    let Some(default) = raw.default else { return };
    let effect = default_effect(default.value);
    document.stances.push(Stance { class: Class::Tool, scope: Scope::default() });
    match (document.role, effect) {
        // A ceiling denies what it does not list, so a milder default is a rule of its own.
        (Role::Ceiling, Effect::Ask) => {
            let any = Pattern::Tool(NamePattern::any());
            document.rules.push(cx.rule(Effect::Ask, any, default.span));
        }
        (Role::Ceiling, _) => {}
        _ => document.tool_default = Some(effect),
    }
}

/// A rule on a tool: on every tool of a kind, or on those of a name.
pub(super) fn rule(cx: &mut Context<'_>, effect: Effect, name: &Spanned<String>) -> Option<Rule> {
    match tool_words::kind(&name.value) {
        Some(kind) => {
            let rule = cx.rule(effect, Pattern::Tool(NamePattern::any()), name.span);
            let scope = Scope { tool: Some(ToolScope::Kind(kind)), ..Scope::default() };
            Some(Rule { scope, ..rule })
        }
        None => {
            let pattern = cx.pattern("tool:", name)?;
            Some(cx.rule(effect, pattern, name.span))
        }
    }
}

pub(super) fn effect(answer: Answer) -> Effect {
    match answer {
        Answer::Allow => Effect::Allow,
        Answer::Ask => Effect::Ask,
        Answer::Deny => Effect::Deny,
    }
}
