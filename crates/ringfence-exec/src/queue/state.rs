//! The pending questions of a run, and the answers that still apply.

use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::wire::QuestionSummary;
use super::{QueueTimeouts, id};
use crate::ask::{ApprovalAnswer, ApprovalQuestion};

/// The maximum number of pending questions, so that a program cannot hide an important question
/// among many.
const MOST: usize = 64;
/// The maximum number of remembered answers.
const MOST_KNOWN: usize = 4096;

/// How often to check whether the asking process still waits.
const LOOK: Duration = Duration::from_millis(200);

/// The parts of a question that equal questions share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct QuestionKey {
    what: String,
    program: String,
    exact: String,
}

impl QuestionKey {
    fn of(question: &ApprovalQuestion) -> QuestionKey {
        let ApprovalQuestion { what, pattern, program, exact, .. } = question.clone();
        // The pattern covers all names of a file; a shell that was refused one name tries the next.
        QuestionKey { what: pattern.unwrap_or(what), program, exact }
    }
}

/// A pending question, or one whose answer not every waiter has read.
struct Entry {
    id: String,
    key: QuestionKey,
    question: ApprovalQuestion,
    since: Instant,
    answer: Option<ApprovalAnswer>,
    /// Whether the time limit passed without an answer.
    is_late: bool,
    waiting: usize,
}

#[derive(Default)]
struct State {
    entries: Vec<Entry>,
    agreed: HashSet<QuestionKey>,
    refused: HashMap<QuestionKey, Instant>,
    unanswered: u64,
    closed: bool,
}

impl State {
    /// Removes one waiter; without waiters, the question is removed.
    fn let_go(&mut self, id: &str) {
        for entry in self.entries.iter_mut().filter(|own| own.id == id) {
            entry.waiting = entry.waiting.saturating_sub(1);
        }
        self.entries.retain(|own| own.waiting > 0);
    }
}

/// The result of submitting a question.
pub(super) enum Submission {
    /// An earlier answer applies.
    Known(ApprovalAnswer),
    /// An equal question is pending under this ID.
    Joined(String),
    /// The question is now pending under this ID.
    New(String),
}

/// The state shared by the threads that ask and the threads that answer.
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    times: QueueTimeouts,
    /// The name of the run, for answers that last as long as it does.
    session: String,
}

