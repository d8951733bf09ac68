//! Whether Codex would run the hook: one that a person did not trust is silently passed over.
//!
//! Codex keeps what was trusted in `config.toml`, one table for each hook, named after the file, the
//! event, and the hook's place in it, with a hash of what the hook says. Names and hashes were
//! compared with those that `codex app-server` of version 0.166.0 gives (`hooks/list`).

use ringfence_hooks::Agent;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Site, read_plain};
use crate::file::Found;

/// What Codex makes of the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// A person trusted it.
    Given,
    /// Nobody did: it is not run.
    Missing,
    /// It was trusted when it said something else.
    Stale,
    /// A person switched it off.
    Off,
}

impl Trust {
    /// What to do about it.
    pub(crate) fn remedy(self) -> Option<&'static str> {
        match self {
            Trust::Given => None,
            Trust::Missing => Some(
                "Codex silently skips hooks that nobody trusted: start `codex`, and trust it with `/hooks`",
            ),
            Trust::Stale => Some(
                "the hook changed since it was trusted, and Codex silently skips it: start `codex`, and trust \
                 it with `/hooks`",
            ),
            Trust::Off => {
                Some("the hook is switched off: start `codex`, and switch it on with `/hooks`")
            }
        }
    }
}

/// Whether the hook before tools is trusted.
pub(crate) fn trust(site: &Site) -> Trust {
    let states = settings(site, ".codex/config.toml");
    let states = states.as_ref().and_then(|own| own.pointer("/hooks/state"));
    let (Some(states), Some(hook)) = (states, hook(site)) else { return Trust::Missing };
    let file = site.settings(Agent::Codex);
    let name = format!("{}:pre_tool_use:{}:{}", file.display(), hook.group, hook.place);
    let Some(state) = states.get(&name) else { return Trust::Missing };
    let trusted = state.get("trusted_hash").and_then(Value::as_str);
    match (state.get("enabled"), trusted) {
        (Some(Value::Bool(false)), _) => Trust::Off,
        (_, None) => Trust::Missing,
        (_, Some(trusted)) if hook.hash.is_none_or(|hash| hash == trusted) => Trust::Given,
        (_, Some(_)) => Trust::Stale,
    }
}

/// Our hook, as Codex knows it.
struct Hook {
    /// The number of its group, and its place in it.
    group: usize,
    place: usize,
    /// Its hash; none where it has words whose part in the hash is not known.
    hash: Option<String>,
}

fn hook(site: &Site) -> Option<Hook> {
    let settings = settings(site, Agent::Codex.setup("ringfence").path)?;
    let groups = settings.pointer("/hooks/PreToolUse")?.as_array()?;
    let is_ours = |hook: &Value| {
        let text = json!({ "hooks": { "PreToolUse": [hook] } }).to_string();
        Agent::Codex.hooks_in(&text).is_ok_and(|own| !own.is_empty())
    };
    groups.iter().enumerate().find_map(|(number, group)| {
        let hooks = group.get("hooks")?.as_array()?;
        let place = hooks.iter().position(is_ours)?;
        Some(Hook { group: number, place, hash: hash(group, hooks.get(place)?) })
    })
}

/// The hash of a hook: of its event, its matcher and its words, in the order of their keys.
fn hash(group: &Value, hook: &Value) -> Option<String> {
    let words = hook.as_object()?;
    let known = |key: &String| matches!(key.as_str(), "async" | "command" | "timeout" | "type");
    if !words.keys().all(known) || !words.contains_key("timeout") {
        return None;
    }
    let is_async = hook.get("async").cloned().unwrap_or(Value::Bool(false));
    let text = json!({
        "event_name": "pre_tool_use",
        "hooks": [{
            "async": is_async, "command": hook.get("command")?, "timeout": hook.get("timeout")?,
            "type": hook.get("type")?,
        }],
        "matcher": group.get("matcher")?,
    });
    let digest = Sha256::digest(text.to_string().as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("sha256:{hex}"))
}

fn settings(site: &Site, file: &str) -> Option<Value> {
    let path = site.home.join(file);
    let found = Found::look(&path, &site.home).ok()?;
    read_plain(&path, found.text().ok()??).ok()?
}
