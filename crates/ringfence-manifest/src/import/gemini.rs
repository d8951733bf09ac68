//! The policies and settings of Gemini CLI.
//!
//! Source: package `@google/gemini-cli-core` 0.61.0, its policy engine and its page on it. Of the
//! rules that match, the one of the highest priority decides; of one priority, the first of the
//! file. `settings.json` makes rules of its own, whose priorities are those of the package.

use ringfence_core::Effect;
use ringfence_core::rule::ToolKind;

use super::commands;
use super::difference::Way;
use super::draft::{At, Draft, Of, texts};
use crate::node::{Node, Value};
use crate::text::{Errors, Format, Span};

/// More rules than a file has.
const MAX_RULES: usize = 100_000;

/// Tools that read, and tools that write.
const READERS: [&str; 6] = [
    "glob",
    "grep_search",
    "list_directory",
    "read_file",
    "read_many_files",
    "search_file_content",
];
const WRITERS: [&str; 2] = ["replace", "write_file"];
const SHELLS: [&str; 2] = ["run_shell_command", "ShellTool"];

/// What the lists of `settings.json` are worth, from the lowest.
const CORE: u32 = 25;
const ALLOWED: u32 = 30;
const CONFIRMED: u32 = 35;
const EXCLUDED: u32 = 40;
const SERVER_ALLOWED: u32 = 10;
const SERVER_TRUSTED: u32 = 20;
const SERVER_EXCLUDED: u32 = 90;

pub(super) fn read(draft: &mut Draft<'_>) -> Result<(), Errors> {
    for tool in READERS {
        draft.without_rule(Effect::Allow, "fs:r:@root/**", Of::Name(tool));
    }
    draft.without_rule(Effect::Allow, "tool:google_web_search", Of::All);
    let tree = draft.tree()?;
    match draft.source.format() {
        Format::Toml => policy(draft, &tree)?,
        _ => settings(draft, &tree),
    }
    draft
        .everywhere(Way::Narrower, "redirections are asked about whatever `allowRedirection` says");
    super::commands_everywhere(draft, "`env`, `timeout`, `nice` and the like");
    Ok(())
}

fn policy(draft: &mut Draft<'_>, tree: &Node<'_>) -> Result<(), Errors> {
    let rules = tree.get("rule").map(Node::items).unwrap_or_default();
    if rules.len() > MAX_RULES {
        return Err(draft.refuse(tree.span, "has too many rules"));
    }
    for (at, rule) in rules.iter().enumerate() {
        draft.rules = draft.rules.saturating_add(1);
        let priority = match rule.get("priority").map(|node| &node.value) {
            Some(Value::Integer(number)) => {
                u32::try_from(*number).ok().filter(|number| *number < 1000)
            }
            Some(_) => None,
            None => Some(0),
        };
        let span = first_span(rule);
        let Some(priority) = priority else {
            return Err(draft.refuse(span, "has a priority that is not between 0 and 999"));
        };
        let later = u32::try_from(MAX_RULES.saturating_sub(at)).unwrap_or(0);
        let rank = priority.saturating_mul(1_000_000).saturating_add(later).saturating_add(1);
        one_rule(draft, rule, At { span, rank })?;
    }
    Ok(())
}

/// A table of TOML spans its header; what people look for is its first line.
fn first_span(rule: &Node<'_>) -> Span {
    let first = rule.entries().first().map(|entry| entry.key_span.start);
    let last = rule.entries().iter().map(|entry| entry.node.span.end).max();
    match (first, last) {
        (Some(start), Some(end)) => Span::new(start, end),
        _ => rule.span,
    }
}

