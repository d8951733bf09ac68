//! What a server says of its own accord, on a stream of its own.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::line::{ATTEMPTS, LONGEST_PAUSE, Line, PAUSE};

impl Line {
    /// Hears a server for as long as this round of its session lasts. A server that has no such
    /// stream is left alone.
    pub(super) async fn overhear(self: Arc<Self>, round: u64) {
        let (mut last, mut pause, mut attempts) = (None, PAUSE, 0_u32);
        while self.standing().round == round && attempts <= ATTEMPTS {
            match self.resume(last.as_ref()).await {
                Ok(Some((mut stream, _lease))) => {
                    while let Ok(Some(event)) = stream.next().await {
                        attempts = 0;
                        if let Some(own) = event.retry {
                            pause = Duration::from_millis(own).min(LONGEST_PAUSE);
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
