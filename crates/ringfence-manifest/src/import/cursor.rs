//! The permissions of Cursor's command line and editor.
//!
//! Source: Cursor's documentation on the permissions of its command line (`cli-config.json`,
//! `.cursor/cli.json`) and on `permissions.json`, as of August 2026. Its program is not published
//! as a package; what it does was not seen. Deny rules come before allow rules; what no rule names
//! is asked about.

use ringfence_core::Effect;
use ringfence_core::rule::ToolKind;

use super::commands::{self, Ending, Inexact};
use super::draft::{At, Draft, Of, texts};
use crate::node::Value;
use crate::text::Errors;

pub(super) fn read(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let tree = draft.tree()?;
    let Value::Table(_) = tree.value else {
        return Err(draft.refuse(tree.span, "is no configuration: it holds no object"));
    };
    let permissions = tree.get("permissions");
    for (rank, (key, effect)) in (1..).zip([("allow", Effect::Allow), ("deny", Effect::Deny)]) {
        let list = permissions.and_then(|permissions| permissions.get(key));
        for (text, span) in texts(list, |_| {}) {
            draft.rules = draft.rules.saturating_add(1);
            rule(draft, text.trim(), effect, At { span, rank });
        }
    }
    for (text, span) in texts(tree.get("terminalAllowlist"), |_| {}) {
        draft.rules = draft.rules.saturating_add(1);
        let at = At { span, rank: 1 };
        match commands::of_prefix(text) {
            Ok(pattern) => {
                draft.rule(Effect::Allow, &pattern, Of::All, at);
            }
            Err(reason) => draft.narrower(span, format!("not carried over: {reason}")),
        }
    }
    for (text, span) in texts(tree.get("mcpAllowlist"), |_| {}) {
        draft.rules = draft.rules.saturating_add(1);
        mcp(draft, text, Effect::Allow, At { span, rank: 1 });
    }
    if let Some(node) = tree.get("autoRun") {
        draft.narrower(node.span, "not carried over: instructions to a model are no rules");
    }
    super::commands_everywhere(draft, "`env`, `timeout`, `nice` and the like");
    Ok(())
}

fn rule(draft: &mut Draft<'_>, text: &str, effect: Effect, at: At) {
    let inner = text
        .split_once('(')
        .and_then(|(sort, rest)| Some((sort.trim(), rest.strip_suffix(')')?.trim())));
    match inner {
        Some(("Shell", inner)) => shell(draft, inner, effect, at),
        Some(("Read", path)) => file(draft, "r", path, effect, at),
        Some(("Write", path)) => file(draft, "w", path, effect, at),
        Some(("WebFetch", host)) => {
            super::fetch_from(draft, host, effect, at);
        }
        Some(("Mcp", inner)) => mcp(draft, inner, effect, at),
        _ => draft.lost(effect, at.span, "not carried over: it is no rule that is known"),
    }
}

/// `Shell(base)` or `Shell(base:arguments)`, both globs.
fn shell(draft: &mut Draft<'_>, inner: &str, effect: Effect, at: At) {
    let (text, ending) = match inner.split_once(':') {
        Some((base, arguments)) if arguments.trim() == "*" => (base.to_owned(), Ending::Open),
        Some((base, arguments)) => (format!("{base} {arguments}"), Ending::Exact),
        None => (inner.to_owned(), Ending::Open),
    };
    if inner.split(':').next().is_some_and(|base| base.contains('*') && base.trim() != "*") {
        return draft.lost(effect, at.span, "not carried over: a glob on the names of programs");
    }
    match commands::of_text(&text, effect, ending) {
        Ok(words) => {
            for pattern in &words.patterns {
                draft.rule(effect, pattern, Of::All, at);
            }
            match (words.inexact, effect) {
                (None, _) => {}
                (Some(Inexact::Less), Effect::Deny) => {
                    draft.wider(at.span, "a star inside quotes stays within that word");
                }
                _ => draft.narrower(at.span, "a star inside a word or quotes is read word by word"),
            }
        }
        Err(reason) => draft.lost(effect, at.span, format!("not carried over: {reason}")),
    }
}

fn file(draft: &mut Draft<'_>, rights: &str, path: &str, effect: Effect, at: At) {
    let base = if path.starts_with(['/', '~']) || path.starts_with("**") { "" } else { "@root/" };
    let path = match (path, effect) {
        // A star at the start is read below the project where it grants.
        (path, Effect::Allow) if path.starts_with("**") => format!("@root/{path}"),
        (path, _) => format!("{base}{path}"),
    };
    let of = if effect == Effect::Deny { Of::All } else { Of::Kind(ToolKind::File) };
    draft.rule(effect, &format!("fs:{rights}:{path}"), of, at);
    match (effect, rights) {
        (Effect::Allow, "w") => draft.wider(at.span, "allowing to write here allows to read"),
        (Effect::Deny, _) => {
            draft.narrower(at.span, "holds for every command, not only for file tools")
        }
        _ => {}
    }
}

fn mcp(draft: &mut Draft<'_>, inner: &str, effect: Effect, at: At) {
    let (server, tool) = inner.split_once(':').unwrap_or((inner, "*"));
    let pattern = format!("mcp:{}/{}", super::globs(server.trim()), super::globs(tool.trim()));
    draft.rule(effect, &pattern, Of::All, at);
}
