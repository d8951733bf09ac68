//! `permission` in the configuration of opencode.
//!
//! Source: packages `opencode-ai` 1.18.33 and `@opencode-ai/sdk` 1.19.3, and its documentation on
//! permissions. A rule is a permission, a pattern and an action; the last that matches decides.
//! `*` takes anything, slashes and blanks too; ` *` at the end of a command is optional.

use ringfence_core::Effect;
use ringfence_core::rule::ToolKind;

use super::commands::{self, Ending, Inexact};
use super::difference::Way;
use super::draft::{At, Draft, Of};
use super::paths;
use crate::node::{Entry, Node, Value};
use crate::text::Errors;

/// Permissions whose patterns are paths, with the rights that they mean.
const FILES: [(&str, &str); 5] =
    [("read", "r"), ("edit", "w"), ("glob", "r"), ("grep", "r"), ("list", "r")];

pub(super) fn read(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let tree = draft.tree()?;
    let Value::Table(_) = tree.value else {
        return Err(draft.refuse(tree.span, "is no configuration: it holds no object"));
    };
    without_rules(draft);
    let mut rank = 10;
    if let Some(permission) = tree.get("permission") {
        match &permission.value {
            Value::Text(_) => {
                let at = At { span: permission.span, rank };
                one(draft, "*", "*", action(draft, permission)?, at);
            }
            Value::Table(entries) => {
                for entry in entries {
                    permissions(draft, entry, &mut rank)?;
                }
            }
            _ => return Err(draft.refuse(permission.span, "is no permission: a word or an object")),
        }
    }
    for (key, what) in [("agent", "agents"), ("mode", "modes"), ("tools", "the old form")] {
        if let Some(node) = tree.get(key) {
            draft.wider(node.span, format!("not carried over: the permissions of {what}"));
        }
    }
    super::commands_everywhere(draft, "`env`, `timeout`, `nice` and the like");
    draft.everywhere(
        Way::Wider,
        "paths outside the project that a command names are not asked about for themselves",
    );
    Ok(())
}

/// What opencode does where no rule says anything.
fn without_rules(draft: &mut Draft<'_>) {
    draft.without_rule(Effect::Allow, "cmd:*", Of::All);
    draft.without_rule(Effect::Allow, "fs:r:@root/**", Of::Kind(ToolKind::File));
    draft.without_rule(Effect::Allow, "fs:w:@root/**", Of::Kind(ToolKind::File));
    draft.without_rule(Effect::Allow, "net:*", Of::Kind(ToolKind::Web));
    draft.without_rule(Effect::Allow, "tool:*", Of::All);
    for pattern in ["fs:r:**/*.env", "fs:r:**/*.env.*"] {
        draft.without_rule(Effect::Deny, pattern, Of::Kind(ToolKind::File));
    }
    draft.without_rule(Effect::Allow, "fs:r:**/*.env.example", Of::Kind(ToolKind::File));
    for (order, rule) in (1..).zip(draft.found.iter_mut()) {
        rule.rank = if rule.effect == Effect::Allow && order < 6 { 0 } else { order.min(9) };
    }
}

fn action(draft: &Draft<'_>, node: &Node<'_>) -> Result<Effect, Errors> {
    match node.text() {
        Some("allow") => Ok(Effect::Allow),
        Some("ask") => Ok(Effect::Ask),
        Some("deny") => Ok(Effect::Deny),
        _ => Err(draft.refuse(node.span, "is no action: `allow`, `ask` or `deny`")),
    }
}

fn permissions(draft: &mut Draft<'_>, entry: &Entry<'_>, rank: &mut u32) -> Result<(), Errors> {
    match &entry.node.value {
        Value::Table(patterns) => {
            for pattern in patterns {
                *rank = rank.saturating_add(1);
                draft.rules = draft.rules.saturating_add(1);
                let effect = action(draft, &pattern.node)?;
                let at = At { span: pattern.key_span, rank: *rank };
                one(draft, &entry.key, &pattern.key, effect, at);
            }
            Ok(())
        }
        _ => {
            *rank = rank.saturating_add(1);
            draft.rules = draft.rules.saturating_add(1);
            let effect = action(draft, &entry.node)?;
            one(draft, &entry.key, "*", effect, At { span: entry.key_span, rank: *rank });
            Ok(())
        }
    }
}

