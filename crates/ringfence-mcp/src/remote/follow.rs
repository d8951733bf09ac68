//! A stream, followed until it has the answer that it was opened for.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::call::Call;
use super::line::{ATTEMPTS, LONGEST_PAUSE, Line, PAUSE, SHORTEST_PAUSE, silent};
use super::stream::Stream;
use super::wire::{Fault, Lease};

/// How long a stream may go on after the answer that it was for.
const LEAVING: Duration = Duration::from_secs(1);

impl Line {
    /// Follows a stream until it has the answer.
    pub(super) async fn follow(
        self: &Arc<Self>,
        call: &Call,
        mut stream: Stream,
        mut lease: Lease,
    ) -> Result<(), Fault> {
        let (mut last, mut pause, mut attempts) = (None, PAUSE, 0_u32);
        loop {
            let next = match call.is_endless() {
                true => stream.next().await?,
                false => {
                    timeout(self.silence, stream.next()).await.unwrap_or_else(|_| Err(silent()))?
                }
            };
            let Some(event) = next else {
                attempts = attempts.saturating_add(1);
                let Some(id) = last.as_ref().filter(|_| attempts <= ATTEMPTS && !call.is_alone())
                else {
                    return Err(Fault::because("the stream has ended without an answer"));
                };
                sleep(pause).await;
                match self.resume(Some(id)).await? {
                    Some((again, other)) => (stream, lease) = (again, other),
                    None => return Err(Fault::because("the stream cannot be taken up again")),
                }
                continue;
            };
            if let Some(own) = event.retry {
                pause = Duration::from_millis(own).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
            }
            if event.id.is_some() {
                (last, attempts) = (event.id, 0);
            }
            if event.is_other || event.data.is_empty() {
                continue;
            }
            if let Some(result) = call.answered(&event.data) {
                self.hear_answer(call, event.data, result.as_deref()).await?;
                break;
            }
            self.hear(event.data).await;
        }
        // A stream that ends as it should leaves its connection to the next request.
        let rest = async {
            while let Some(event) = stream.next().await? {
                if !event.is_other && !event.data.is_empty() {
                    self.hear(event.data).await;
                }
            }
            Ok::<(), Fault>(())
        };
        if let Ok(Ok(())) = timeout(LEAVING, rest).await {
            self.wire.keep(lease);
        }
        Ok(())
    }
}
