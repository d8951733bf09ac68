//! `permissions` in the settings of Claude Code.
//!
//! Source: package `@anthropic-ai/claude-code` 2.1.325 and its documentation on permissions. Deny
//! comes before ask, ask before allow, and how narrow a rule is does not matter. Bash rules are
//! matched against each command of a line as text; `Read` and `Edit` rules are gitignore patterns.

use ringfence_core::Effect;
use ringfence_core::rule::ToolKind;

use super::commands::{self, Ending, Inexact};
use super::difference::Way;
use super::draft::{At, Draft, Of, texts};
use super::{Place, paths};
use crate::node::{Node, Value};
use crate::text::{Errors, Span};

/// The lists, each with its effect; the later one decides.
const LISTS: [(&str, Effect); 3] =
    [("allow", Effect::Allow), ("ask", Effect::Ask), ("deny", Effect::Deny)];

/// Path rules on these tools are read and never consulted.
const UNMATCHED: [&str; 5] = ["Write", "NotebookEdit", "MultiEdit", "Glob", "Grep"];

/// Tools that read files.
const READERS: [&str; 4] = ["Glob", "Grep", "LS", "NotebookRead"];

/// Tools that write files.
const WRITERS: [&str; 3] = ["Write", "NotebookEdit", "MultiEdit"];

pub(super) fn read(draft: &mut Draft<'_>, place: &Place) -> Result<(), Errors> {
    let tree = draft.tree()?;
    let Value::Table(_) = tree.value else {
        return Err(draft.refuse(tree.span, "is no settings file: it holds no object"));
    };
    draft.without_rule(Effect::Allow, "fs:r:@root/**", Of::Kind(ToolKind::File));
    let permissions = tree.get("permissions");
    for (rank, (key, effect)) in (1..).zip(LISTS) {
        let list = permissions.and_then(|permissions| permissions.get(key));
        let mut bad = Vec::new();
        for (text, span) in texts(list, |node| bad.push(node.span)) {
            draft.rules = draft.rules.saturating_add(1);
            rule(draft, text, effect, At { span, rank }, place);
        }
        if let Some(span) = bad.first().copied() {
            return Err(draft.refuse(span, "is no rule: rules are texts"));
        }
    }
    if let Some(permissions) = permissions {
        directories(draft, permissions);
        mode(draft, permissions);
    }
    if let Some(sandbox) = tree.get("sandbox") {
        draft.wider(
            sandbox.span,
            "the sandbox's own settings are not carried over: `ringfence run` holds commands",
        );
    }
    everywhere(draft);
    Ok(())
}

fn everywhere(draft: &mut Draft<'_>) {
    draft.everywhere(
        Way::Narrower,
        "commands that Claude Code takes for read-only (`ls`, `cat`, `git log`) are asked about \
         unless a rule names them",
    );
    super::commands_everywhere(draft, "`env`, `command` and `setsid`");
}

fn rule(draft: &mut Draft<'_>, text: &str, effect: Effect, at: At, place: &Place) {
    let text = text.trim();
    let (tool, inner) = match text.split_once('(') {
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(inner) => (tool.trim(), Some(inner.trim())),
            None => {
                return draft.lost(effect, at.span, "not carried over: its bracket is not closed");
            }
        },
        None => (text, None),
    };
    match (tool, inner) {
        ("Bash", None | Some("" | "*")) => {
            draft.rule(effect, "cmd:*", Of::All, at);
        }
        ("Bash", Some(inner)) => bash(draft, inner, effect, at),
        ("Read" | "Edit", Some(inner)) if !is_any(inner) => {
            file(draft, tool == "Edit", inner, effect, at, place);
        }
        ("Read", _) => of_files(draft, effect, "fs:r:**", Of::Kind(ToolKind::File), at),
        ("Edit", _) => of_files(draft, effect, "fs:w:**", Of::Kind(ToolKind::File), at),
        (tool, Some(inner)) if UNMATCHED.contains(&tool) && !is_any(inner) => {
            draft.idle(
                at.span,
                "left out: Claude Code never consults paths of this tool; write `Edit` or `Read`",
            );
        }
        (tool, _) if WRITERS.contains(&tool) => {
            of_files(draft, effect, "fs:w:**", Of::Name(tool), at)
        }
        (tool, _) if READERS.contains(&tool) => {
            of_files(draft, effect, "fs:r:**", Of::Name(tool), at)
        }
        ("WebFetch", inner) => fetch(draft, inner, effect, at),
        (tool, None) if tool.starts_with("mcp__") => mcp(draft, tool, effect, at),
        (tool, None | Some("*")) => named(draft, tool, effect, at),
        (_, Some(_)) => draft.lost(
            effect,
            at.span,
            "not carried over: rules on other inputs of a tool have no counterpart",
        ),
    }
}

fn is_any(inner: &str) -> bool {
    matches!(inner, "" | "*" | "**")
}

fn bash(draft: &mut Draft<'_>, inner: &str, effect: Effect, at: At) {
    if effect != Effect::Allow && is_parameter(inner) {
        return draft.lost(
            effect,
            at.span,
            "not carried over: rules on other inputs of a tool have no counterpart",
        );
    }
    let text = match inner.strip_suffix(":*") {
        Some(prefix) => format!("{prefix} *"),
        None => inner.to_owned(),
    };
    match commands::of_text(&text, effect, Ending::Exact) {
        Ok(words) => {
            for pattern in &words.patterns {
                if !draft.rule(effect, pattern, Of::All, at) {
                    return;
                }
            }
            match (words.inexact, effect) {
                (None, _) => {}
                (Some(Inexact::Less), Effect::Allow) | (Some(Inexact::More), _) => {
                    draft.narrower(at.span, "a star inside a word or quotes is read word by word");
                }
                (Some(Inexact::Less), _) => {
                    draft.wider(at.span, "a star inside quotes stays within that word");
                }
            }
        }
        Err(reason) => draft.lost(effect, at.span, format!("not carried over: {reason}")),
    }
}

