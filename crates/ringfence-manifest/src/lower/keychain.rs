//! `[keychain]`.

use ringfence_core::pattern::Glob;
use ringfence_core::{Document, Effect, Rule};

use super::context::Context;
use crate::de::Spanned;
use crate::raw::RawKeychain;
use crate::text::Fault;

/// What stands for the project's name in patterns.
const PLACEHOLDER: &str = "{projectname}";

pub(super) fn lower(cx: &mut Context<'_>, raw: Option<RawKeychain>, document: &mut Document) {
    let Some(raw) = raw else { return };
    let project = raw.projectname.filter(|name| {
        let usable = !name.value.trim().is_empty() && !name.value.contains('/');
        if !usable {
            cx.fault(Fault::new(name.span, "is no name for a project"));
        }
        usable
    });
    if let (Some(name), true) = (&project, cx.of_agent) {
        cx.misplaced(name.span, "projectname", "cannot be said of one agent");
    }
    let name = project.as_ref().map(|name| name.value.as_str());
    let lists = [(Effect::Allow, &raw.allow), (Effect::Deny, &raw.deny)];
    for (effect, entries) in lists {
        let rules = entries.iter().filter_map(|entry| rule(cx, effect, entry, name));
        document.rules.extend(rules);
    }
    document.settings.projectname = project.map(|name| name.value);
}

fn rule(
    cx: &mut Context<'_>,
    effect: Effect,
    entry: &Spanned<String>,
    project: Option<&str>,
) -> Option<Rule> {
    let value = match project {
        // The name is a name, whatever characters it has.
        Some(name) => entry.value.replace(PLACEHOLDER, &Glob::literal(name).to_string()),
        None if entry.value.contains(PLACEHOLDER) => {
            let fault = Fault::new(entry.span, "names a project, and none is given");
            cx.fault(fault.hint("set `projectname`"));
            return None;
        }
        None => entry.value.clone(),
    };
    let pattern = cx.pattern("keychain:", &Spanned { value, span: entry.span })?;
    Some(cx.rule(effect, pattern, entry.span))
}
