//! Bytes that were read and not yet used.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;

/// What is asked for at one time while heads are read.
const SMALL: usize = 8 * 1024;

/// What is asked for at one time once there is much.
const LARGE: usize = 64 * 1024;

/// Bytes that were read and not yet used.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    data: Vec<u8>,
    start: usize,
}

impl Buffer {
    /// What is there.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.data.get(self.start..).unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }

    /// The first so many bytes, which are used up; all of them if there are fewer.
    pub(crate) fn take(&mut self, count: usize) -> Vec<u8> {
        let bytes = self.bytes();
        let taken = bytes.get(..count).unwrap_or(bytes).to_vec();
        self.consume(taken.len());
        taken
    }

    /// Uses the first so many bytes up.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start = self.start.saturating_add(count).min(self.data.len());
        if self.start == self.data.len() {
            self.data.clear();
            self.start = 0;
        }
    }

    /// Reads more; 0 is the end.
    pub(crate) async fn fill(&mut self, from: &mut (impl AsyncRead + Unpin)) -> io::Result<usize> {
        if self.start > 0 {
            self.data.drain(..self.start);
            self.start = 0;
        }
        // A read that filled the space is followed by a larger one.
        let full = self.data.capacity() > 0 && self.data.len() == self.data.capacity();
        let space = if full || self.data.capacity() > SMALL { LARGE } else { SMALL };
        self.data.reserve(space.saturating_sub(self.data.len()).max(SMALL));
        from.read_buf(&mut self.data).await
    }

    /// Reads more, within a time.
    pub(crate) async fn fill_within(
        &mut self,
        from: &mut (impl AsyncRead + Unpin),
        time: Duration,
    ) -> io::Result<usize> {
        timeout(time, self.fill(from)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(data: Vec<u8>) -> Buffer {
        Buffer { data, start: 0 }
    }
}
