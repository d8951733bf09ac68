//! What becomes of a line.

use super::{Side, Step};
use crate::outgoing::Outgoing;

/// What becomes of a line.
///
/// Nearly every message goes on as it came. That is a case of its own, so that it takes no memory.
#[derive(Debug)]
pub(crate) enum Next<'a> {
    /// It goes on to the other side.
    Onwards(Outgoing<'a>),
    /// This is done instead.
    Steps(Vec<Step>),
}

impl Next<'_> {
    /// All that is to be done, for a line from this side.
    pub(super) fn steps(self, side: Side) -> Vec<Step> {
        match self {
            Next::Onwards(message) => vec![side.onwards(message.into_owned())],
            Next::Steps(steps) => steps,
        }
    }
}

impl From<Step> for Next<'_> {
    fn from(step: Step) -> Self {
        Next::Steps(vec![step])
    }
}

impl From<Vec<Step>> for Next<'_> {
    fn from(steps: Vec<Step>) -> Self {
        Next::Steps(steps)
    }
}
