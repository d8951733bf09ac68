//! The streams of one session, and what goes into which.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::carry::Hears;
use crate::envelope::{self, Kind};
use crate::id::Id;
use crate::lines::LONGEST;
use crate::object::{Object, Raw};

/// The most messages that wait for a stream, and the most bytes of them; the oldest make room.
const MOST_KEPT: usize = 256;
const MOST_BYTES: usize = LONGEST;
/// The messages that wait on a stream until the client reads them. One more place is the answer's.
const ROOM: usize = 64;
/// How long a client may take to make room on a stream before it misses what it is told.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(1);

/// Lines for the client.
pub(super) type Stream = Receiver<String>;

/// The streams of a session.
#[derive(Default)]
pub(super) struct Talk(Mutex<Streams>);

#[derive(Default)]
struct Streams {
    is_closed: bool,
    /// The streams that wait for an answer, the newest last.
    waiting: HashMap<Id, Ear>,
    order: Vec<Id>,
    /// The stream for what belongs to no request.
    general: Option<Ear>,
    kept: VecDeque<String>,
    kept_bytes: usize,
}

/// A stream that a client reads.
struct Ear {
    line: Sender<String>,
    /// The token under which the progress of its request is told.
    token: Option<Id>,
    /// The client did not read in time: it is not waited for until it does.
    is_slow: bool,
}

impl Ear {
    /// With room for so many messages, and for the answer.
    fn new(room: usize, token: Option<&Id>) -> (Ear, Stream) {
        let (line, stream) = channel(room.saturating_add(1));
        (Ear { line, token: token.cloned(), is_slow: false }, stream)
    }

    /// Whether there is room for anything but the answer.
    fn has_room(&self) -> bool {
        self.line.capacity() > 1
    }
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
        let (ear, stream) = Ear::new(ROOM, token);
        own.waiting.insert(id.clone(), ear);
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
        let (ear, stream) = Ear::new(ROOM.saturating_add(own.kept.len()), None);
        own.kept_bytes = 0;
        for line in std::mem::take(&mut own.kept) {
            let _ = ear.line.try_send(line);
        }
        own.general = Some(ear);
        Some(stream)
    }

    /// Whether anybody listens.
    pub(super) fn is_heard(&self) -> bool {
        let mut own = self.streams();
        own.forget_deaf();
        own.general.is_some() || !own.waiting.is_empty()
    }

    /// Tells the client something: an answer on the stream that waits for it, anything else where
    /// somebody listens. A client that is slow is waited for, though not for long.
    pub(super) fn tell(&self, line: String) {
        let Some(Ok(message)) = envelope::read(&line).pop() else { return };
        let about = match message.kind {
            Kind::Answer { id, .. } => {
                let mut own = self.streams();
                own.order.retain(|waits| *waits != id);
                if let Some(ear) = own.waiting.remove(&id) {
                    // INVARIANT: nothing else takes the last place.
                    let _ = ear.line.try_send(line);
                }
                return;
            }
            Kind::Call { params, .. } => About::of(params),
        };
        let begun = Instant::now();
        loop {
            let mut own = self.streams();
            own.forget_deaf();
            match own.ear(&about) {
                Some(ear) if ear.has_room() => {
                    ear.is_slow = false;
                    return drop(ear.line.try_send(line));
                }
                Some(ear) if ear.is_slow || begun.elapsed() >= PATIENCE => {
                    ear.is_slow = true;
                    return;
                }
                Some(_) => {}
                None => return own.keep(line),
            }
            // Whoever reads needs the streams too.
            drop(own);
            thread::sleep(LOOK);
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
    fn tell(&self, line: Cow<'_, str>) {
        Talk::tell(self, line.into_owned());
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
    fn of(params: Option<Raw<'_>>) -> About {
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
pub(super) fn token(params: Option<Raw<'_>>) -> Option<Id> {
    let params = Object::read(params?.get()).ok()?;
    Object::read(params.get("_meta")?.get()).ok()?.get("progressToken").and_then(Id::read)
}

/// The key of `_meta` that names the request for news that brought them.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

impl Streams {
    /// Where a message about this is told. What a server says in the middle of a call mostly belongs
    /// to the newest one.
    fn ear(&mut self, about: &About) -> Option<&mut Ear> {
        let told = |token: &Id| {
            let mut known = self.waiting.iter();
            known.find(|(_, own)| own.token.as_ref() == Some(token)).map(|(id, _)| id.clone())
        };
        let brought = || about.subscription.clone().filter(|id| self.waiting.contains_key(id));
        let named = about.token.as_ref().and_then(told).or_else(brought);
        match named.or_else(|| self.order.last().cloned()) {
            Some(id) => self.waiting.get_mut(&id),
            None => self.general.as_mut(),
        }
    }

    /// Keeps a message until somebody listens, if anybody ever will.
    fn keep(&mut self, line: String) {
        if self.is_closed {
            return;
        }
        self.kept_bytes = self.kept_bytes.saturating_add(line.len());
        self.kept.push_back(line);
        while self.kept.len() > MOST_KEPT || self.kept_bytes > MOST_BYTES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.kept_bytes = self.kept_bytes.saturating_sub(oldest.len());
        }
    }

    /// Forgets streams that nobody reads any more.
    fn forget_deaf(&mut self) {
        self.waiting.retain(|_, ear| !ear.line.is_closed());
        self.order.retain(|id| self.waiting.contains_key(id));
        if self.general.as_ref().is_some_and(|ear| ear.line.is_closed()) {
            self.general = None;
        }
    }
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