fn one_rule(draft: &mut Draft<'_>, rule: &Node<'_>, at: At) -> Result<(), Errors> {
    let decision = rule.get("decision");
    let effect = match decision.and_then(Node::text) {
        Some("allow") => Effect::Allow,
        Some("ask_user") => Effect::Ask,
        Some("deny") => Effect::Deny,
        _ => {
            let span = decision.map_or(at.span, |node| node.span);
            return Err(draft.refuse(span, "is no decision: `allow`, `ask_user` or `deny`"));
        }
    };
    for key in ["argsPattern", "commandRegex", "toolAnnotations", "subagent"] {
        if rule.get(key).is_some() {
            draft.lost(effect, at.span, format!("not carried over: `{key}` has no counterpart"));
            return Ok(());
        }
    }
    if !holds_by_default(draft, rule, effect, at.span) {
        return Ok(());
    }
    let before = draft.found.len();
    let prefixes = one_or_more(rule.get("commandPrefix"));
    let tools = one_or_more(rule.get("toolName"));
    let server = rule.get("mcpName").and_then(Node::text);
    if !prefixes.is_empty() {
        prefixes.iter().for_each(|prefix| shell_prefix(draft, prefix, effect, at));
    } else if let Some(server) = server {
        let server = super::globs(server);
        let items = if tools.is_empty() { vec!["*"] } else { tools };
        for item in items {
            draft.rule(effect, &format!("mcp:{server}/{}", super::globs(item)), Of::All, at);
        }
    } else if tools.is_empty() {
        any_tool(draft, effect, at);
    } else {
        tools.iter().for_each(|name| tool(draft, name, effect, at));
    }
    if let Some(why) = rule.get("denyMessage").and_then(Node::text) {
        let new = draft.found.get_mut(before..).unwrap_or_default();
        new.iter_mut().for_each(|rule| rule.why = Some(why.to_owned()));
    }
    Ok(())
}

/// Whether a rule holds in the default mode; one that holds only there holds always here.
fn holds_by_default(draft: &mut Draft<'_>, rule: &Node<'_>, effect: Effect, span: Span) -> bool {
    let modes: Vec<&str> = texts(rule.get("modes"), |_| {}).iter().map(|(mode, _)| *mode).collect();
    let interactive = rule.get("interactive").map(|node| &node.value);
    if !(modes.is_empty() || modes.contains(&"default"))
        || matches!(interactive, Some(Value::Bool(false)))
    {
        draft.lost(effect, span, "not carried over: it does not hold in the default mode");
        return false;
    }
    if !modes.is_empty() || interactive.is_some() {
        let message = "holds in every mode";
        match effect {
            Effect::Allow => draft.wider(span, message),
            _ => draft.narrower(span, message),
        }
    }
    true
}

fn one_or_more<'n>(node: Option<&'n Node<'_>>) -> Vec<&'n str> {
    match node.and_then(Node::text) {
        Some(text) => vec![text],
        None => texts(node, |_| {}).into_iter().map(|(text, _)| text).collect(),
    }
}

fn shell_prefix(draft: &mut Draft<'_>, prefix: &str, effect: Effect, at: At) {
    match commands::of_prefix(prefix.trim()) {
        Ok(pattern) => {
            draft.rule(effect, &pattern, Of::All, at);
        }
        Err(reason) => draft.lost(effect, at.span, format!("not carried over: {reason}")),
    }
}

fn any_tool(draft: &mut Draft<'_>, effect: Effect, at: At) {
    for pattern in ["cmd:*", "tool:*", "mcp:*/*"] {
        draft.rule(effect, pattern, Of::All, at);
    }
    draft.rule(effect, "fs:rw:**", Of::Kind(ToolKind::File), at);
    draft.rule(effect, "net:*", Of::Kind(ToolKind::Web), at);
}

fn tool(draft: &mut Draft<'_>, name: &str, effect: Effect, at: At) {
    match name {
        "*" => any_tool(draft, effect, at),
        name if SHELLS.contains(&name) => {
            draft.rule(effect, "cmd:*", Of::All, at);
        }
        name if READERS.contains(&name) => {
            // What Gemini CLI reads lies in the project: its own tools go nowhere else.
            let path = if effect == Effect::Allow { "@root/**" } else { "**" };
            draft.rule(effect, &format!("fs:r:{path}"), Of::Name(name), at);
        }
        name if WRITERS.contains(&name) => {
            let path = if effect == Effect::Allow { "@root/**" } else { "**" };
            draft.rule(effect, &format!("fs:w:{path}"), Of::Name(name), at);
        }
        "web_fetch" => {
            draft.rule(effect, "net:*", Of::Name("web_fetch"), at);
            super::host_differs(draft, "*", effect, at.span, super::Apex::Included);
        }
        "mcp_*" => {
            draft.rule(effect, "mcp:*/*", Of::All, at);
        }
        name => match name.strip_prefix("mcp_").and_then(|rest| rest.split_once('_')) {
            Some((server, item)) => {
                let pattern = format!("mcp:{}/{}", super::globs(server), super::globs(item));
                draft.rule(effect, &pattern, Of::All, at);
            }
            None if name.contains('*') => {
                draft.idle(at.span, "left out: Gemini CLI takes such a star for a plain character");
            }
            None => {
                draft.rule(effect, &format!("tool:{}", super::globs(name)), Of::All, at);
            }
        },
    }
}

