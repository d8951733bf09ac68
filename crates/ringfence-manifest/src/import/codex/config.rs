//! `config.toml`: how commands are confined, and when a person is asked.

use ringfence_core::Effect;

use super::super::difference::Way;
use super::super::draft::{At, Draft, Of, texts};
use super::super::paths;
use crate::node::{Node, Value};
use crate::text::{Errors, Span};

/// What Codex keeps from writing inside the project, whoever asks.
const KEPT: [&str; 3] = [".git", ".codex", ".agents"];

pub(super) fn read(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let tree = draft.tree()?;
    let (mode, at) = said(draft, &tree, "sandbox_mode", "read-only");
    draft.rules = draft.rules.saturating_add(1);
    draft.rule(Effect::Allow, "fs:r:**", Of::All, at);
    match mode.as_str() {
        "read-only" => draft.rule(Effect::Ask, "net:*", Of::All, at),
        "workspace-write" => {
            workspace(draft, tree.get("sandbox_workspace_write"), at);
            true
        }
        "danger-full-access" => {
            draft.rule(Effect::Allow, "fs:w:**", Of::All, at)
                && draft.rule(Effect::Allow, "net:*", Of::All, at)
        }
        _ => return Err(draft.refuse(at.span, "is no sandbox mode that is known")),
    };
    approvals(draft, &tree, &mode)?;
    servers(draft, &tree);
    for key in ["permissions", "default_permissions", "profiles"] {
        if let Some(node) = tree.get(key) {
            draft.narrower(node.span, "not carried over: only the settings at the top are");
        }
    }
    draft.everywhere(Way::Narrower, "the danger list holds whatever the sandbox allows");
    Ok(())
}

/// The word under a key, and where it stands; the usual word where there is none.
fn said(draft: &Draft<'_>, tree: &Node<'_>, key: &str, usual: &str) -> (String, At) {
    let node = tree.get(key);
    let span = node.map_or(Span::new(0, draft.source.text().len().min(1)), |node| node.span);
    let word = node.and_then(Node::text).unwrap_or(usual);
    (word.to_owned(), At { span, rank: 1 })
}

fn flag(table: Option<&Node<'_>>, key: &str) -> bool {
    matches!(
        table.and_then(|table| table.get(key)).map(|node| &node.value),
        Some(Value::Bool(true))
    )
}

/// What may be written with `workspace-write`.
fn workspace(draft: &mut Draft<'_>, table: Option<&Node<'_>>, at: At) {
    draft.rule(Effect::Allow, "fs:w:@root/**", Of::All, at);
    for (key, path) in [("exclude_tmpdir_env_var", "@tmp/**"), ("exclude_slash_tmp", "/tmp/**")] {
        if !flag(table, key) {
            draft.rule(Effect::Allow, &format!("fs:w:{path}"), Of::All, at);
        }
    }
    for (root, span) in texts(table.and_then(|table| table.get("writable_roots")), |_| {}) {
        for path in paths::with_content(root.trim_end_matches('/')) {
            draft.rule(Effect::Allow, &format!("fs:w:{path}"), Of::All, At { span, ..at });
        }
    }
    for name in KEPT {
        draft.rule(Effect::Ask, &format!("fs:w:@root/{name}/**"), Of::All, At { rank: 2, ..at });
    }
    let effect = if flag(table, "network_access") { Effect::Allow } else { Effect::Ask };
    draft.rule(effect, "net:*", Of::All, at);
    if effect == Effect::Allow {
        draft
            .narrower(at.span, "loopback, private and metadata addresses need a rule of their own");
    }
}

/// Whether commands run before anyone is asked.
fn approvals(draft: &mut Draft<'_>, tree: &Node<'_>, mode: &str) -> Result<(), Errors> {
    let (policy, at) = said(draft, tree, "approval_policy", "on-request");
    match policy.as_str() {
        "untrusted" => draft.everywhere(
            Way::Narrower,
            "commands that Codex takes for safe are asked about unless a rule names them",
        ),
        "on-request" | "on-failure" => {
            draft.rule(Effect::Allow, "cmd:*", Of::All, at);
        }
        "never" => {
            draft.rule(Effect::Allow, "cmd:*", Of::All, at);
            draft.default = Effect::Deny;
        }
        _ => return Err(draft.refuse(at.span, "is no approval policy that is known")),
    }
    if policy == "never" && mode != "danger-full-access" {
        // What would be asked about is refused: nobody is there.
        for rule in draft.found.iter_mut().filter(|rule| rule.effect == Effect::Ask) {
            rule.effect = Effect::Deny;
        }
    }
    Ok(())
}

/// The tools of MCP servers.
fn servers(draft: &mut Draft<'_>, tree: &Node<'_>) {
    let servers = tree.get("mcp_servers").map(Node::entries).unwrap_or_default();
    for server in servers {
        let name = super::super::globs(&server.key);
        for (tool, span) in texts(server.node.get("disabled_tools"), |_| {}) {
            let tool = super::super::globs(tool);
            draft.rules = draft.rules.saturating_add(1);
            draft.rule(Effect::Deny, &format!("mcp:{name}/{tool}"), Of::All, At { span, rank: 3 });
        }
        let enabled = server.node.get("enabled_tools");
        if let Some(list) = enabled {
            let at = At { span: list.span, rank: 1 };
            draft.rules = draft.rules.saturating_add(1);
            draft.rule(Effect::Deny, &format!("mcp:{name}/*"), Of::All, at);
        }
        for (tool, span) in texts(enabled, |_| {}) {
            let tool = super::super::globs(tool);
            draft.rule(Effect::Ask, &format!("mcp:{name}/{tool}"), Of::All, At { span, rank: 2 });
        }
    }
}
