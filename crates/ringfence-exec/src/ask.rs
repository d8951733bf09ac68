//! Questions to a person, for calls on which the policy says `ask`.

use std::path::{Path, PathBuf};

use ringfence_guard::Refusal;

/// A question to a person.
#[derive(Debug, Clone, Default)]
pub struct ApprovalQuestion {
    /// The action, in words.
    pub what: String,
    /// The pattern of a rule that would make the question unnecessary.
    pub pattern: Option<String>,
    /// The pattern of exactly this access, if one access is asked about and a pattern can express it.
    pub exact_pattern: Option<String>,
    /// The program that wants to act.
    pub program: String,
    /// The reason of the question.
    pub why: String,
    /// What an answer is bound to besides the words: the directory, the variables, the content of a
    /// script. Equal questions have an equal value. It is never shown.
    pub exact: String,
    /// The exact access as a pattern, if there is one. If it was approved at a hook inside the run,
    /// nobody is asked again.
    pub deed: Option<String>,
    /// The refusal that is sent if the answer is no.
    pub refusal: Option<Refusal>,
}

/// A person's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalAnswer {
    /// No.
    No,
    /// Yes, once: the next equal question is asked again.
    Once,
    /// Yes, until the run ends.
    Session,
}

impl ApprovalAnswer {
    /// Returns whether the answer is yes.
    pub fn is_yes(self) -> bool {
        self != ApprovalAnswer::No
    }
}

/// Asks a person. No answer counts as a no.
pub trait Approver: Send + Sync {
    /// Asks a question. May block, because each call has its own thread.
    fn ask(&self, question: &ApprovalQuestion) -> ApprovalAnswer;

    /// Asks a question; returns `None` if nobody answered.
    fn answer(&self, question: &ApprovalQuestion) -> Option<ApprovalAnswer> {
        Some(self.ask(question))
    }

    /// Asks a question for as long as `waits` returns true. Returns `None` if nobody answered or
    /// the caller stopped waiting. A question without a waiting caller is withdrawn.
    fn answer_while(
        &self,
        question: &ApprovalQuestion,
        waits: &dyn Fn() -> bool,
    ) -> Option<ApprovalAnswer> {
        let _ = waits;
        self.answer(question)
    }

    /// Returns whether a question reaches somebody who could answer it.
    fn can_ask(&self) -> bool {
        true
    }

    /// Returns the socket to which hooks inside the run send their events, if there is one.
    fn hook_socket(&self) -> Option<&Path> {
        None
    }

    /// Returns the directories in which answers are received. Nothing inside a run can reach them,
    /// whatever its policy says, so that a run cannot answer its own questions.
    fn answer_dirs(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// An approver for runs in which nobody can be asked: every question is declined.
#[derive(Debug, Clone, Copy)]
pub struct NoApprover;

impl Approver for NoApprover {
    fn ask(&self, _question: &ApprovalQuestion) -> ApprovalAnswer {
        ApprovalAnswer::No
    }

    fn answer(&self, _question: &ApprovalQuestion) -> Option<ApprovalAnswer> {
        None
    }

    fn can_ask(&self) -> bool {
        false
    }
}
