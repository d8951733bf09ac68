//! How an agent is known to be on a machine.

use crate::agent::Agent;

impl Agent {
    /// The directory in a user's home that the agent makes for itself.
    pub fn directory(self) -> &'static str {
        match self {
            Agent::ClaudeCode => ".claude",
            Agent::Codex => ".codex",
            Agent::Gemini => ".gemini",
            Agent::Opencode => ".config/opencode",
            Agent::Copilot => ".copilot",
            Agent::Hermes => ".hermes",
            Agent::Cursor => ".cursor",
            Agent::Windsurf => ".codeium/windsurf",
            Agent::Cline => "Documents/Cline",
            Agent::Kiro => ".kiro",
            Agent::Goose => ".config/goose",
            Agent::Openclaw => ".pi",
        }
    }

    /// Its programs, as far as their names are nobody else's.
    pub fn programs(self) -> &'static [&'static str] {
        match self {
            Agent::ClaudeCode => &["claude"],
            Agent::Codex => &["codex"],
            Agent::Gemini => &["gemini"],
            Agent::Opencode => &["opencode"],
            Agent::Copilot => &["copilot"],
            Agent::Hermes => &["hermes"],
            Agent::Cursor => &["cursor", "cursor-agent"],
            Agent::Windsurf => &["windsurf"],
            Agent::Cline => &["cline"],
            Agent::Kiro => &["kiro", "kiro-cli"],
            // A tool for databases has the name of goose, and many things are called pi.
            Agent::Goose => &[],
            Agent::Openclaw => &["openclaw"],
        }
    }

    /// The name of the profile with what it needs for itself in a run, where there is one.
    pub fn profile(self) -> Option<&'static str> {
        match self {
            Agent::ClaudeCode => Some("claude"),
            Agent::Codex => Some("codex"),
            Agent::Gemini => Some("gemini"),
            Agent::Opencode => Some("opencode"),
            Agent::Copilot => Some("copilot"),
            Agent::Hermes => Some("hermes"),
            _ => None,
        }
    }

    /// What a person still has to do once the hook is set up.
    pub fn afterwards(self) -> Option<&'static str> {
        match self {
            Agent::Codex => Some(
                "Codex silently skips hooks that nobody trusted: once this is written, start `codex` \
                 and trust it with `/hooks`",
            ),
            Agent::Hermes => Some(
                "hermes skips hooks that nobody agreed to: start `hermes` at a terminal once and \
                 agree to this one",
            ),
            Agent::Kiro => Some("Kiro asks in its agent `ringfence` alone: choose that one"),
            Agent::Goose => {
                Some("goose 1.34 runs hooks and does not heed them; 1.52 does: `goose --version`")
            }
            Agent::Cline => {
                Some("Cline ends its run when a call is refused; `ringfence log` says why")
            }
            Agent::Openclaw => Some(
                "for OpenClaw, make a plugin of the same file: docs/agents/openclaw.md says how",
            ),
            _ => None,
        }
    }
}
