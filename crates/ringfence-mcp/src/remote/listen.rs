//! What a server says of its own accord, on a stream of its own.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::sleep;

use super::line::{ATTEMPTS, LONGEST_PAUSE, Line, PAUSE, SHORTEST_PAUSE};

impl Line {
    /// Hears a server for as long as this round of its session lasts. A server that has no such
    /// stream is left alone.
    pub(super) async fn overhear(self: Arc<Self>, round: u64, open: oneshot::Sender<()>) {
        let mut open = Some(open);
        let (mut last, mut pause, mut attempts) = (None, PAUSE, 0_u32);
        while self.standing().round == round && attempts <= ATTEMPTS {
            let stream = self.resume(last.as_ref()).await;
            // Whether or not there is one, nobody waits for it any more.
            drop(open.take());
            match stream {
                Ok(Some((mut stream, _lease))) => {
                    while let Ok(Some(event)) = stream.next().await {
                        attempts = 0;
                        if let Some(own) = event.retry {
                            pause = Duration::from_millis(own).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
                        }
                        if event.id.is_some() {
                            last = event.id;
                        }
                        if !event.is_other && !event.data.is_empty() {
                            self.hear(event.data).await;
                        }
                    }
                }
                Ok(None) => return,
                Err(_) => {}
            }
            attempts = attempts.saturating_add(1);
            sleep(pause).await;
        }
    }
}
