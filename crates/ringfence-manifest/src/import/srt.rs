//! The settings of the sandbox runtime.
//!
//! Source: package `@anthropic-ai/sandbox-runtime` 0.0.78, its code and its page. Every command
//! runs; reading is allowed except where it is denied, writing and the network are denied except
//! where they are allowed. Of two rules on reading the deeper one decides.

use ringfence_core::Effect;

use super::difference::Way;
use super::draft::{At, Draft, Of, texts};
use super::paths;
use crate::node::{Node, Value};
use crate::text::Errors;

/// What may be written without being listed.
const WRITABLE: [&str; 3] = ["/tmp/claude/**", "~/.npm/_logs/**", "~/.claude/debug/**"];

/// What may never be written below a directory that may.
const KEPT: [&str; 16] = [
    "**/.gitconfig",
    "**/.gitmodules",
    "**/.bashrc",
    "**/.bash_profile",
    "**/.zshrc",
    "**/.zprofile",
    "**/.profile",
    "**/.ripgreprc",
    "**/.mcp.json",
    "**/.vscode/**",
    "**/.idea/**",
    "**/.claude/commands/**",
    "**/.claude/agents/**",
    "**/.git/hooks/**",
    "**/.git/config",
    "**/.git/config.worktree",
];

/// The rank of a deny with a wildcard: it holds inside whatever is opened again.
const DEEP: u32 = 1000;

pub(super) fn read(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let tree = draft.tree()?;
    let Value::Table(_) = tree.value else {
        return Err(draft.refuse(tree.span, "is no settings file: it holds no object"));
    };
    draft.default = Effect::Deny;
    draft.without_rule(Effect::Allow, "cmd:*", Of::All);
    draft.without_rule(Effect::Allow, "fs:r:**", Of::All);
    files(draft, tree.get("filesystem"));
    network(draft, tree.get("network"));
    credentials(draft, tree.get("credentials"));
    for key in ["enableWeakerNestedSandbox", "enableWeakerNetworkIsolation", "allowAppleEvents"] {
        if let Some(node) = tree.get(key).filter(|node| node.value == Value::Bool(true)) {
            draft.narrower(node.span, "not carried over: it weakens the sandbox");
        }
    }
    draft.everywhere(
        Way::Narrower,
        "what is on the danger list, and commands that cannot be read with certainty, are refused",
    );
    draft.everywhere(
        Way::Same,
        "the kernel holds this where commands are started with `ringfence run`",
    );
    Ok(())
}

fn is_true(node: Option<&Node<'_>>) -> bool {
    node.is_some_and(|node| node.value == Value::Bool(true))
}

/// A path of the file in our own notation, with all below it.
fn path_and_below(text: &str) -> Vec<String> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let base = match text {
        "." | "" => return vec!["@cwd/**".to_owned()],
        text if text.starts_with(['/', '~']) => "",
        _ => "@cwd/",
    };
    paths::with_content(&format!("{base}{text}"))
}

/// How deep a path goes; one with a wildcard goes deepest.
fn depth(text: &str) -> u32 {
    match text.contains(['*', '?', '[']) {
        true => DEEP,
        false => {
            let names = text.split('/').filter(|name| !matches!(*name, "" | "."));
            let shallow: u32 = if text.starts_with('/') { 0 } else { 100 };
            u32::try_from(names.count()).unwrap_or(DEEP).saturating_add(shallow).min(DEEP)
        }
    }
}

fn rules(draft: &mut Draft<'_>, effect: Effect, rights: &str, text: &str, at: At) {
    draft.rules = draft.rules.saturating_add(1);
    for path in path_and_below(text) {
        draft.rule(effect, &format!("fs:{rights}:{path}"), Of::All, at);
    }
}

fn files(draft: &mut Draft<'_>, table: Option<&Node<'_>>) {
    let list = |key: &str| texts(table.and_then(|table| table.get(key)), |_| {});
    if is_true(table.and_then(|table| table.get("disabled"))) {
        return draft.without_rule(Effect::Allow, "fs:w:**", Of::All);
    }
    for (text, span) in list("denyRead") {
        let rank = depth(text).saturating_mul(2).saturating_add(1);
        rules(draft, Effect::Deny, "r", text, At { span, rank });
    }
    for (text, span) in list("allowRead") {
        let rank = depth(text).min(DEEP.saturating_sub(1)).saturating_mul(2).saturating_add(2);
        rules(draft, Effect::Allow, "r", text, At { span, rank });
    }
    WRITABLE.iter().for_each(|path| {
        draft.without_rule(Effect::Allow, &format!("fs:w:{path}"), Of::All);
    });
    for (text, span) in list("allowWrite") {
        rules(draft, Effect::Allow, "w", text, At { span, rank: 1 });
    }
    for (text, span) in list("denyWrite") {
        rules(draft, Effect::Deny, "w", text, At { span, rank: DEEP.saturating_mul(3) });
    }
    let git = is_true(table.and_then(|table| table.get("allowGitConfig")));
    for path in KEPT.iter().filter(|path| !(git && path.contains(".git/config"))) {
        draft.without_rule(Effect::Deny, &format!("fs:w:{path}"), Of::All);
        if let Some(last) = draft.found.last_mut() {
            last.rank = DEEP.saturating_mul(3);
        }
    }
    draft.everywhere(
        Way::Narrower,
        "settings of shells and editors are kept from writing wherever they lie",
    );
}