fn one(draft: &mut Draft<'_>, permission: &str, pattern: &str, effect: Effect, at: At) {
    let is_any = pattern.chars().all(|c| c == '*');
    match permission {
        "*" => {
            for permission in ["bash", "read", "edit", "webfetch"] {
                one(draft, permission, pattern, effect, at);
            }
            if is_any {
                draft.rule(effect, "tool:*", Of::All, at);
                draft.rule(effect, "mcp:*/*", Of::All, at);
            }
        }
        "bash" => bash(draft, pattern, effect, at),
        "external_directory" => outside(draft, pattern, effect, at),
        "webfetch" => {
            if !is_any {
                return draft.lost(effect, at.span, "not carried over: patterns over whole URLs");
            }
            draft.rule(effect, "net:*", Of::Kind(ToolKind::Web), at);
            super::host_differs(draft, "*", effect, at.span, super::Apex::Included);
        }
        "doom_loop" => draft.idle(at.span, "left out: calls that are repeated are no class here"),
        name => match FILES.iter().find(|(own, _)| *own == name) {
            Some((_, rights)) => files(draft, name, rights, pattern, effect, at),
            None if is_any => {
                draft.rule(effect, &format!("tool:{}", super::globs(name)), Of::All, at);
            }
            None => draft.lost(
                effect,
                at.span,
                "not carried over: patterns over other inputs of a tool",
            ),
        },
    }
}

fn bash(draft: &mut Draft<'_>, pattern: &str, effect: Effect, at: At) {
    if pattern.contains('?') {
        return draft.lost(effect, at.span, "not carried over: `?` takes a blank as well");
    }
    match commands::of_text(pattern, effect, Ending::Exact) {
        Ok(words) => {
            for pattern in &words.patterns {
                draft.rule(effect, pattern, Of::All, at);
            }
            match (words.inexact, effect) {
                (None, _) => {}
                (Some(Inexact::Less), Effect::Ask | Effect::Deny) => {
                    draft.wider(at.span, "a star inside quotes stays within that word");
                }
                _ => draft.narrower(at.span, "a star inside a word or quotes is read word by word"),
            }
        }
        Err(reason) => draft.lost(effect, at.span, format!("not carried over: {reason}")),
    }
}

fn files(draft: &mut Draft<'_>, name: &str, rights: &str, pattern: &str, effect: Effect, at: At) {
    if matches!(name, "glob" | "grep") && pattern.chars().any(|c| c != '*') {
        return draft.lost(
            effect,
            at.span,
            "not carried over: it is a pattern over what is searched for",
        );
    }
    let of = match name {
        "read" | "edit" => Of::Kind(ToolKind::File),
        name => Of::Name(name),
    };
    let mut found = match paths::crossing(pattern) {
        Ok(found) => found,
        Err(reason) => return draft.lost(effect, at.span, format!("not carried over: {reason}")),
    };
    // What lies outside the project is asked about first, whatever allows it.
    if effect == Effect::Allow {
        for path in &mut found {
            if path == "**" {
                "@root/**".clone_into(path);
            } else if let Some(rest) = path.strip_prefix("**/") {
                *path = format!("@root/**/{rest}");
            } else if !path.starts_with("@root/") {
                return draft.narrower(
                    at.span,
                    "left out: paths outside the project are asked about first",
                );
            }
        }
    }
    for path in &found {
        draft.rule(effect, &format!("fs:{rights}:{path}"), of, at);
    }
}

/// Paths outside the project: what is allowed there is what is allowed inside.
fn outside(draft: &mut Draft<'_>, pattern: &str, effect: Effect, at: At) {
    let found = match paths::crossing(pattern) {
        Ok(found) => found,
        Err(reason) => return draft.lost(effect, at.span, format!("not carried over: {reason}")),
    };
    if found.iter().any(|path| path == "**") {
        match effect {
            Effect::Ask => draft.idle(at.span, "left out: what no rule names is asked about"),
            Effect::Allow => {
                draft.narrower(at.span, "left out: paths outside the project are asked about")
            }
            Effect::Deny => {
                draft.wider(at.span, "left out: paths outside the project are asked about")
            }
        }
        return;
    }
    for path in &found {
        draft.rule(effect, &format!("fs:r:{path}"), Of::Kind(ToolKind::File), at);
        if effect != Effect::Allow {
            draft.rule(effect, &format!("fs:w:{path}"), Of::Kind(ToolKind::File), at);
        }
    }
    if effect == Effect::Allow {
        draft.narrower(at.span, "only reading is granted here: writing needs a rule of its own");
    }
}
