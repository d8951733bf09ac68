//! Shows a question to a person as soon as it is asked.

use std::sync::Arc;

use super::state::Shared;
use super::wire::QuestionSummary;
use crate::ask::ApprovalAnswer;

/// Shows questions to a person who may be present, for example on a terminal or as a desktop
/// notice.
pub trait QuestionDisplay: Send + Sync {
    /// Shows a question. May block, because each call has its own thread. The question may be
    /// answered elsewhere meanwhile.
    fn show(&self, waiting: &PendingQuestion);
}

/// A pending question.
pub struct PendingQuestion {
    shared: Arc<Shared>,
    id: String,
}

impl PendingQuestion {
    pub(super) fn new(shared: Arc<Shared>, id: String) -> PendingQuestion {
        PendingQuestion { shared, id }
    }

    /// Returns the question while it is pending.
    pub fn question(&self) -> Option<QuestionSummary> {
        self.shared.shown_one(&self.id)
    }

    /// Answers the question. Returns whether it was still pending.
    pub fn answer(&self, answer: ApprovalAnswer) -> bool {
        self.shared.settle(&self.id, answer)
    }
}