/// Whether a specifier names another input than the command.
fn is_parameter(inner: &str) -> bool {
    const INPUTS: [&str; 4] =
        ["run_in_background", "timeout", "description", "dangerouslyDisableSandbox"];
    inner.split_once(':').is_some_and(|(name, _)| INPUTS.contains(&name.trim()))
}

fn file(draft: &mut Draft<'_>, edits: bool, inner: &str, effect: Effect, at: At, place: &Place) {
    let found = match paths::gitignore(inner, "@root", &place.anchor) {
        Ok(found) => found,
        Err(reason) => {
            return draft.lost(effect, at.span, format!("not carried over: {reason}"));
        }
    };
    let outside = !found.iter().all(|path| path.starts_with("@root/"));
    // Deny rules also hold for commands that Claude Code knows to read or write files.
    let (rights, of) = match (effect, edits) {
        (Effect::Deny, true) => ("w", Of::All),
        (Effect::Deny, false) => ("rw", Of::All),
        (_, true) => ("w", Of::Kind(ToolKind::File)),
        (_, false) => ("r", Of::Kind(ToolKind::File)),
    };
    for path in &found {
        draft.rule(effect, &format!("fs:{rights}:{path}"), of, at);
    }
    match (effect, edits) {
        (Effect::Deny, true) => draft.narrower(
            at.span,
            "holds for every command, not only for file tools and `sed` and the like",
        ),
        (Effect::Deny, false) => {
            draft.narrower(at.span, "holds for every command, and for writing with any tool")
        }
        (Effect::Allow, true) if outside => {
            draft.wider(at.span, "allowing to write here allows to read")
        }
        _ => {}
    }
}

/// A rule on all files.
fn of_files(draft: &mut Draft<'_>, effect: Effect, pattern: &str, of: Of<'_>, at: At) {
    draft.rule(effect, pattern, of, at);
    if effect == Effect::Allow && pattern.starts_with("fs:w") {
        draft.wider(at.span, "allowing to write here allows to read");
    }
}

fn fetch(draft: &mut Draft<'_>, inner: Option<&str>, effect: Effect, at: At) {
    let host = match inner {
        None | Some("" | "*") => "*",
        Some(inner) => match inner.strip_prefix("domain:") {
            Some(host) => host.trim().trim_end_matches('.'),
            None => {
                return draft.lost(effect, at.span, "not carried over: only `domain:` is known");
            }
        },
    };
    super::fetch_from(draft, host, effect, at);
}

fn mcp(draft: &mut Draft<'_>, tool: &str, effect: Effect, at: At) {
    let rest = tool.strip_prefix("mcp__").unwrap_or(tool);
    let (server, item) = rest.split_once("__").unwrap_or((rest, "*"));
    if effect == Effect::Allow && server.contains('*') {
        return draft
            .idle(at.span, "left out: Claude Code skips an allow rule whose server is a glob");
    }
    draft.rule(
        effect,
        &format!("mcp:{}/{}", super::globs(server), super::globs(item)),
        Of::All,
        at,
    );
}

/// A tool of no known kind, or a glob on the names of tools.
fn named(draft: &mut Draft<'_>, tool: &str, effect: Effect, at: At) {
    if tool.is_empty() || tool.contains(char::is_whitespace) {
        return draft.lost(effect, at.span, "not carried over: it names no tool");
    }
    if !tool.contains('*') {
        draft.rule(effect, &format!("tool:{}", super::globs(tool)), Of::All, at);
        return;
    }
    if effect == Effect::Allow {
        return draft
            .idle(at.span, "left out: Claude Code skips an allow rule whose tool is a glob");
    }
    if tool.chars().all(|c| c == '*') {
        for pattern in ["cmd:*", "tool:*", "mcp:*/*"] {
            draft.rule(effect, pattern, Of::All, at);
        }
        draft.rule(effect, "fs:rw:**", Of::Kind(ToolKind::File), at);
        draft.rule(effect, "net:*", Of::Kind(ToolKind::Web), at);
        return;
    }
    draft.rule(effect, &format!("tool:{}", super::globs(tool)), Of::All, at);
    draft.wider(at.span, "a glob on names does not reach tools of a known kind, such as `Bash`");
}

fn directories(draft: &mut Draft<'_>, permissions: &Node<'_>) {
    for (text, span) in texts(permissions.get("additionalDirectories"), |_| {}) {
        let at = At { span, rank: 0 };
        for path in paths::with_content(text.trim_end_matches('/')) {
            draft.rule(Effect::Allow, &format!("fs:r:{path}"), Of::Kind(ToolKind::File), at);
        }
    }
}

fn mode(draft: &mut Draft<'_>, permissions: &Node<'_>) {
    let Some(node) = permissions.get("defaultMode") else { return };
    let span: Span = node.span;
    match node.text() {
        Some("default") => {}
        Some("dontAsk") => draft.default = Effect::Deny,
        Some("acceptEdits") => {
            let at = At { span, rank: 0 };
            draft.rule(Effect::Allow, "fs:w:@root/**", Of::Kind(ToolKind::File), at);
            draft.narrower(span, "`mkdir`, `touch`, `mv`, `cp` and the like still need a rule");
        }
        Some("plan") => draft.wider(span, "edits are asked about, not refused"),
        _ => draft.narrower(span, "what this mode runs without asking is asked about"),
    }
}
