//! Places for connections: how many are carried at one time, and which of them makes room.
//!
//! A connection that asks nothing must never keep one waiting that does. Where all places are taken
//! the connection ends that has waited longest for its client to ask something; where there is none,
//! the tunnel that has been silent longest. One whose client waits for an answer is never ended.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::limits::Limits;
use crate::race::race;

tokio::task_local! {
    static OWN: Arc<Connection>;
}

/// How long a new connection waits before it looks again which one could end: one may have been
/// silent for long enough by then.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Doing {
    /// Its client has asked nothing yet, or nothing since the last answer. Part of a question is
    /// none.
    Idle = 0,
    /// Its client waits for an answer.
    Asking = 1,
    /// It carries bytes that nobody reads.
    Carrying = 2,
}

/// One connection that is served.
struct Connection {
    doing: AtomicU8,
    /// When a byte was last read or written, in milliseconds since the places were made.
    moved: AtomicU64,
    since: Instant,
    ends: Notify,
    is_ending: AtomicBool,
}

impl Connection {
    fn touch(&self) {
        let now = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved.store(now, Ordering::Relaxed);
    }

    fn set(&self, doing: Doing) {
        self.doing.store(doing as u8, Ordering::Relaxed);
        self.touch();
    }

    fn is(&self, doing: Doing) -> bool {
        self.doing.load(Ordering::Relaxed) == doing as u8
    }
}

/// Says that the connection of this task waits for its client to ask something.
pub(crate) fn idle() {
    let _ = OWN.try_with(|own| own.set(Doing::Idle));
}

/// Says that the client of this task's connection waits for an answer.
pub(crate) fn asking() {
    let _ = OWN.try_with(|own| own.set(Doing::Asking));
}

/// Says that the connection of this task carries bytes from now on.
pub(crate) fn carrying() {
    let _ = OWN.try_with(|own| own.set(Doing::Carrying));
}

/// Says that bytes have moved on the connection of this task.
pub(crate) fn moved() {
    let _ = OWN.try_with(|own| own.touch());
}

/// The places of an egress, and who has them.
pub(crate) struct Places {
    most: usize,
    /// How long a connection must have been idle before it may have to end: one that was just made
    /// is about to ask.
    idle_rest: Duration,
    /// How long a tunnel must have been silent before it may have to end.
    tunnel_rest: Duration,
    since: Instant,
    taken: Mutex<Vec<Arc<Connection>>>,
    freed: Notify,
}

impl Places {
    pub(crate) fn new(limits: &Limits) -> Places {
        Places {
            most: limits.connections.max(1),
            idle_rest: limits.idle_rest,
            tunnel_rest: limits.tunnel_rest,
            since: Instant::now(),
            taken: Mutex::default(),
            freed: Notify::new(),
        }
    }

    /// Waits for a place, ending an idle connection where none is free.
    pub(crate) async fn take(self: &Arc<Places>) -> Place {
        loop {
            let freed = self.freed.notified();
            if let Some(place) = self.try_take() {
                return place;
            }
            self.end_idlest();
            race(freed, tokio::time::sleep(LOOK_AGAIN)).await;
        }
    }

    fn try_take(self: &Arc<Places>) -> Option<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.len() >= self.most {
            return None;
        }
        let own = Arc::new(Connection {
            doing: AtomicU8::new(Doing::Idle as u8),
            moved: AtomicU64::new(0),
            since: self.since,
            ends: Notify::new(),
            is_ending: AtomicBool::new(false),
        });
        own.touch();
        taken.push(Arc::clone(&own));
        Some(Place { places: Arc::clone(self), own })
    }

    /// Ends the connection that has been idle longest, or the tunnel that has been silent longest.
    fn end_idlest(&self) {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let now = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let least = |rest: Duration| u64::try_from(rest.as_millis()).unwrap_or(u64::MAX);
        let silent = |own: &Connection| now.saturating_sub(own.moved.load(Ordering::Relaxed));
        let is_left = |own: &&Arc<Connection>| !own.is_ending.load(Ordering::Relaxed);
        let longest = |doing: Doing, rest: Duration| {
            let fits = taken.iter().filter(|own| own.is(doing) && silent(own) >= least(rest));
            fits.filter(is_left).max_by_key(|own| silent(own))
        };
        let tunnel = || longest(Doing::Carrying, self.tunnel_rest);
        let one = longest(Doing::Idle, self.idle_rest).or_else(tunnel);
        if let Some(one) = one {
            one.is_ending.store(true, Ordering::Relaxed);
            one.ends.notify_one();
        }
    }
}

/// A place that is taken; it is free again when this is dropped.
pub(crate) struct Place {
    places: Arc<Places>,
    own: Arc<Connection>,
}

impl Place {
    /// Serves a connection until it ends, or has to make room.
    pub(crate) async fn serve(self, served: impl Future<Output = ()>) {
        race(OWN.scope(Arc::clone(&self.own), served), self.own.ends.notified()).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|own| !Arc::ptr_eq(own, &self.own));
        drop(taken);
        self.places.freed.notify_waiters();
    }
}
