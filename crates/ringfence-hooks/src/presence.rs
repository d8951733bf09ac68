//! How to detect an agent on this machine, and notes for setting it up.

use crate::agent::Agent;

impl Agent {
    /// Returns the directory that the agent creates in the user's home.
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

    /// Returns the names of the agent's programs, except names that other programs share.
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
            // A database tool is also called goose, and many programs are called pi.
            Agent::Goose => &[],
            Agent::Openclaw => &["openclaw"],
        }
    }

    /// Returns the name of the profile that grants what the agent itself needs in a run, if there
    /// is one.
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

    /// Returns what a person still has to do after the hook is set up, if anything.
    pub fn setup_note(self) -> Option<&'static str> {
        match self {
            Agent::Codex => Some(
                "Codex silently skips hooks that nobody trusted: once this is written, start `codex` \
                 and trust it with `/hooks`",
            ),
            Agent::Hermes => Some(
                "hermes skips hooks that nobody agreed to: start `hermes` at a terminal once and \
                 agree to this one",
            ),
            Agent::Kiro => {
                Some("Kiro calls the hook only in its agent `ringfence`: select that agent")
            }
            Agent::Goose => Some(
                "goose 1.34 runs hooks but ignores their answers; 1.52 obeys them: check `goose --version`",
            ),
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
