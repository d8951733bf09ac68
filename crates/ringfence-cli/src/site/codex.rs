//! Whether Codex would run the hook: one that a person did not trust is silently passed over.
//!
//! Codex keeps what was trusted in `config.toml`, one table for each hook, named after the file, the
//! event, and the hook's place in it. Whether the hash that stands there is still that of the hook is
//! for Codex to say; that there is none can be told.

use ringfence::hooks::Agent;
use serde_json::Value;

use super::{Site, read_plain};
use crate::file::Found;

/// What Codex makes of the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// A person trusted it.
    Given,
    /// Nobody did: it is not run.
    Missing,
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
            Trust::Off => {
                Some("the hook is switched off: start `codex`, and switch it on with `/hooks`")
            }
        }
    }
}

/// Whether the hook before tools is trusted.
pub(crate) fn trust(site: &Site) -> Trust {
    let file = site.settings(Agent::Codex);
    let states = || {
        let path = site.home.join(".codex/config.toml");
        let found = Found::look(&path, &site.home).ok()?;
        let config = read_plain(&path, found.text().ok()??).ok()??;
        config.pointer("/hooks/state").cloned()
    };
    let (Some(states), Some(place)) = (states(), place(site)) else { return Trust::Missing };
    let name = format!("{}:pre_tool_use:{}:{}", file.display(), place.0, place.1);
    match states.get(&name) {
        Some(own) if own.get("enabled") == Some(&Value::Bool(false)) => Trust::Off,
        Some(own) if own.get("trusted_hash").is_some_and(Value::is_string) => Trust::Given,
        _ => Trust::Missing,
    }
}

/// The place of our hook in the file: its group, and its place in the group.
fn place(site: &Site) -> Option<(usize, usize)> {
    let path = site.settings(Agent::Codex);
    let found = Found::look(&path, &site.home).ok()?;
    let settings = read_plain(&path, found.text().ok()??).ok()??;
    let groups = settings.pointer("/hooks/PreToolUse")?.as_array()?.clone();
    let is_ours = |hook: &Value| {
        let text = serde_json::json!({ "hooks": { "PreToolUse": [hook] } }).to_string();
        Agent::Codex.hooks_in(&text).is_ok_and(|own| !own.is_empty())
    };
    groups.iter().enumerate().find_map(|(number, group)| {
        let hooks = group.get("hooks")?.as_array()?;
        hooks.iter().position(is_ours).map(|own| (number, own))
    })
}
