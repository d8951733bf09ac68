//! Where questions are put, and what came of them.

use std::sync::Arc;

use ringfence_exec::queue::{PersistentQuestions, RunInfo};
use ringfence_exec::{ApprovalAnswer, ApprovalQuestion, Approver};
use ringfence_guard::Approval;

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// It may be done.
    Yes,
    /// It may be done as often as it is asked for, until the gateway ends.
    Always,
    /// A person said no.
    No,
    /// Nobody answered in time. Where the question is kept, it waits under this name.
    Nothing(Option<String>),
    /// Nobody could be asked. Where the question is kept, it waits under this name.
    Unasked(Option<String>),
}

impl Said {
    /// Returns the approval, if a person agreed.
    pub(crate) fn approval(&self) -> Option<Approval> {
        matches!(self, Said::Yes | Said::Always).then(Approval::by_person)
    }
}

/// Puts questions to people: first those who are there, then a note for those who come later.
pub struct Desk {
    approver: Arc<dyn Approver>,
    kept: Option<(PersistentQuestions, RunInfo)>,
}

impl Desk {
    /// A desk at which nothing is kept.
    pub fn new(approver: Arc<dyn Approver>) -> Desk {
        Desk { approver, kept: None }
    }

    /// Keeps what nobody answered; the same call passes once it was answered there.
    #[must_use]
    pub fn protecting_files(mut self, shelf: PersistentQuestions, run: RunInfo) -> Desk {
        self.kept = Some((shelf, run));
        self
    }

    /// Asks, while somebody waits; it may take as long as the approver has patience.
    pub(crate) fn ask(
        &self,
        question: &ApprovalQuestion,
        keeps: Keeps,
        waits: &dyn Fn() -> bool,
    ) -> Said {
        let kept = self.kept.as_ref().filter(|_| keeps == Keeps::Yes);
        // An answer holds at every gateway of this server: clients start them anew.
        let session = format!("mcp {}", question.program);
        if let Some(answer) = kept.and_then(|(shelf, _)| shelf.earlier_answer(question, &session)) {
            return answer.into();
        }
        if let Some(answer) = self.approver.answer_while(question, waits) {
            return answer.into();
        }
        let id = kept
            .filter(|_| waits())
            .and_then(|(shelf, run)| shelf.store(run, question, &session).ok());
        match self.approver.can_ask() {
            true => Said::Nothing(id),
            false => Said::Unasked(id),
        }
    }
}

/// Whether a question can be answered later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    Yes,
    No,
}

impl From<ApprovalAnswer> for Said {
    fn from(answer: ApprovalAnswer) -> Said {
        match answer {
            ApprovalAnswer::No => Said::No,
            ApprovalAnswer::Once => Said::Yes,
            // Whoever gave it remembers it.
            ApprovalAnswer::Session => Said::Yes,
        }
    }
}
