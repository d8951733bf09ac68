//! Dialling: the only place that connects to the world, and only by a permit.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use ringfence_core::net::HostName;
use ringfence_guard::{ConnectHost, Permit};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// How long one address is tried alone before the next is tried beside it.
const HEAD_START: Duration = Duration::from_millis(250);

/// Where one client's connection or request may go, and nowhere else.
///
/// A destination uses up the permit that it is made of. It can be dialled again while the client
/// that it was permitted for is served: a server may close a connection between two requests.
///
/// ```
/// # use std::time::Duration;
/// # use ringfence_egress::Destination;
/// # use ringfence_guard::{ConnectHost, Permit};
/// async fn connect(permit: Permit<ConnectHost>) -> std::io::Result<tokio::net::TcpStream> {
///     Destination::of(permit).dial(Duration::from_secs(10)).await
/// }
/// ```
#[derive(Debug)]
pub struct Destination {
    judged: ConnectHost,
}

impl Destination {
    /// Makes the destination that a permit names.
    pub fn of(permit: Permit<ConnectHost>) -> Destination {
        Destination { judged: permit.into_act() }
    }

    /// Returns the host that was granted; the name, if an address stands for a name.
    pub fn host(&self) -> &HostName {
        self.judged.host()
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.judged.port()
    }

    /// Returns whether an address was judged for this host and port.
    pub(crate) fn covers(&self, target: SocketAddr) -> bool {
        self.judged.covers(target)
    }

    /// Connects to one of the addresses that were judged, whichever answers first. It must be
    /// called in a runtime.
    pub async fn dial(&self, limit: Duration) -> io::Result<TcpStream> {
        let mut targets = self.judged.targets();
        let (Some(first), second) = (targets.next(), targets.next()) else {
            return Err(io::ErrorKind::AddrNotAvailable.into());
        };
        let stream = match second {
            None => timeout(limit, TcpStream::connect(first)).await.map_err(late)??,
            Some(_) => dial_many(self.judged.targets().collect(), limit).await?,
        };
        // Small writes are carried as they come.
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

async fn dial_many(targets: Vec<SocketAddr>, limit: Duration) -> io::Result<TcpStream> {
    let deadline = Instant::now().checked_add(limit).unwrap_or_else(Instant::now);
    let mut attempts = JoinSet::new();
    let mut fault = io::Error::from(io::ErrorKind::AddrNotAvailable);
    let mut waiting = targets.into_iter().peekable();
    loop {
        if let Some(target) = waiting.next() {
            attempts.spawn(TcpStream::connect(target));
        }
        let head_start = Instant::now().checked_add(HEAD_START).unwrap_or(deadline);
        let until = if waiting.peek().is_some() { head_start.min(deadline) } else { deadline };
        match timeout_at(until, attempts.join_next()).await {
            Ok(Some(Ok(Ok(stream)))) => return Ok(stream),
            Ok(Some(Ok(Err(error)))) => fault = error,
            Ok(Some(Err(_))) => {}
            Ok(None) if waiting.peek().is_none() => return Err(fault),
            Ok(None) => {}
            Err(_) if Instant::now() >= deadline => return Err(late(())),
            Err(_) => {}
        }
    }
}

fn late<T>(_: T) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no address of it answered in time")
}