fn settings(draft: &mut Draft<'_>, tree: &Node<'_>) {
    let tools = tree.get("tools");
    let of = |key: &str| tools.and_then(|tools| tools.get(key));
    for (text, span) in texts(of("exclude"), |_| {}) {
        listed(draft, text, Effect::Deny, At { span, rank: EXCLUDED });
    }
    for (text, span) in texts(of("confirmationRequired"), |_| {}) {
        listed(draft, text, Effect::Ask, At { span, rank: CONFIRMED });
    }
    for (key, rank) in [("allowed", ALLOWED), ("core", CORE)] {
        let mut narrowed = None;
        for (text, span) in texts(of(key), |_| {}) {
            listed(draft, text, Effect::Allow, At { span, rank });
            let is_shell =
                |shell: &str| text.strip_prefix(shell).is_some_and(|rest| rest.starts_with('('));
            narrowed = narrowed.or(SHELLS.iter().any(|shell| is_shell(shell)).then_some(span));
        }
        // A list that allows some commands refuses the others.
        if let (Some(span), "allowed") = (narrowed, key) {
            draft.rule(Effect::Deny, "cmd:*", Of::All, At { span, rank: rank.saturating_sub(1) });
        }
    }
    if let Some(list) = of("core") {
        let at = At { span: list.span, rank: CORE.saturating_sub(1) };
        any_tool(draft, Effect::Deny, at);
    }
    servers(draft, tree);
}

/// `tool` or `tool(arguments)`.
fn listed(draft: &mut Draft<'_>, text: &str, effect: Effect, at: At) {
    draft.rules = draft.rules.saturating_add(1);
    let (name, inner) = match text.split_once('(') {
        Some((name, rest)) => (name.trim(), Some(rest.trim_end_matches(')'))),
        None => (text.trim(), None),
    };
    match inner {
        Some(prefix) if SHELLS.contains(&name) => {
            shell_prefix(draft, prefix, effect, at);
            if effect != Effect::Allow {
                draft.narrower(at.span, "Gemini CLI does not consult arguments in this list");
            }
        }
        _ => tool(draft, name, effect, at),
    }
}

fn servers(draft: &mut Draft<'_>, tree: &Node<'_>) {
    let lists =
        [("allowed", Effect::Allow, SERVER_ALLOWED), ("excluded", Effect::Deny, SERVER_EXCLUDED)];
    for (key, effect, rank) in lists {
        let list = tree.get("mcp").and_then(|mcp| mcp.get(key));
        for (server, span) in texts(list, |_| {}) {
            draft.rules = draft.rules.saturating_add(1);
            draft.rule(
                effect,
                &format!("mcp:{}/*", super::globs(server)),
                Of::All,
                At { span, rank },
            );
        }
    }
    for server in tree.get("mcpServers").map(Node::entries).unwrap_or_default() {
        let name = super::globs(&server.key);
        let trust = server.node.get("trust");
        if let Some(node) = trust.filter(|node| node.value == Value::Bool(true)) {
            let at = At { span: node.span, rank: SERVER_TRUSTED };
            draft.rules = draft.rules.saturating_add(1);
            draft.rule(Effect::Allow, &format!("mcp:{name}/*"), Of::All, at);
        }
        for (tool, span) in texts(server.node.get("excludeTools"), |_| {}) {
            let at = At { span, rank: SERVER_EXCLUDED };
            draft.rules = draft.rules.saturating_add(1);
            draft.rule(Effect::Deny, &format!("mcp:{name}/{}", super::globs(tool)), Of::All, at);
        }
    }
}
