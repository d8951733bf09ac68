//! Questions that wait for a person, on a socket in the user's runtime directory.
//!
//! A run that has a question listens there; `ringfence pending`, `approve` and `deny` speak to it.
//! Whoever is inside a run is never listened to, and nothing inside can reach the socket.

mod client;
mod desk;
mod id;
mod peer;
mod place;
mod server;
mod shelf;
mod slips;
mod state;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use client::{Found, Seen, Unanswerable, answer, pending};
pub use desk::{Desk, Waiting};
pub use place::places;
pub use shelf::{Shelf, fingerprints};
pub use slips::{Slip, Slips};
pub use wire::{Run, Shown};

use crate::ask::{Answer, Approver, Question};
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
        }
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
        if let Some(given) = self.given(question) {
            return given;
        }
        if self.is_alone {
            self.not_put.fetch_add(1, Ordering::AcqRel);
            return Answer::No;
        }
        if let Some(known) = self.shared.known(question) {
            return known;
        }
        if !self.listen() && self.desk.is_none() {
            return Answer::No;
        }
        let id = match self.shared.put(question) {
            Turn::Known(answer) => return answer,
            Turn::Joined(id) => id,
            Turn::New(id) => {
                if let Some(desk) = self.desk.clone() {
                    let waiting = Waiting::new(Arc::clone(&self.shared), id.clone());
                    std::thread::spawn(move || desk.show(&waiting));
                }
                id
            }
        };
        self.shared.wait(&id)
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
