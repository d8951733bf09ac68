//! Questions that wait for a person, on a socket in the user's runtime directory.
//!
//! A run that has a question listens there; `ringfence pending`, `approve` and `deny` speak to it.
//! Whoever is inside a run is never listened to, and nothing inside can reach the socket.

pub mod channel;
mod client;
mod desk;
mod id;
mod passes;
mod peer;
pub(crate) mod place;
mod server;
mod shelf;
mod slips;
mod state;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

pub use client::{Found, Seen, Unanswerable, answer, pending};
pub use desk::{Desk, Waiting};
pub use place::places;
pub use shelf::{Held, Shelf, fingerprints};
pub use slips::{Slip, Slips};
pub use wire::{Run, Shown};

use crate::ask::{Answer, Approver, Question};
use passes::Passes;
use server::Server;
use state::{Shared, Turn};

/// How long things last.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// How long a person has to answer; no answer is a no.
    pub limit: Duration,
    /// How long a no stands before the same thing is asked again: a program that tries again and
    /// again is not to wear a person out.
    pub stands: Duration,
}

impl Default for Times {
    fn default() -> Times {
        Times { limit: Duration::from_secs(120), stands: Duration::from_secs(30) }
    }
}

/// Questions of one run that wait for a person.
///
/// Nothing is made before the first question: a run without questions costs nothing.
pub struct Queue {
    shared: Arc<Shared>,
    run: Run,
    places: Vec<PathBuf>,
    desk: Option<Arc<dyn Desk>>,
    server: Mutex<Listening>,
    /// Whether nobody is there who could answer.
    is_alone: bool,
    /// How many questions were not put, because nobody is there.
    not_put: AtomicU64,
    /// Answers that were given beforehand.
    slips: Option<Slips>,
    /// Answers that were given at a hook inside.
    passes: Passes,
    /// Where hooks inside hand over their events.
    channel: OnceLock<PathBuf>,
}

/// Whether the queue listens, and whether that was tried.
#[derive(Default)]
struct Listening {
    tried: bool,
    server: Option<Server>,
}

impl Queue {
    /// A queue for a run that listens in the first of these places that serves.
    pub fn new(run: Run, places: Vec<PathBuf>, times: Times) -> Queue {
        Queue {
            shared: Arc::new(Shared::new(times)),
            run,
            places,
            desk: None,
            server: Mutex::default(),
            is_alone: false,
            not_put: AtomicU64::new(0),
            slips: None,
            passes: Passes::default(),
            channel: OnceLock::new(),
        }
    }

    /// The run whose questions these are.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Lets hooks inside hand over their events there.
    pub fn hears_hooks_at(&self, socket: &Path) {
        let _ = self.channel.set(socket.to_owned());
    }

    /// Remembers what was agreed to at a hook inside, so that the gate does not ask again.
    pub fn agree(&self, deeds: &[String], answer: Answer) {
        self.passes.give(deeds, answer);
    }

    /// The answer to a call that was agreed to at a hook inside and was not made yet.
    pub fn agreed(&self, deeds: &[String]) -> Option<Answer> {
        self.passes.known(deeds)
    }

    /// Takes answers that were given beforehand.
    #[must_use]
    pub fn with(mut self, slips: Slips) -> Queue {
        self.slips = Some(slips);
        self
    }

    /// What a person said before anybody asked.
    fn given(&self, question: &Question) -> Option<Answer> {
        let asked = [question.pattern.clone()?];
        let session = format!("run {}", self.run.pid);
        self.slips.as_ref()?.take(&asked, &session, Some(Path::new(&self.run.directory)))
    }

    /// Puts no question, because nobody is there who could answer: each is a no at once.
    #[must_use]
    pub fn for_nobody(mut self) -> Queue {
        self.is_alone = true;
        self
    }

    /// How many questions were not put, because nobody was there.
    pub fn not_put(&self) -> u64 {
        self.not_put.load(Ordering::Acquire)
    }

    /// Shows each question there as well.
    #[must_use]
    pub fn shown_at(mut self, desk: Arc<dyn Desk>) -> Queue {
        self.desk = Some(desk);
        self
    }

    /// How many questions nobody answered in time.
    pub fn unanswered(&self) -> u64 {
        self.shared.unanswered()
    }

    /// Answers no to everything that waits, and listens no more.
    pub fn close(&self) {
        self.shared.close();
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        *server = Listening { tried: true, server: None };
    }

    /// Listens, from the first question on; whether anybody can answer.
    fn listen(&self) -> bool {
        let mut listening = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        if !listening.tried {
            listening.tried = true;
            listening.server = Server::start(&self.places, &self.run, &self.shared).ok();
        }
        listening.server.is_some()
    }
}

impl Approver for Queue {
    fn ask(&self, question: &Question) -> Answer {
        self.answer(question).unwrap_or(Answer::No)
    }

    fn answer(&self, question: &Question) -> Option<Answer> {
        self.answer_while(question, &|| true)
    }

    fn answer_while(&self, question: &Question, waits: &dyn Fn() -> bool) -> Option<Answer> {
        if let Some(agreed) = question.deed.as_deref().and_then(|deed| self.passes.take(deed)) {
            return Some(agreed);
        }
        if let Some(given) = self.given(question) {
            return Some(given);
        }
        if self.is_alone {
            self.not_put.fetch_add(1, Ordering::AcqRel);
            return None;
        }
        if let Some(known) = self.shared.known(question) {
            return Some(known);
        }
        if !self.listen() && self.desk.is_none() {
            return None;
        }
        let id = match self.shared.put(question) {
            Turn::Known(answer) => return Some(answer),
            Turn::Joined(id) => id,
            Turn::New(id) => {
                if let Some(desk) = self.desk.clone() {
                    let waiting = Waiting::new(Arc::clone(&self.shared), id.clone());
                    // Where no thread is left, others can still answer.
                    let _ = std::thread::Builder::new().spawn(move || desk.show(&waiting));
                }
                id
            }
        };
        self.shared.wait(&id, waits)
    }

    fn hears_hooks(&self) -> Option<&Path> {
        self.channel.get().map(PathBuf::as_path)
    }

    fn sealed(&self) -> Vec<PathBuf> {
        let real = self.places.iter().filter_map(|own| place::real(own));
        self.places.iter().cloned().chain(real).collect()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
