//! Sessions that a server has forgotten, and the stream that each has.

use std::sync::Arc;
use std::time::Duration;

use hyper::header::HeaderMap;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::call::Call;
use super::line::{ACCEPTING, Line, Standing, silent};
use super::stream::{Answered, read};
use super::wire::Fault;
use crate::envelope::{self, Kind};

/// How long a server may take to open the stream on which it speaks of its own accord.
const OPENING: Duration = Duration::from_secs(5);

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

impl Line {
    /// Begins a session anew, unless another request has done so since this round.
    pub(super) async fn renew(self: &Arc<Self>, round: u64) -> Result<(), Fault> {
        let _alone = self.renewing.lock().await;
        let before = self.standing().clone();
        if before.round != round {
            return Ok(());
        }
        let lost = || Fault::because("the server has forgotten the session");
        let greeting = before.greeting.ok_or_else(lost)?;
        let call = match envelope::read(&greeting).pop() {
            Some(Ok(envelope::Message {
                kind: Kind::Call { id: Some(id), method, params },
                ..
            })) => Call::new(id, method.into_owned(), params, &greeting),
            _ => return Err(lost()),
        };
        let (answered, _lease) = self.ask(&call, &Standing::default()).await?;
        let text = match answered {
            Answered::Text(text) => text,
            Answered::Events(mut stream) => loop {
                let next = timeout(ACCEPTING, stream.next()).await.map_err(|_| silent())??;
                let data = next.ok_or_else(lost)?.data;
                if call.answered(&data).is_some() {
                    break data;
                }
            },
            Answered::Nothing | Answered::Failed(..) => return Err(lost()),
        };
        let result = call.answered(&text).flatten().ok_or_else(lost)?;
        self.learn(&call, Some(&result));
        let now = self.standing().clone();
        if now.version != before.version {
            return Err(Fault::because("the server has begun anew with another revision"));
        }
        let (response, lease) = self.post(INITIALIZED, &HeaderMap::new(), &now).await?;
        if let Answered::Nothing = read(response, self.silence).await? {
            self.wire.keep(lease);
        }
        self.note("the server had forgotten its session: a new one has begun".to_owned()).await;
        self.listen().await;
        Ok(())
    }

    /// Hears what the server says of its own accord, from now on. Some servers forget what they say
    /// while nobody hears, so nothing else is sent before the stream is open.
    pub(super) async fn listen(self: &Arc<Self>) {
        let own = Arc::clone(self);
        let round = self.standing().round;
        let (open, is_open) = oneshot::channel();
        let task = tokio::spawn(async move { own.overhear(round, open).await }).abort_handle();
        if let Some(before) = self.listening().replace(task) {
            before.abort();
        }
        let _ = timeout(OPENING, is_open).await;
    }
}
