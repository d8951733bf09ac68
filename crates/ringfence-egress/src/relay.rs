//! Bytes from one connection to another and back, unread.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::time::{Instant, sleep};

use crate::places;

/// What is read at one time. There is one such buffer for a whole thread: a connection at rest
/// has none, and a busy one has one that stays in the processor's cache. Larger ones cost more.
const SCRATCH: usize = 64 * 1024;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; SCRATCH]);
}

/// One direction of a connection.
#[derive(Debug, Default)]
pub(crate) struct Pump {
    /// What was read and not yet written, from `at` on.
    pending: Vec<u8>,
    at: usize,
    stage: Stage,
    moved: u64,
}

#[derive(Debug, Default, Clone, Copy)]
enum Stage {
    #[default]
    Open,
    /// The source has ended; the other side does not know yet.
    Closing,
    Done,
}

impl Pump {
    /// A direction in which these bytes go first.
    pub(crate) fn starting_with(bytes: Vec<u8>) -> Pump {
        Pump { pending: bytes, ..Pump::default() }
    }

    /// Whether nothing has come this way yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.moved == 0 && self.pending.is_empty() && matches!(self.stage, Stage::Open)
    }

    /// Moves what can be moved; ready once the source has ended and all of it is written.
    pub(crate) fn poll(
        &mut self,
        cx: &mut Context<'_>,
        from: &mut ReadHalf<'_>,
        to: &mut WriteHalf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.poll_flush(cx, to))?;
            match self.stage {
                Stage::Open => ready!(self.poll_more(cx, from, to))?,
                Stage::Closing => {
                    ready!(Pin::new(&mut *to).poll_shutdown(cx))?;
                    self.stage = Stage::Done;
                }
                Stage::Done => return Poll::Ready(Ok(())),
            }
        }
    }

    fn poll_flush(&mut self, cx: &mut Context<'_>, to: &mut WriteHalf<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = self.pending.get(self.at..).filter(|rest| !rest.is_empty()) {
            let wrote = ready!(poll_write(cx, to, rest))?;
            self.at = self.at.saturating_add(wrote);
            self.moved = self.moved.wrapping_add(wrote as u64);
        }
        // The memory is given back: most connections never need it again.
        self.pending = Vec::new();
        self.at = 0;
        Poll::Ready(Ok(()))
    }

    fn poll_more(
        &mut self,
        cx: &mut Context<'_>,
        from: &mut ReadHalf<'_>,
        to: &mut WriteHalf<'_>,
    ) -> Poll<io::Result<()>> {
        BUFFER.with_borrow_mut(|buffer| {
            let mut into = ReadBuf::new(buffer);
            ready!(Pin::new(from).poll_read(cx, &mut into))?;
            places::moved();
            let mut rest = into.filled();
            if rest.is_empty() {
                self.stage = Stage::Closing;
            }
            while !rest.is_empty() {
                let Poll::Ready(wrote) = poll_write(cx, to, rest) else {
                    self.pending.extend_from_slice(rest);
                    break;
                };
                let wrote = wrote?;
                self.moved = self.moved.wrapping_add(wrote as u64);
                rest = rest.get(wrote..).unwrap_or_default();
            }
            Poll::Ready(Ok(()))
        })
    }
}

fn poll_write(
    cx: &mut Context<'_>,
    to: &mut WriteHalf<'_>,
    bytes: &[u8],
) -> Poll<io::Result<usize>> {
    match ready!(Pin::new(to).poll_write(cx, bytes))? {
        0 => Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
        wrote => Poll::Ready(Ok(wrote)),
    }
}

/// Carries both directions until both have ended, one fails, or both are silent for too long.
pub(crate) async fn relay(
    one: &mut TcpStream,
    other: &mut TcpStream,
    mut there: Pump,
    mut back: Pump,
    idle: Duration,
) -> io::Result<()> {
    places::carrying();
    let (mut one_read, mut one_write) = one.split();
    let (mut other_read, mut other_write) = other.split();
    let mut silence = pin!(sleep(idle));
    let mut seen = 0;
    poll_fn(|cx| {
        let there_done = there.poll(cx, &mut one_read, &mut other_write)?.is_ready();
        let back_done = back.poll(cx, &mut other_read, &mut one_write)?.is_ready();
        if there_done && back_done {
            return Poll::Ready(Ok(()));
        }
        let moved = there.moved.wrapping_add(back.moved);
        while silence.as_mut().poll(cx).is_ready() {
            if moved == seen {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            seen = moved;
            let next = Instant::now().checked_add(idle).unwrap_or_else(Instant::now);
            silence.as_mut().reset(next);
        }
        Poll::Pending
    })
    .await
}

/// Waits for `first`, moving bytes in one direction meanwhile.
pub(crate) async fn while_pumping<T>(
    first: impl Future<Output = T>,
    pump: &mut Pump,
    from: &mut ReadHalf<'_>,
    to: &mut WriteHalf<'_>,
) -> io::Result<T> {
    let mut first = pin!(first);
    poll_fn(|cx| {
        if let Poll::Ready(done) = first.as_mut().poll(cx) {
            return Poll::Ready(Ok(done));
        }
        match pump.poll(cx, from, to) {
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            _ => Poll::Pending,
        }
    })
    .await
}
