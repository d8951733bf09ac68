//! The known agents, and one table of functions per agent that speaks its hook protocol.
//!
//! This module only dispatches to `agents/`; it decides nothing.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ringfence_guard::{Call, Guard};
use serde_json::Value;

use crate::agents;
use crate::answer::{HookAnswer, HookReply};
use crate::event::{self, EventError, HookEvent};
use crate::setup::HookSetup;

/// Looks up an environment variable that the agent set for its hook.
pub(crate) type EnvLookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The hook protocol of one agent: its names, its functions and its timeout.
pub(crate) struct Protocol {
    /// The agent's name on the command line, in policies and in audit records.
    pub(crate) name: &'static str,
    /// Other names that people use for the agent.
    pub(crate) aliases: &'static [&'static str],
    /// Parses the agent's JSON event.
    pub(crate) read: fn(&Value, EnvLookup<'_>) -> Result<HookEvent, EventError>,
    /// Formats an answer in the agent's protocol.
    pub(crate) reply: fn(&HookEvent, &HookAnswer) -> HookReply,
    /// Formats a refusal for an event that could not be parsed.
    pub(crate) block: fn(&str) -> HookReply,
    /// Returns the settings file that makes the agent call the hook.
    pub(crate) setup: fn(&str) -> HookSetup,
    /// How long a person may take to answer. It is shorter than the agent's own timeout: most
    /// agents run the call when their hook times out.
    pub(crate) answer_timeout: Duration,
}

/// An agent whose hook protocol is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// GitHub Copilot CLI.
    Copilot,
    /// hermes-agent.
    Hermes,
    /// Cursor.
    Cursor,
    /// Windsurf.
    Windsurf,
    /// Cline.
    Cline,
    /// Kiro.
    Kiro,
    /// goose.
    Goose,
    /// OpenClaw, and pi, on which OpenClaw is built.
    Openclaw,
}

impl Agent {
    /// All known agents.
    pub const ALL: [Agent; 12] = [
        Agent::ClaudeCode,
        Agent::Codex,
        Agent::Gemini,
        Agent::Opencode,
        Agent::Copilot,
        Agent::Hermes,
        Agent::Cursor,
        Agent::Windsurf,
        Agent::Cline,
        Agent::Kiro,
        Agent::Goose,
        Agent::Openclaw,
    ];

    fn protocol(self) -> &'static Protocol {
        match self {
            Agent::ClaudeCode => &agents::claude_code::PROTOCOL,
            Agent::Codex => &agents::codex::PROTOCOL,
            Agent::Gemini => &agents::gemini::PROTOCOL,
            Agent::Opencode => &agents::opencode::PROTOCOL,
            Agent::Copilot => &agents::copilot::PROTOCOL,
            Agent::Hermes => &agents::hermes::PROTOCOL,
            Agent::Cursor => &agents::cursor::PROTOCOL,
            Agent::Windsurf => &agents::windsurf::PROTOCOL,
            Agent::Cline => &agents::cline::PROTOCOL,
            Agent::Kiro => &agents::kiro::PROTOCOL,
            Agent::Goose => &agents::goose::PROTOCOL,
            Agent::Openclaw => &agents::openclaw::PROTOCOL,
        }
    }

    /// Returns the agent's name on the command line, in policies (`[agents.NAME]`) and in audit
    /// records.
    pub fn name(self) -> &'static str {
        self.protocol().name
    }

    /// Parses the agent's event. `variables` looks up the environment variables that the agent set
    /// for its hook.
    pub fn read(
        self,
        text: &str,
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Result<HookEvent, EventError> {
        (self.protocol().read)(&event::parse(text)?, variables)
    }

    /// Formats `answer` in the agent's protocol.
    pub fn reply(self, event: &HookEvent, answer: &HookAnswer) -> HookReply {
        (self.protocol().reply)(event, answer)
    }

    /// Formats a refusal for an event that could not be parsed.
    pub fn block(self, reason: &str) -> HookReply {
        (self.protocol().block)(reason)
    }

    /// Returns the settings file that makes the agent call the hook; `program` is the path of
    /// ringfence.
    pub fn setup(self, program: &str) -> HookSetup {
        (self.protocol().setup)(program)
    }

    /// Returns the name of the tool if `call` would change the agent's working directory without
    /// telling the hook about it.
    pub(crate) fn moves_cwd<'c>(self, guard: &Guard, call: &'c Call) -> Option<&'c str> {
        self.cwd_check().and_then(|check| check(guard, call))
    }

    /// Returns the check used by `moves_cwd`, for agents that keep a shell's working directory
    /// between calls.
    fn cwd_check(self) -> Option<for<'c> fn(&Guard, &'c Call) -> Option<&'c str>> {
        match self {
            Agent::Hermes => Some(agents::hermes::moves_cwd),
            _ => None,
        }
    }

    /// Returns how long a person may take to answer before the agent gives up on its hook.
    pub fn answer_timeout(self) -> Duration {
        self.protocol().answer_timeout
    }
}

/// Error: no agent with this name is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownAgent {
    name: String,
}

impl fmt::Display for UnknownAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Agent::ALL.into_iter().map(Agent::name).collect();
        write!(f, "unknown agent `{}`; known agents: {}", self.name, names.join(", "))
    }
}

impl std::error::Error for UnknownAgent {}

impl FromStr for Agent {
    type Err = UnknownAgent;

    fn from_str(name: &str) -> Result<Agent, UnknownAgent> {
        let called = |agent: &Agent| {
            let protocol = agent.protocol();
            protocol.name == name || protocol.aliases.contains(&name)
        };
        Agent::ALL.into_iter().find(called).ok_or_else(|| UnknownAgent { name: name.to_owned() })
    }
}
