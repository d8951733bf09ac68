//! The questions under way, and the answers that still hold.

use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::wire::Shown;
use super::{Times, id};
use crate::ask::{Answer, Question};

/// The most questions that wait at one time: a program that asks everything is not to bury a
/// person, or the one question that matters.
const MOST: usize = 64;
/// The most answers that are remembered.
const MOST_KNOWN: usize = 4096;

/// How often it is looked whether whoever asked still waits.
const LOOK: Duration = Duration::from_millis(200);

/// What makes questions equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    what: String,
    program: String,
    exact: String,
}

impl Key {
    fn of(question: &Question) -> Key {
        let Question { what, pattern, program, exact, .. } = question.clone();
        // One file has several names, and a shell that was refused one tries the next.
        Key { what: pattern.unwrap_or(what), program, exact }
    }
}

/// A question that waits, or whose answer not all have heard yet.
struct Entry {
    id: String,
    key: Key,
    question: Question,
    since: Instant,
    answer: Option<Answer>,
    /// Whether nobody answered in time.
    is_late: bool,
    waiting: usize,
}

#[derive(Default)]
struct State {
    entries: Vec<Entry>,
    agreed: HashSet<Key>,
    refused: HashMap<Key, Instant>,
    unanswered: u64,
    closed: bool,
}

impl State {
    /// One less waits for the answer; a question for which nobody does is gone.
    fn let_go(&mut self, id: &str) {
        for entry in self.entries.iter_mut().filter(|own| own.id == id) {
            entry.waiting = entry.waiting.saturating_sub(1);
        }
        self.entries.retain(|own| own.waiting > 0);
    }
}

/// What became of a question that was put.
pub(super) enum Turn {
    /// It was answered before.
    Known(Answer),
    /// An equal one waits already.
    Joined(String),
    /// It waits now.
    New(String),
}

/// What those who ask and those who answer share.
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    times: Times,
}

impl Shared {
    pub(super) fn new(times: Times) -> Shared {
        Shared { state: Mutex::default(), changed: Condvar::new(), times }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer that still holds.
    pub(super) fn known(&self, question: &Question) -> Option<Answer> {
        self.known_in(&self.lock(), &Key::of(question))
    }

    fn known_in(&self, state: &State, key: &Key) -> Option<Answer> {
        let stands = |since: &Instant| since.elapsed() < self.times.stands;
        if state.closed || state.refused.get(key).is_some_and(stands) {
            return Some(Answer::No);
        }
        state.agreed.contains(key).then_some(Answer::Session)
    }

    /// Puts a question. Those who ask the same at one time share the answer.
    pub(super) fn put(&self, question: &Question) -> Turn {
        let key = Key::of(question);
        let mut state = self.lock();
        if let Some(answer) = self.known_in(&state, &key) {
            return Turn::Known(answer);
        }
        let equal = |entry: &&mut Entry| entry.key == key && entry.answer.is_none();
        if let Some(entry) = state.entries.iter_mut().find(equal) {
            entry.waiting = entry.waiting.saturating_add(1);
            return Turn::Joined(entry.id.clone());
        }
        // Too many at once, or no way to name it: a no, as for whatever nobody answers.
        let Some(id) = id::new().ok().filter(|_| state.entries.len() < MOST) else {
            state.unanswered = state.unanswered.saturating_add(1);
            return Turn::Known(Answer::No);
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
        Turn::New(id)
    }

    /// Waits for the answer; none where nobody gave one in time, or whoever asked waits no more.
    pub(super) fn wait(&self, id: &str, waits: &dyn Fn() -> bool) -> Option<Answer> {
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
                self.settle_in(&mut state, id, Answer::No);
                continue;
            }
            let waited = self.changed.wait_timeout(state, left.min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Answers a question; whether it was waiting.
    pub(super) fn settle(&self, id: &str, answer: Answer) -> bool {
        self.settle_in(&mut self.lock(), id, answer)
    }

    fn settle_in(&self, state: &mut State, id: &str, answer: Answer) -> bool {
        let waits = |own: &&mut Entry| own.id == id && own.answer.is_none();
        let Some(entry) = state.entries.iter_mut().find(waits) else { return false };
        // One that came too late is none, though nobody has noticed yet.
        let late = entry.since.elapsed() >= self.times.limit;
        let answer = if late { Answer::No } else { answer };
        entry.answer = Some(answer);
        entry.is_late = late;
        let key = entry.key.clone();
        match answer {
            Answer::Once => {}
            Answer::Session if state.agreed.len() < MOST_KNOWN => drop(state.agreed.insert(key)),
            Answer::Session => {}
            Answer::No => {
                state.refused.retain(|_, since| since.elapsed() < self.times.stands);
                if state.refused.len() < MOST_KNOWN {
                    state.refused.insert(key, Instant::now());
                }
            }
        }
        self.changed.notify_all();
        !late || answer == Answer::No
    }

    /// The questions that wait, oldest first.
    pub(super) fn shown(&self) -> Vec<Shown> {
        let state = self.lock();
        let waiting = state.entries.iter().filter(|entry| entry.answer.is_none());
        waiting.map(|entry| self.show(entry)).collect()
    }

    /// A question, while it waits.
    pub(super) fn shown_one(&self, id: &str) -> Option<Shown> {
        let state = self.lock();
        let entry = state.entries.iter().find(|own| own.id == id && own.answer.is_none())?;
        Some(self.show(entry))
    }

    fn show(&self, entry: &Entry) -> Shown {
        let age = entry.since.elapsed();
        let Question { what, pattern, program, why, .. } = entry.question.clone();
        let left = self.times.limit.saturating_sub(age).as_secs();
        Shown { id: entry.id.clone(), age: age.as_secs(), left, program, what, why, pattern }
    }

    pub(super) fn unanswered(&self) -> u64 {
        self.lock().unanswered
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Answers no to everything, now and later.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        for entry in state.entries.iter_mut().filter(|entry| entry.answer.is_none()) {
            entry.answer = Some(Answer::No);
        }
        self.changed.notify_all();
    }
}