fn network(draft: &mut Draft<'_>, table: Option<&Node<'_>>) {
    let list = |key: &str| texts(table.and_then(|table| table.get(key)), |_| {});
    let allowed = list("allowedDomains");
    for (host, span) in &allowed {
        draft.rules = draft.rules.saturating_add(1);
        if draft.rule(Effect::Allow, &format!("net:{host}"), Of::All, At { span: *span, rank: 1 }) {
            let name = host.split(':').next().unwrap_or(host);
            super::host_differs(draft, name, Effect::Allow, *span, super::Apex::Excluded);
        }
    }
    let reasons = table.and_then(|table| table.get("deniedDomainReasons"));
    for (host, span) in list("deniedDomains") {
        draft.rules = draft.rules.saturating_add(1);
        if draft.rule(Effect::Deny, &format!("net:{host}"), Of::All, At { span, rank: 2 }) {
            let why = reasons.and_then(|reasons| reasons.get(host)).and_then(Node::text);
            if let (Some(why), Some(last)) = (why, draft.found.last_mut()) {
                last.why = Some(why.to_owned());
            }
            super::host_differs(draft, host, Effect::Deny, span, super::Apex::Excluded);
        }
    }
    // A class of which nothing is listed would be covered by the grant of commands.
    if allowed.is_empty() {
        draft.without_rule(Effect::Deny, "net:*", Of::All);
    }
    match is_true(table.and_then(|table| table.get("allowLocalBinding"))) {
        true => draft.without_rule(Effect::Allow, "listen:*", Of::All),
        false => draft.without_rule(Effect::Deny, "listen:*", Of::All),
    }
    sockets(draft, table);
    for (address, span) in list("deniedResolvedAddresses") {
        draft.rules = draft.rules.saturating_add(1);
        draft.rule(Effect::Deny, &format!("net:{address}"), Of::All, At { span, rank: 2 });
    }
    for key in ["mitmProxy", "parentProxy", "tlsTerminate", "filterRequest"] {
        if let Some(node) = table.and_then(|table| table.get(key)) {
            draft.narrower(node.span, "not carried over: proxies are set up elsewhere");
        }
    }
}

fn sockets(draft: &mut Draft<'_>, table: Option<&Node<'_>>) {
    if is_true(table.and_then(|table| table.get("allowAllUnixSockets"))) {
        return draft.without_rule(Effect::Allow, "sock:/**", Of::All);
    }
    let listed = texts(table.and_then(|table| table.get("allowUnixSockets")), |_| {});
    for (path, span) in &listed {
        draft.rules = draft.rules.saturating_add(1);
        draft.rule(Effect::Allow, &format!("sock:{path}"), Of::All, At { span: *span, rank: 1 });
        draft.wider(*span, "on Linux the sandbox runtime ignores this list");
    }
    if listed.is_empty() {
        draft.without_rule(Effect::Deny, "sock:/**", Of::All);
    }
}

fn credentials(draft: &mut Draft<'_>, table: Option<&Node<'_>>) {
    let items =
        |key: &str| table.and_then(|table| table.get(key)).map(Node::items).unwrap_or_default();
    let sorts = [("files", "path"), ("envVars", "name")];
    for (key, name) in sorts {
        for item in items(key) {
            draft.rules = draft.rules.saturating_add(1);
            let Some(text) = item.get(name).and_then(Node::text) else {
                draft.wider(item.span, "not carried over: it has no name");
                continue;
            };
            let at = At { span: item.span, rank: DEEP.saturating_mul(3) };
            match key {
                "files" => {
                    for path in path_and_below(text) {
                        draft.rule(Effect::Deny, &format!("fs:r:{path}"), Of::All, at);
                    }
                }
                _ => {
                    draft.rule(Effect::Deny, &format!("env:{}", super::globs(text)), Of::All, at);
                }
            }
            if item.get("mode").and_then(Node::text) == Some("mask") {
                draft.narrower(item.span, "refused, not masked");
            }
        }
    }
}
