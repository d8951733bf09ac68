//! The streams of one session, and what goes into which.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::envelope::{self, Kind};
use crate::id::Id;

/// The most messages that wait for a stream; the oldest make room.
const MOST_KEPT: usize = 1000;

/// Lines for the client.
pub(super) type Stream = UnboundedReceiver<String>;

/// The streams of a session.
#[derive(Default)]
pub(super) struct Talk(Mutex<Streams>);

#[derive(Default)]
struct Streams {
    is_closed: bool,
    /// The streams that wait for an answer, the newest last.
    waiting: HashMap<Id, UnboundedSender<String>>,
    order: Vec<Id>,
    /// The stream for what belongs to no request.
    general: Option<UnboundedSender<String>>,
    kept: VecDeque<String>,
}

impl Talk {
    /// A stream that ends with the answer to a request; none where one with this id waits.
    pub(super) fn wait(&self, id: &Id) -> Option<Stream> {
        let mut own = self.streams();
        own.forget_deaf();
        if own.waiting.contains_key(id) || own.is_closed {
            return None;
        }
        let (sender, stream) = unbounded_channel();
        own.waiting.insert(id.clone(), sender);
        own.order.push(id.clone());
        Some(stream)
    }

    /// The stream for what belongs to no request; none where there is one.
    pub(super) fn listen(&self) -> Option<Stream> {
        let mut own = self.streams();
        own.forget_deaf();
        if own.general.is_some() || own.is_closed {
            return None;
        }
        let (sender, stream) = unbounded_channel();
        for line in std::mem::take(&mut own.kept) {
            let _ = sender.send(line);
        }
        own.general = Some(sender);
        Some(stream)
    }

    /// Whether anybody listens.
    pub(super) fn is_heard(&self) -> bool {
        let mut own = self.streams();
        own.forget_deaf();
        own.general.is_some() || !own.waiting.is_empty()
    }

    /// Tells the client something: an answer on the stream that waits for it, anything else where
    /// somebody listens.
    pub(super) fn tell(&self, line: String) {
        let answered =
            envelope::read(&line).into_iter().find_map(|message| match message.ok()?.kind {
                Kind::Answer { id, .. } => Some(id),
                Kind::Call { .. } => None,
            });
        let mut own = self.streams();
        if let Some(id) = answered {
            own.order.retain(|waits| *waits != id);
            if let Some(stream) = own.waiting.remove(&id) {
                let _ = stream.send(line);
            }
            return;
        }
        own.forget_deaf();
        // What a server says in the middle of a call mostly belongs to the newest one.
        let newest = own.order.last().and_then(|id| own.waiting.get(id));
        match newest.or(own.general.as_ref()) {
            Some(stream) => drop(stream.send(line)),
            None if own.is_closed => {}
            None => {
                if own.kept.len() >= MOST_KEPT {
                    own.kept.pop_front();
                }
                own.kept.push_back(line);
            }
        }
    }

    /// Nothing more will be said.
    pub(super) fn close(&self) {
        *self.streams() = Streams { is_closed: true, ..Streams::default() };
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    /// Forgets streams that nobody reads any more.
    fn forget_deaf(&mut self) {
        self.waiting.retain(|_, stream| !stream.is_closed());
        self.order.retain(|id| self.waiting.contains_key(id));
        if self.general.as_ref().is_some_and(UnboundedSender::is_closed) {
            self.general = None;
        }
    }
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
