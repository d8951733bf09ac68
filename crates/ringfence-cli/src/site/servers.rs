//! The MCP servers that an agent is told of, and which of them stand behind the gateway.

use ringfence::hooks::Agent;
use serde_json::Value;

use super::{Site, read_plain};
use crate::file::Found;

/// The servers in an agent's settings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Servers {
    /// Those behind the gateway.
    pub(crate) behind: Vec<String>,
    /// The others.
    pub(crate) open: Vec<String>,
}

/// Where an agent keeps its servers: the file, and the key in it.
fn place(agent: Agent) -> Option<(&'static str, &'static str)> {
    Some(match agent {
        Agent::ClaudeCode => (".claude.json", "mcpServers"),
        Agent::Codex => (".codex/config.toml", "mcp_servers"),
        Agent::Gemini => (".gemini/settings.json", "mcpServers"),
        Agent::Opencode => (".config/opencode/opencode.json", "mcp"),
        Agent::Copilot => (".copilot/mcp-config.json", "mcpServers"),
        Agent::Cursor => (".cursor/mcp.json", "mcpServers"),
        Agent::Windsurf => (".codeium/windsurf/mcp_config.json", "mcpServers"),
        Agent::Kiro => (".kiro/settings/mcp.json", "mcpServers"),
        Agent::Hermes => (".hermes/config.yaml", "mcp_servers"),
        Agent::Cline | Agent::Goose | Agent::Openclaw => return None,
    })
}

/// The servers in an agent's own settings, as far as they can be read.
pub(crate) fn of(site: &Site, agent: Agent) -> Option<Servers> {
    let (file, key) = place(agent)?;
    let path = site.home.join(file);
    let found = Found::look(&path, &site.home).ok()?;
    let settings = read_plain(&path, found.text().ok()??).ok()??;
    let mut servers = Servers::default();
    for (name, server) in settings.get(key)?.as_object()? {
        let list = if is_behind(server) { &mut servers.behind } else { &mut servers.open };
        list.push(name.clone());
    }
    Some(servers)
}

/// Whether a server is started as `ringfence mcp`.
fn is_behind(server: &Value) -> bool {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let list = |value: Option<&Value>| -> Vec<String> {
        value.and_then(Value::as_array).into_iter().flatten().filter_map(text).collect()
    };
    let mut words = match server.get("command") {
        Some(Value::String(program)) => vec![program.clone()],
        command => list(command),
    };
    words.extend(list(server.get("args")));
    let program = words.first().and_then(|own| own.rsplit('/').next());
    program == Some("ringfence") && words.get(1).is_some_and(|own| own == "mcp")
}
