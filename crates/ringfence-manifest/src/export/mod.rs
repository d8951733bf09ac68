//! A policy as permission rules of other programs.
//!
//! What another format cannot say is told as a [`Difference`], with the place of the rule and the
//! direction. A rule that cannot be said exactly becomes narrower there, or is left to a question.
//!
//! The others match commands as text, with any operands where a rule is open; here every path and
//! host among the operands is judged. So an open rule is left to a question, unless whoever asks
//! takes the operands upon themselves, and a rule on one exact command has the verdict that the
//! policy gives that command. Nothing here decides: the verdicts come from the caller.

mod claude;
mod codex;
mod gemini;
mod opencode;
mod sayable;
mod survey;
mod texts;

use ringfence_core::{Document, Effect};

pub use crate::import::{Difference, Way};
use survey::Survey;

/// A format that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// `permissions` in Claude Code's settings.
    Claude,
    /// A rules file of Codex CLI.
    Codex,
    /// A policy of Gemini CLI.
    Gemini,
    /// `permission` in opencode's configuration.
    Opencode,
}

impl Target {
    /// Every format.
    pub const ALL: [Target; 4] = [Target::Claude, Target::Codex, Target::Gemini, Target::Opencode];

    /// The word for it on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Target::Claude => "claude",
            Target::Codex => "codex",
            Target::Gemini => "gemini",
            Target::Opencode => "opencode",
        }
    }

    /// The format that a word names.
    pub fn from_word(word: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|own| own.as_str() == word)
    }
}

/// What becomes of rules that take any operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// They ask: the other program does not judge operands.
    Asked,
    /// They allow, whatever the operands are.
    Trusted,
}

/// Rules of another program, and where they differ from the policy.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// How many rules the policy has.
    pub rules: usize,
    /// What could not be carried over exactly; first what holds for all of it.
    pub differences: Vec<Difference>,
}

/// A policy that is to be written for another program.
pub struct Policy<'p> {
    /// What grants.
    pub document: &'p Document,
    /// What narrows.
    pub ceilings: &'p [Document],
    /// What the policy says to a line for a shell.
    pub verdict: &'p dyn Fn(&str) -> Effect,
}

/// Writes a policy for another program.
pub fn export(to: Target, policy: &Policy<'_>, operands: Operands) -> Exported {
    let mut survey = Survey::new(policy, operands);
    let text = match to {
        Target::Claude => claude::write(&mut survey),
        Target::Codex => codex::write(&mut survey),
        Target::Gemini => gemini::write(&mut survey),
        Target::Opencode => opencode::write(&mut survey),
    };
    survey.differences.sort_by_key(|own| (own.line, own.column));
    Exported { text, rules: policy.document.rules.len(), differences: survey.differences }
}
