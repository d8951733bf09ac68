//! The queue of questions for a person, served on a socket in the user's runtime directory.
//!
//! A run with a question listens on the socket; `ringfence pending`, `approve` and `deny` connect
//! to it. No process inside a run is ever served, and nothing inside can reach the socket.

mod client;
mod display;
mod hook_approvals;
pub mod hook_channel;
mod id;
mod peer;
mod persistent_questions;
mod preapprovals;
mod server;
pub(crate) mod socket_dirs;
mod state;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

pub use client::{AnswerError, PendingQuestions, RunQuestions, answer, pending};
pub use display::{PendingQuestion, QuestionDisplay};
pub use persistent_questions::{HeldQuestion, PersistentQuestions, fingerprints};
pub use preapprovals::{Preapproval, Preapprovals};
pub use socket_dirs::socket_dirs;
pub use wire::{QuestionSummary, RunInfo};

use crate::ask::{ApprovalAnswer, ApprovalQuestion, Approver};
use hook_approvals::HookApprovals;
use server::Server;
use state::{Shared, Submission};

/// Time limits of the queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueTimeouts {
    /// How long a person has to answer; without an answer, the question is declined.
    pub limit: Duration,
    /// How long a "no" also answers equal questions, so that a program that retries does not wear a
    /// person out.
    pub stands: Duration,
}

impl Default for QueueTimeouts {
    fn default() -> QueueTimeouts {
        QueueTimeouts { limit: Duration::from_secs(120), stands: Duration::from_secs(30) }
    }
}

/// The questions of one run.
///
/// Nothing is created before the first question, so a run without questions has no cost.
pub struct Queue {
    shared: Arc<Shared>,
    run: RunInfo,
    places: Vec<PathBuf>,
    desk: Option<Arc<dyn QuestionDisplay>>,
    server: Mutex<Listening>,
    /// Whether every question is declined at once, because nobody can answer.
    is_alone: bool,
    /// The number of questions that were not asked because nobody can answer.
    unasked: AtomicU64,
    /// Approvals given in advance.
    slips: Option<Preapprovals>,
    /// Approvals given at a hook inside the run.
    passes: HookApprovals,
    /// The socket to which hooks inside the run send their events.
    channel: OnceLock<PathBuf>,
}

/// Whether starting the server was tried, and the server.
#[derive(Default)]
struct Listening {
    tried: bool,
    server: Option<Server>,
}

impl Queue {
    /// Creates the queue of a run. It listens in the first of `places` that is usable.
    pub fn new(run: RunInfo, places: Vec<PathBuf>, times: QueueTimeouts) -> Queue {
        Queue {
            shared: Arc::new(Shared::new(times, session_of(&run))),
            run,
            places,
            desk: None,
            server: Mutex::default(),
            is_alone: false,
            unasked: AtomicU64::new(0),
            slips: None,
            passes: HookApprovals::default(),
            channel: OnceLock::new(),
        }
    }

    /// Returns the run that the questions belong to.
    pub fn run(&self) -> &RunInfo {
        &self.run
    }

    /// Sets the socket to which hooks inside the run send their events.
    pub fn set_hook_socket(&self, socket: &Path) {
        let _ = self.channel.set(socket.to_owned());
    }

    /// Records an approval given at a hook inside the run, so that the exec gate does not ask
    /// again.
    pub fn record_approval(&self, deeds: &[String], answer: ApprovalAnswer) {
        self.passes.give(deeds, answer);
    }

    /// Returns the approval of an identical call that was given at a hook inside the run and is
    /// still unused.
    pub fn unused_approval(&self, deeds: &[String]) -> Option<ApprovalAnswer> {
        self.passes.known(deeds)
    }

    /// Adds approvals that were given in advance.
    #[must_use]
    pub fn with_preapprovals(mut self, slips: Preapprovals) -> Queue {
        self.slips = Some(slips);
        self
    }

    /// Returns an approval that was given in advance.
    fn given(&self, question: &ApprovalQuestion) -> Option<ApprovalAnswer> {
        let asked = [question.pattern.clone()?];
        let session = session_of(&self.run);
        self.slips.as_ref()?.take(&asked, &session, Some(Path::new(&self.run.directory)))
    }

    /// Declines every question at once, because nobody can answer.
    #[must_use]
    pub fn without_person(mut self) -> Queue {
        self.is_alone = true;
        self
    }

    /// Returns how many questions were not asked because nobody can answer.
    pub fn unasked(&self) -> u64 {
        self.unasked.load(Ordering::Acquire)
    }

    /// Also shows each question on this display.
    #[must_use]
    pub fn with_display(mut self, desk: Arc<dyn QuestionDisplay>) -> Queue {
        self.desk = Some(desk);
        self
    }

    /// Returns how many questions nobody answered in time.
    pub fn unanswered(&self) -> u64 {
        self.shared.unanswered()
    }

    /// Declines all pending questions and stops listening.
    pub fn close(&self) {
        self.shared.close();
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        *server = Listening { tried: true, server: None };
    }

    /// Starts the server at the first question. Returns whether it runs.
    fn listen(&self) -> bool {
        let mut listening = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        if !listening.tried {
            listening.tried = true;
            listening.server = Server::start(&self.places, &self.run, &self.shared).ok();
        }
        listening.server.is_some()
    }
}

/// Returns the name of a run among the sessions for which preapprovals hold.
fn session_of(run: &RunInfo) -> String {
    format!("run {}", run.pid)
}

impl Approver for Queue {
    fn ask(&self, question: &ApprovalQuestion) -> ApprovalAnswer {
        self.answer(question).unwrap_or(ApprovalAnswer::No)
    }

    fn answer(&self, question: &ApprovalQuestion) -> Option<ApprovalAnswer> {
        self.answer_while(question, &|| true)
    }

    fn answer_while(
        &self,
        question: &ApprovalQuestion,
        waits: &dyn Fn() -> bool,
    ) -> Option<ApprovalAnswer> {
        if let Some(agreed) = question.deed.as_deref().and_then(|deed| self.passes.take(deed)) {
            return Some(agreed);
        }
        if let Some(given) = self.given(question) {
            return Some(given);
        }
        if self.is_alone {
            self.unasked.fetch_add(1, Ordering::AcqRel);
            return None;
        }
        if let Some(known) = self.shared.known(question) {
            return Some(known);
        }
        if !self.listen() && self.desk.is_none() {
            return None;
        }
        let id = match self.shared.put(question) {
            Submission::Known(answer) => return Some(answer),
            Submission::Joined(id) => id,
            Submission::New(id) => {
                if let Some(desk) = self.desk.clone() {
                    let waiting = PendingQuestion::new(Arc::clone(&self.shared), id.clone());
                    // Without this thread, the question can still be answered elsewhere.
                    let _ = std::thread::Builder::new().spawn(move || desk.show(&waiting));
                }
                id
            }
        };
        self.shared.wait(&id, waits)
    }

    fn can_ask(&self) -> bool {
        !self.is_alone && (self.listen() || self.desk.is_some())
    }

    fn hook_socket(&self) -> Option<&Path> {
        self.channel.get().map(PathBuf::as_path)
    }

    fn answer_dirs(&self) -> Vec<PathBuf> {
        let real = self.places.iter().filter_map(|own| socket_dirs::real(own));
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
