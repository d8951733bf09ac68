//! Requests that wait for their answers.

use crate::id::Id;
use crate::method::Answer;

/// The requests of one side.
///
/// They mostly are few, and a list that is sorted by their ids needs no memory for each of them.
#[derive(Debug, Default)]
pub(crate) struct Pending(Vec<(Id, Request)>);

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
        match self.find(&id) {
            Ok(_) => Err(Full::SameId),
            Err(_) if self.0.len() >= MOST => Err(Full::TooMany),
            Err(at) => {
                self.0.insert(at, (id, Request { answer, stage, moments: 0 }));
                Ok(())
            }
        }
    }

    /// The request that an answer is for; it waits no longer.
    pub(crate) fn take(&mut self, id: &Id) -> Option<Request> {
        let at = self.find(id).ok()?;
        Some(self.0.remove(at).1)
    }

    /// The same for one that the other side has. Who answers what it was never given knows nothing of it.
    pub(crate) fn take_sent(&mut self, id: &Id) -> Option<Request> {
        let is_sent = self.stage(id) == Some(Stage::Sent);
        is_sent.then(|| self.take(id)).flatten()
    }

    /// How far a request has come.
    pub(crate) fn stage(&self, id: &Id) -> Option<Stage> {
        let at = self.find(id).ok()?;
        self.0.get(at).map(|(_, request)| request.stage)
    }

    /// Takes a request to its next stage; whether it still waits.
    pub(crate) fn sent(&mut self, id: &Id) -> bool {
        let at = self.find(id).ok();
        let request = at.and_then(|at| self.0.get_mut(at));
        let waits = request.is_some();
        if let Some((_, request)) = request {
            request.stage = Stage::Sent;
        }
        waits
    }

    /// Where a request stands, or would.
    fn find(&self, id: &Id) -> Result<usize, usize> {
        self.0.binary_search_by(|(own, _)| own.cmp(id))
    }

    /// Whether none waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A moment has passed, in which the other side spoke or did not; what has waited for `most` of
    /// them in silence waits no longer.
    pub(crate) fn moment(&mut self, spoke: bool, most: u32) -> Vec<(Id, Request)> {
        for (_, request) in &mut self.0 {
            let counts = request.stage == Stage::Sent && request.answer != Answer::Stream;
            request.moments = if spoke || !counts { 0 } else { request.moments.saturating_add(1) };
        }
        self.0.extract_if(.., |(_, request)| request.moments > most).collect()
    }

    /// All that wait; they wait no longer.
    pub(crate) fn take_all(&mut self) -> Vec<Id> {
        std::mem::take(&mut self.0).into_iter().map(|(id, _)| id).collect()
    }
}
