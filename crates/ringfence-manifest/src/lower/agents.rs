//! `[agents.NAME]`: ceilings for one agent.

use ringfence_core::pattern::NamePattern;
use ringfence_core::{Document, Role, Rule, Scope};

use super::block;
use super::context::Context;
use crate::raw::{Names, RawAgent};
use crate::text::Fault;

pub(super) fn lower(cx: &mut Context<'_>, agents: Names<RawAgent>) -> Vec<Document> {
    let role = std::mem::replace(&mut cx.role, Role::Ceiling);
    cx.of_agent = true;
    let mut ceilings = Vec::new();
    for (name, agent) in agents.0 {
        let Some(pattern) = cx.parsed(&name, NamePattern::parse) else { continue };
        if let Some(default) = &agent.default {
            let message = "a ceiling denies what it does not list, so `default` has no effect here";
            cx.warn(Fault::new(default.span, message).hint("leave it out"));
        }
        let lowered = block::lower(cx, agent.into());
        let mut own = lowered.document;
        own.name = cx.name(&format!("[agents.{}]", name.value));
        for mut ceiling in std::iter::once(own).chain(lowered.ceilings) {
            bind(&mut ceiling, &pattern);
            ceilings.push(ceiling);
        }
    }
    cx.role = role;
    cx.of_agent = false;
    ceilings
}

/// Makes a document and all that it says hold for one agent alone.
fn bind(document: &mut Document, agent: &NamePattern) {
    let bind = |scope: &mut Scope| scope.agent = Some(agent.clone());
    bind(&mut document.scope);
    document.stances.iter_mut().for_each(|stance| bind(&mut stance.scope));
    let lists: [&mut Vec<Rule>; 3] =
        [&mut document.rules, &mut document.dangerous, &mut document.fallback];
    let rules = lists.into_iter().flatten().chain(document.danger.iter_mut().flatten());
    rules.for_each(|rule| bind(&mut rule.scope));
}
