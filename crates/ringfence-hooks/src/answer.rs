//! Answers to an agent, before and after they are formatted in its protocol.

use ringfence_guard::Refusal;
use serde_json::Value;

/// The answer to an agent's call, independent of any protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAnswer {
    /// The call may run; nobody is asked.
    Allow,
    /// ringfence gives no answer: the agent's own permissions decide.
    NoOpinion,
    /// The agent should show its own prompt with this text.
    Prompt(String),
    /// The call must not run; the text tells the agent why.
    Block(String),
}

impl From<&Refusal> for HookAnswer {
    fn from(refusal: &Refusal) -> HookAnswer {
        HookAnswer::Block(refusal.to_json().to_string())
    }
}

/// The hook's output: stdout, stderr and exit status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookReply {
    /// The text for stdout.
    pub stdout: String,
    /// The text for stderr: the reason of a refusal that is told by exit status.
    pub stderr: String,
    /// The exit status.
    pub status: u8,
}

impl HookReply {
    /// Returns an empty reply with status 0.
    pub(crate) fn silent() -> HookReply {
        HookReply::default()
    }

    /// Returns a reply that prints a JSON value on stdout.
    pub(crate) fn json(value: &Value) -> HookReply {
        HookReply { stdout: value.to_string(), ..HookReply::default() }
    }

    /// Returns a refusal by exit status, with the reason on stderr.
    pub(crate) fn refused(reason: &str) -> HookReply {
        HookReply { stdout: String::new(), stderr: reason.to_owned(), status: REFUSED }
    }

    /// Adds the refusal by exit status to a JSON refusal, for agents that read only one of the two.
    pub(crate) fn and_refused(mut self, reason: &str) -> HookReply {
        self.stderr = reason.to_owned();
        self.status = REFUSED;
        self
    }
}

/// The exit status that means "no" to Claude Code and to agents that copied its protocol.
const REFUSED: u8 = 2;
