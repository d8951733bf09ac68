//! Connections to servers that wait for the next request.
//!
//! One is only given out for a host, port and address that were judged just now.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ringfence_core::net::HostName;
use tokio::net::TcpStream;

use crate::dial::Destination;

/// The connections that wait, longest first.
pub(crate) struct Pool {
    most: usize,
    time: Duration,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    host: HostName,
    target: SocketAddr,
    stream: TcpStream,
    since: Instant,
}

impl Pool {
    pub(crate) fn new(most: usize, time: Duration) -> Pool {
        Pool { most, time, idle: Mutex::default() }
    }

    /// A connection to this destination, the one used last first.
    pub(crate) fn take(&self, to: &Destination) -> Option<TcpStream> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let fits = |one: &Idle| one.host == *to.host() && to.covers(one.target);
            let found = idle.iter().rposition(fits)?;
            let one = idle.remove(found);
            if one.since.elapsed() < self.time && is_quiet(&one.stream) {
                return Some(one.stream);
            }
        }
    }

    /// Keeps a connection for the next request.
    pub(crate) fn put(&self, to: &Destination, stream: TcpStream) {
        let Ok(target) = stream.peer_addr() else { return };
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while idle.first().is_some_and(|one| one.since.elapsed() >= self.time)
            || (idle.len() >= self.most && !idle.is_empty())
        {
            idle.remove(0);
        }
        if self.most > 0 {
            let host = to.host().clone();
            idle.push(Idle { host, target, stream, since: Instant::now() });
        }
    }
}

/// Whether a server has neither closed the connection nor said anything out of turn.
fn is_quiet(stream: &TcpStream) -> bool {
    let read = stream.try_read(&mut [0]);
    matches!(read, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
}