impl Shared {
    pub(super) fn new(times: QueueTimeouts, session: String) -> Shared {
        Shared { state: Mutex::default(), changed: Condvar::new(), times, session }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an earlier answer that still applies.
    pub(super) fn known(&self, question: &ApprovalQuestion) -> Option<ApprovalAnswer> {
        self.known_in(&self.lock(), &QuestionKey::of(question))
    }

    fn known_in(&self, state: &State, key: &QuestionKey) -> Option<ApprovalAnswer> {
        let stands = |since: &Instant| since.elapsed() < self.times.stands;
        if state.closed || state.refused.get(key).is_some_and(stands) {
            return Some(ApprovalAnswer::No);
        }
        state.agreed.contains(key).then_some(ApprovalAnswer::Session)
    }

    /// Submits a question. Concurrent equal questions share one answer.
    pub(super) fn put(&self, question: &ApprovalQuestion) -> Submission {
        let key = QuestionKey::of(question);
        let mut state = self.lock();
        if let Some(answer) = self.known_in(&state, &key) {
            return Submission::Known(answer);
        }
        let equal = |entry: &&mut Entry| entry.key == key && entry.answer.is_none();
        if let Some(entry) = state.entries.iter_mut().find(equal) {
            entry.waiting = entry.waiting.saturating_add(1);
            return Submission::Joined(entry.id.clone());
        }
        // With too many pending questions, or without a random ID, the answer is "no", as for an
        // unanswered question.
        let Some(id) = id::new().ok().filter(|_| state.entries.len() < MOST) else {
            state.unanswered = state.unanswered.saturating_add(1);
            return Submission::Known(ApprovalAnswer::No);
        };
        let (since, question) = (Instant::now(), question.clone());
        let entry = Entry {
            id: id.clone(),
            key,
            question,
            since,
            answer: None,
            is_late: false,
            waiting: 1,
        };
        state.entries.push(entry);
        Submission::New(id)
    }

    /// Waits for the answer. Returns `None` if none came in time, or if `waits` returns false.
    pub(super) fn wait(&self, id: &str, waits: &dyn Fn() -> bool) -> Option<ApprovalAnswer> {
        let mut state = self.lock();
        loop {
            if !waits() {
                state.let_go(id);
                return None;
            }
            let entry = state.entries.iter_mut().find(|own| own.id == id)?;
            let left = self.times.limit.saturating_sub(entry.since.elapsed());
            if let Some(answer) = entry.answer {
                let is_said = !entry.is_late;
                state.let_go(id);
                return is_said.then_some(answer);
            }
            if left.is_zero() {
                state.unanswered = state.unanswered.saturating_add(1);
                self.settle_in(&mut state, id, ApprovalAnswer::No);
                continue;
            }
            let waited = self.changed.wait_timeout(state, left.min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Answers a question. Returns whether it was pending.
    pub(super) fn settle(&self, id: &str, answer: ApprovalAnswer) -> bool {
        self.settle_in(&mut self.lock(), id, answer)
    }

    fn settle_in(&self, state: &mut State, id: &str, answer: ApprovalAnswer) -> bool {
        let waits = |own: &&mut Entry| own.id == id && own.answer.is_none();
        let Some(entry) = state.entries.iter_mut().find(waits) else { return false };
        // An answer after the time limit is ignored, even if no thread has noticed the timeout.
        let late = entry.since.elapsed() >= self.times.limit;
        let answer = if late { ApprovalAnswer::No } else { answer };
        entry.answer = Some(answer);
        entry.is_late = late;
        let key = entry.key.clone();
        match answer {
            ApprovalAnswer::Once => {}
            ApprovalAnswer::Session if state.agreed.len() < MOST_KNOWN => {
                state.agreed.insert(key);
            }
            ApprovalAnswer::Session => {}
            ApprovalAnswer::No => {
                state.refused.retain(|_, since| since.elapsed() < self.times.stands);
                if state.refused.len() < MOST_KNOWN {
                    state.refused.insert(key, Instant::now());
                }
            }
        }
        self.changed.notify_all();
        !late || answer == ApprovalAnswer::No
    }

    /// Returns the pending questions, oldest first.
    pub(super) fn shown(&self) -> Vec<QuestionSummary> {
        let state = self.lock();
        let waiting = state.entries.iter().filter(|entry| entry.answer.is_none());
        waiting.map(|entry| self.show(entry)).collect()
    }

    /// Returns one question while it is pending.
    pub(super) fn shown_one(&self, id: &str) -> Option<QuestionSummary> {
        let state = self.lock();
        let entry = state.entries.iter().find(|own| own.id == id && own.answer.is_none())?;
        Some(self.show(entry))
    }

    fn show(&self, entry: &Entry) -> QuestionSummary {
        let age = entry.since.elapsed();
        let ApprovalQuestion { what, pattern, exact_pattern, program, why, .. } =
            entry.question.clone();
        let left = self.times.limit.saturating_sub(age).as_secs();
        QuestionSummary {
            id: entry.id.clone(),
            age: age.as_secs(),
            left,
            program,
            what,
            why,
            pattern,
            exact_pattern,
            session: self.session.clone(),
        }
    }

    pub(super) fn unanswered(&self) -> u64 {
        self.lock().unanswered
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Declines all pending and future questions.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        for entry in state.entries.iter_mut().filter(|entry| entry.answer.is_none()) {
            entry.answer = Some(ApprovalAnswer::No);
        }
        self.changed.notify_all();
    }
}
