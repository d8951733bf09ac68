//! Where agents keep the names of their MCP servers, and how they write them in names of tools.

use crate::agent::Agent;

/// A file with servers in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerFile {
    /// In which directory it is looked for.
    pub within: Within,
    /// The file.
    pub path: &'static str,
    /// The keys on the way to an object that has the servers by their names.
    pub keys: &'static [&'static str],
}

/// Where a file with servers lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// In the system, where only its administrator writes.
    System,
    /// In the user's home.
    Home,
    /// In the project, where the agent may write.
    Project,
}

/// Stands for the path of the project among keys.
pub const OF_PROJECT: &str = "@project";

const MCP_SERVERS: &[&str] = &["mcpServers"];

const fn file(within: Within, path: &'static str, keys: &'static [&'static str]) -> ServerFile {
    ServerFile { within, path, keys }
}

const CLAUDE_CODE: &[ServerFile] = &[
    file(Within::System, "/etc/claude-code/managed-mcp.json", MCP_SERVERS),
    file(Within::Home, ".claude.json", MCP_SERVERS),
    file(Within::Home, ".claude.json", &["projects", OF_PROJECT, "mcpServers"]),
    file(Within::Project, ".mcp.json", MCP_SERVERS),
];
const CODEX: &[ServerFile] = &[
    file(Within::System, "/etc/codex/config.toml", &["mcp_servers"]),
    file(Within::Home, ".codex/config.toml", &["mcp_servers"]),
    file(Within::Project, ".codex/config.toml", &["mcp_servers"]),
];
const GEMINI: &[ServerFile] = &[
    file(Within::System, "/etc/gemini-cli/settings.json", MCP_SERVERS),
    file(Within::Home, ".gemini/settings.json", MCP_SERVERS),
    file(Within::Project, ".gemini/settings.json", MCP_SERVERS),
];
const OPENCODE: &[ServerFile] = &[
    file(Within::Home, ".config/opencode/opencode.json", &["mcp"]),
    file(Within::Home, ".config/opencode/opencode.jsonc", &["mcp"]),
    file(Within::Project, "opencode.json", &["mcp"]),
    file(Within::Project, "opencode.jsonc", &["mcp"]),
    file(Within::Project, ".opencode/opencode.json", &["mcp"]),
    file(Within::Project, ".opencode/opencode.jsonc", &["mcp"]),
];
const COPILOT: &[ServerFile] = &[
    file(Within::Home, ".copilot/mcp-config.json", MCP_SERVERS),
    file(Within::Project, ".copilot/mcp-config.json", MCP_SERVERS),
    file(Within::Project, ".github/mcp.json", MCP_SERVERS),
    file(Within::Project, ".mcp.json", MCP_SERVERS),
    file(Within::Project, ".vscode/mcp.json", &["servers"]),
];
const HERMES: &[ServerFile] = &[file(Within::Home, ".hermes/config.yaml", &["mcp_servers"])];
const CURSOR: &[ServerFile] = &[
    file(Within::Home, ".cursor/mcp.json", MCP_SERVERS),
    file(Within::Project, ".cursor/mcp.json", MCP_SERVERS),
];
const WINDSURF: &[ServerFile] =
    &[file(Within::Home, ".codeium/windsurf/mcp_config.json", MCP_SERVERS)];
const CLINE: &[ServerFile] =
    &[file(Within::Home, ".cline/data/settings/cline_mcp_settings.json", MCP_SERVERS)];
const KIRO: &[ServerFile] = &[
    file(Within::Home, ".kiro/settings/mcp.json", MCP_SERVERS),
    file(Within::Project, ".kiro/settings/mcp.json", MCP_SERVERS),
];
const GOOSE: &[ServerFile] = &[file(Within::Home, ".config/goose/config.yaml", &["extensions"])];

impl Agent {
    /// The files in which it keeps its MCP servers, as far as they are known.
    pub fn server_files(self) -> &'static [ServerFile] {
        match self {
            Agent::ClaudeCode => CLAUDE_CODE,
            Agent::Codex => CODEX,
            Agent::Gemini => GEMINI,
            Agent::Opencode => OPENCODE,
            Agent::Copilot => COPILOT,
            Agent::Hermes => HERMES,
            Agent::Cursor => CURSOR,
            Agent::Windsurf => WINDSURF,
            Agent::Cline => CLINE,
            Agent::Kiro => KIRO,
            Agent::Goose => GOOSE,
            Agent::Openclaw => &[],
        }
    }

    /// The servers that it has of itself, in no file.
    pub fn own_servers(self) -> &'static [&'static str] {
        match self {
            Agent::Codex => &["codex_apps"],
            Agent::Copilot => &["github-mcp-server"],
            _ => &[],
        }
    }

    /// A server's name as it stands in names of its tools.
    pub fn wire_name(self, server: &str) -> String {
        match self {
            Agent::Hermes => wire_name(server).replace('-', "_"),
            Agent::Goose => {
                let dense: String = server.chars().filter(|c| !c.is_whitespace()).collect();
                wire_name(&dense).to_ascii_lowercase()
            }
            // It takes the name as it is, between marks that no name has.
            Agent::Kiro => server.to_owned(),
            _ => wire_name(server),
        }
    }
}

/// A name with `_` for what most models do not take in names of tools.
pub(crate) fn wire_name(server: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    server.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}
