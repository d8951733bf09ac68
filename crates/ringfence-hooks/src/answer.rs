//! What an agent is told.

use ringfence_guard::Refusal;
use serde_json::Value;

/// What an agent is told about its call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may be done, without asking anybody.
    Allow,
    /// Nothing is said about it: the agent's own permissions decide.
    NoOpinion,
    /// The agent is to show its own prompt, with this text.
    Prompt(String),
    /// It may not be done, and the agent reads why.
    Block(String),
}

impl From<&Refusal> for Answer {
    fn from(refusal: &Refusal) -> Answer {
        Answer::Block(refusal.to_json().to_string())
    }
}

/// What a hook says to its agent: what it prints, and how it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// What is printed for the agent's program.
    pub stdout: String,
    /// What is printed for the agent's program where the ending says "no".
    pub stderr: String,
    /// How the process ends.
    pub status: u8,
}

impl Reply {
    /// Nothing is said.
    pub(crate) fn silent() -> Reply {
        Reply::default()
    }

    /// A value is printed.
    pub(crate) fn json(value: &Value) -> Reply {
        Reply { stdout: value.to_string(), ..Reply::default() }
    }

    /// The process ends with the status that many agents take for "no", and the reason beside it.
    pub(crate) fn refused(reason: &str) -> Reply {
        Reply { stdout: String::new(), stderr: reason.to_owned(), status: REFUSED }
    }

    /// The same words, and the status for "no" as well: whichever of the two the agent looks at.
    pub(crate) fn and_refused(mut self, reason: &str) -> Reply {
        self.stderr = reason.to_owned();
        self.status = REFUSED;
        self
    }
}

/// The status that Claude Code, and others after it, take for "no".
const REFUSED: u8 = 2;
