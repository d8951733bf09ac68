//! The agents whose hooks are known, by name.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ringfence_guard::{Call, Guard};
use serde_json::Value;

use crate::agents;
use crate::answer::{Answer, Reply};
use crate::event::{self, Event, Unreadable};
use crate::setup::Setup;

/// What is asked of the environment: the value of a variable.
pub(crate) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How one agent speaks with its hooks.
pub(crate) struct Protocol {
    /// The name on the command line, in policies and in records.
    pub(crate) name: &'static str,
    /// Other names that people use for it.
    pub(crate) aliases: &'static [&'static str],
    /// From the agent's event to what it asks for.
    pub(crate) read: fn(&Value, Variables<'_>) -> Result<Event, Unreadable>,
    /// The answer in the agent's words.
    pub(crate) reply: fn(&Event, &Answer) -> Reply,
    /// The agent's words for "no" to whatever it was that could not be understood.
    pub(crate) block: fn(&str) -> Reply,
    /// What makes the agent call the hook.
    pub(crate) setup: fn(&str) -> Setup,
    /// How long a person may take to answer. A hook that the agent gives up on is a hook that says
    /// nothing, and most agents then go on.
    pub(crate) patience: Duration,
}

/// An agent whose hooks are known.
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
    /// OpenClaw, and pi on which it is built.
    Openclaw,
}

impl Agent {
    /// Every agent.
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

    /// Its name on the command line, in policies (`[agents.NAME]`) and in records.
    pub fn name(self) -> &'static str {
        self.protocol().name
    }

    /// What its event asks for. `variables` are those that the agent set for its hook.
    pub fn read(
        self,
        text: &str,
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Event, Unreadable> {
        (self.protocol().read)(&event::parse(text)?, variables)
    }

    /// The answer in its own words.
    pub fn reply(self, event: &Event, answer: &Answer) -> Reply {
        (self.protocol().reply)(event, answer)
    }

    /// Its words for "no", where the event itself could not be understood.
    pub fn block(self, reason: &str) -> Reply {
        (self.protocol().block)(reason)
    }

    /// What makes it call the hook, where `program` is ringfence.
    pub fn setup(self, program: &str) -> Setup {
        (self.protocol().setup)(program)
    }

    /// The tool by which a call would leave the agent in a directory of which its hook is not told.
    pub(crate) fn wanders<'c>(self, guard: &Guard, call: &'c Call) -> Option<&'c str> {
        self.wandering().and_then(|wanders| wanders(guard, call))
    }

    /// How to tell by which tool a call wanders, for agents that go on where their last line ended.
    fn wandering(self) -> Option<for<'c> fn(&Guard, &'c Call) -> Option<&'c str>> {
        match self {
            Agent::Hermes => Some(agents::hermes::wanders),
            _ => None,
        }
    }

    /// How long a person may take to answer before it gives up on its hook.
    pub fn patience(self) -> Duration {
        self.protocol().patience
    }
}

/// No agent of this name is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownAgent {
    name: String,
}

impl fmt::Display for UnknownAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Agent::ALL.into_iter().map(Agent::name).collect();
        write!(f, "no agent `{}` is known; these are: {}", self.name, names.join(", "))
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
