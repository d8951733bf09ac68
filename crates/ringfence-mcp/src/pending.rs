//! Requests that wait for their answers.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::id::Id;
use crate::method::Answer;

/// The requests of one side.
#[derive(Debug, Default)]
pub(crate) struct Pending(BTreeMap<Id, Request>);

/// A request that waits.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) answer: Answer,
    pub(crate) stage: Stage,
    /// The moments that it has waited for without a word of the other side.
    moments: u32,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A person is being asked about it.
    Asked,
    /// The other side has it.
    Sent,
}

/// More requests than this at one time are refused: each is remembered until it is answered.
const MOST: usize = 10_000;

/// Why a request cannot wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// One with the same id waits already, and an answer would not say which of them it is for.
    SameId,
    /// Too many wait.
    TooMany,
}

impl Pending {
    /// Remembers a request.
    pub(crate) fn add(&mut self, id: Id, answer: Answer, stage: Stage) -> Result<(), Full> {
        let is_full = self.0.len() >= MOST;
        match self.0.entry(id) {
            Entry::Occupied(_) => Err(Full::SameId),
            Entry::Vacant(_) if is_full => Err(Full::TooMany),
            Entry::Vacant(free) => {
                free.insert(Request { answer, stage, moments: 0 });
                Ok(())
            }
        }
    }

    /// The request that an answer is for; it waits no longer.
    pub(crate) fn take(&mut self, id: &Id) -> Option<Request> {
        self.0.remove(id)
    }

    /// How far a request has come.
    pub(crate) fn stage(&self, id: &Id) -> Option<Stage> {
        self.0.get(id).map(|request| request.stage)
    }

    /// Takes a request to its next stage; whether it still waits.
    pub(crate) fn sent(&mut self, id: &Id) -> bool {
        let request = self.0.get_mut(id);
        let waits = request.is_some();
        if let Some(request) = request {
            request.stage = Stage::Sent;
        }
        waits
    }

    /// Whether none waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A moment has passed, in which the other side spoke or did not; what has waited for `most` of
    /// them in silence waits no longer.
    pub(crate) fn moment(&mut self, spoke: bool, most: u32) -> Vec<(Id, Request)> {
        for request in self.0.values_mut() {
            let counts = request.stage == Stage::Sent && request.answer != Answer::Stream;
            request.moments = if spoke || !counts { 0 } else { request.moments.saturating_add(1) };
        }
        self.0.extract_if(.., |_, request| request.moments > most).collect()
    }

    /// All that wait; they wait no longer.
    pub(crate) fn take_all(&mut self) -> Vec<Id> {
        std::mem::take(&mut self.0).into_keys().collect()
    }
}
