//! Where agents configure their MCP servers, and how they spell server names in tool names.

use crate::agent::Agent;

/// A settings file of an agent that lists MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerFile {
    /// The directory in which the path starts.
    pub within: ServerFileScope,
    /// The path of the file.
    pub path: &'static str,
    /// The keys that lead to the object whose keys are the server names.
    pub keys: &'static [&'static str],
}

/// The place of a settings file, which says who can write to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerFileScope {
    /// The system, where only an administrator can write.
    System,
    /// The user's home directory.
    Home,
    /// The project, where the agent itself may write.
    Project,
}

/// Placeholder for the project's path in `ServerFile::keys`.
pub const PROJECT_KEY: &str = "@project";

const MCP_SERVERS: &[&str] = &["mcpServers"];

const fn file(
    within: ServerFileScope,
    path: &'static str,
    keys: &'static [&'static str],
) -> ServerFile {
    ServerFile { within, path, keys }
}

const CLAUDE_CODE: &[ServerFile] = &[
    file(ServerFileScope::System, "/etc/claude-code/managed-mcp.json", MCP_SERVERS),
    file(ServerFileScope::Home, ".claude.json", MCP_SERVERS),
    file(ServerFileScope::Home, ".claude.json", &["projects", PROJECT_KEY, "mcpServers"]),
    file(ServerFileScope::Project, ".mcp.json", MCP_SERVERS),
];
const CODEX: &[ServerFile] = &[
    file(ServerFileScope::System, "/etc/codex/config.toml", &["mcp_servers"]),
    file(ServerFileScope::Home, ".codex/config.toml", &["mcp_servers"]),
    file(ServerFileScope::Project, ".codex/config.toml", &["mcp_servers"]),
];
const GEMINI: &[ServerFile] = &[
    file(ServerFileScope::System, "/etc/gemini-cli/settings.json", MCP_SERVERS),
    file(ServerFileScope::Home, ".gemini/settings.json", MCP_SERVERS),
    file(ServerFileScope::Project, ".gemini/settings.json", MCP_SERVERS),
];
const OPENCODE: &[ServerFile] = &[
    file(ServerFileScope::Home, ".config/opencode/opencode.json", &["mcp"]),
    file(ServerFileScope::Home, ".config/opencode/opencode.jsonc", &["mcp"]),
    file(ServerFileScope::Project, "opencode.json", &["mcp"]),
    file(ServerFileScope::Project, "opencode.jsonc", &["mcp"]),
    file(ServerFileScope::Project, ".opencode/opencode.json", &["mcp"]),
    file(ServerFileScope::Project, ".opencode/opencode.jsonc", &["mcp"]),
];
const COPILOT: &[ServerFile] = &[
    file(ServerFileScope::Home, ".copilot/mcp-config.json", MCP_SERVERS),
    file(ServerFileScope::Project, ".copilot/mcp-config.json", MCP_SERVERS),
    file(ServerFileScope::Project, ".github/mcp.json", MCP_SERVERS),
    file(ServerFileScope::Project, ".mcp.json", MCP_SERVERS),
    file(ServerFileScope::Project, ".vscode/mcp.json", &["servers"]),
];
const HERMES: &[ServerFile] =
    &[file(ServerFileScope::Home, ".hermes/config.yaml", &["mcp_servers"])];
const CURSOR: &[ServerFile] = &[
    file(ServerFileScope::Home, ".cursor/mcp.json", MCP_SERVERS),
    file(ServerFileScope::Project, ".cursor/mcp.json", MCP_SERVERS),
];
const WINDSURF: &[ServerFile] =
    &[file(ServerFileScope::Home, ".codeium/windsurf/mcp_config.json", MCP_SERVERS)];
const CLINE: &[ServerFile] =
    &[file(ServerFileScope::Home, ".cline/data/settings/cline_mcp_settings.json", MCP_SERVERS)];
const KIRO: &[ServerFile] = &[
    file(ServerFileScope::Home, ".kiro/settings/mcp.json", MCP_SERVERS),
    file(ServerFileScope::Project, ".kiro/settings/mcp.json", MCP_SERVERS),
];
const GOOSE: &[ServerFile] =
    &[file(ServerFileScope::Home, ".config/goose/config.yaml", &["extensions"])];

impl Agent {
    /// Returns the known files in which the agent lists its MCP servers.
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

    /// Returns the MCP servers that are built into the agent and appear in no file.
    pub fn builtin_servers(self) -> &'static [&'static str] {
        match self {
            Agent::Codex => &["codex_apps"],
            Agent::Copilot => &["github-mcp-server"],
            _ => &[],
        }
    }

    /// Returns a server's name as the agent spells it in tool names.
    pub fn wire_name(self, server: &str) -> String {
        match self {
            Agent::Hermes => wire_name(server).replace('-', "_"),
            Agent::Goose => {
                let dense: String = server.chars().filter(|c| !c.is_whitespace()).collect();
                wire_name(&dense).to_ascii_lowercase()
            }
            // Kiro keeps the name unchanged, between separators that no name contains.
            Agent::Kiro => server.to_owned(),
            _ => wire_name(server),
        }
    }
}

/// Replaces every character that most models reject in tool names by `_`.
pub(crate) fn wire_name(server: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    server.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}
