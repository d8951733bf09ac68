//! Dialling: the only place that connects to the world, and only to what was checked.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use crate::gate::Checked;

/// How long one address is tried alone before the next is tried beside it.
const HEAD_START: Duration = Duration::from_millis(250);

/// Connects to one of the addresses that were checked, whichever answers first.
pub(crate) async fn dial(checked: &Checked, limit: Duration) -> io::Result<TcpStream> {
    let mut targets = checked.targets();
    let (Some(first), second) = (targets.next(), targets.next()) else {
        return Err(io::ErrorKind::AddrNotAvailable.into());
    };
    let stream = match second {
        None => timeout(limit, TcpStream::connect(first)).await.map_err(late)??,
        Some(_) => dial_many(checked.targets().collect(), limit).await?,
    };
    // Small writes are carried as they come.
    stream.set_nodelay(true)?;
    Ok(stream)
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
