//! Where a question is shown as soon as it is put.

use std::sync::Arc;

use super::state::Shared;
use super::wire::Shown;
use crate::ask::Answer;

/// Shows questions to a person who may be looking: a terminal, a pop-up.
pub trait Desk: Send + Sync {
    /// Shows a question. It may block, in a thread of its own; several can be shown at one time,
    /// and each may be answered elsewhere meanwhile.
    fn show(&self, waiting: &Waiting);
}

/// A question that was put.
pub struct Waiting {
    shared: Arc<Shared>,
    id: String,
}

impl Waiting {
    pub(super) fn new(shared: Arc<Shared>, id: String) -> Waiting {
        Waiting { shared, id }
    }

    /// The question, while it waits.
    pub fn question(&self) -> Option<Shown> {
        self.shared.shown_one(&self.id)
    }

    /// Answers it; whether it was still waiting.
    pub fn answer(&self, answer: Answer) -> bool {
        self.shared.settle(&self.id, answer)
    }
}
