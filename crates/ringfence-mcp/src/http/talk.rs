//! The streams of one session, and what goes into which.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::carry::Hears;
use crate::envelope::{self, Kind};
use crate::id::Id;
use crate::object::Object;

/// The most messages that wait for a stream; the oldest make room.
const MOST_KEPT: usize = 256;

/// Lines for the client.
pub(super) type Stream = Receiver<String>;

/// The streams of a session.
#[derive(Default)]
pub(super) struct Talk(Mutex<Streams>);

#[derive(Default)]
struct Streams {
    is_closed: bool,
    /// The streams that wait for an answer, the newest last.
    waiting: HashMap<Id, (Sender<String>, Option<Id>)>,
    order: Vec<Id>,
    /// The stream for what belongs to no request.
    general: Option<Sender<String>>,
    kept: VecDeque<String>,
}

impl Talk {
    /// A stream that ends with the answer to a request; none where one with this id waits. The
    /// progress of the request is told under its token.
    pub(super) fn wait(&self, id: &Id, token: Option<&Id>) -> Option<Stream> {
        let mut own = self.streams();
        own.forget_deaf();
        if own.waiting.contains_key(id) || own.is_closed {
            return None;
        }
        let (sender, stream) = channel(MOST_KEPT);
        own.waiting.insert(id.clone(), (sender, token.cloned()));
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
        let (sender, stream) = channel(MOST_KEPT);
        for line in std::mem::take(&mut own.kept) {
            let _ = sender.try_send(line);
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
        let Some(Ok(message)) = envelope::read(&line).pop() else { return };
        let about = match message.kind {
            Kind::Answer { id, .. } => {
                let mut own = self.streams();
                own.order.retain(|waits| *waits != id);
                if let Some((stream, _)) = own.waiting.remove(&id) {
                    let _ = stream.try_send(line);
                }
                return;
            }
            Kind::Call { params, .. } => About::of(params),
        };
        let mut own = self.streams();
        own.forget_deaf();
        // What a server says in the middle of a call mostly belongs to the newest one.
        let newest = own.order.last().and_then(|id| own.waiting.get(id)).map(|(own, _)| own);
        match own.named(&about).or(newest).or(own.general.as_ref()) {
            // A client that does not read what it is told misses it.
            Some(stream) => drop(stream.try_send(line)),
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

impl Hears for Arc<Talk> {
    fn tell(&self, line: String) {
        Talk::tell(self, line);
    }
}

/// What a message says about the request that it belongs to.
#[derive(Default)]
struct About {
    /// The token of a request's progress.
    token: Option<Id>,
    /// The id of a request for news.
    subscription: Option<Id>,
}

impl About {
    fn of(params: Option<&RawValue>) -> About {
        let Some(params) = params.and_then(|own| Object::read(own.get()).ok()) else {
            return About::default();
        };
        let meta = params.get("_meta").and_then(|own| Object::read(own.get()).ok());
        About {
            token: params.get("progressToken").and_then(Id::read),
            subscription: meta.and_then(|own| Id::read(own.get(SUBSCRIPTION)?)),
        }
    }
}

/// The token under which the progress of a request with these parameters is told.
pub(super) fn token(params: Option<&RawValue>) -> Option<Id> {
    let params = Object::read(params?.get()).ok()?;
    Object::read(params.get("_meta")?.get()).ok()?.get("progressToken").and_then(Id::read)
}

/// The key of `_meta` that names the request for news that brought them.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

impl Streams {
    /// The stream of the request that a message names.
    fn named(&self, about: &About) -> Option<&Sender<String>> {
        let told = |token: &Id| {
            self.waiting.values().find(|(_, own)| own.as_ref() == Some(token)).map(|(own, _)| own)
        };
        let brought = |id: &Id| self.waiting.get(id).map(|(own, _)| own);
        about.token.as_ref().and_then(told).or(about.subscription.as_ref().and_then(brought))
    }

    /// Forgets streams that nobody reads any more.
    fn forget_deaf(&mut self) {
        self.waiting.retain(|_, (stream, _)| !stream.is_closed());
        self.order.retain(|id| self.waiting.contains_key(id));
        if self.general.as_ref().is_some_and(Sender::is_closed) {
            self.general = None;
        }
    }
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
