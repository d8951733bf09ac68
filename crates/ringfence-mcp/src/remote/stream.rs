//! What a server answers to a request, read message by message.

use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::{Response, StatusCode};
use tokio::time::timeout;

use super::events::{BadStream, Event, Events};
use super::wire::Fault;
use crate::lines::LONGEST;

/// The longest text about an error that is looked at, in bytes.
const LONGEST_FAULT: usize = 1 << 20;

/// What an answer is.
pub(super) enum Answered {
    /// One text.
    Text(String),
    /// Events, to be read one after the other.
    Events(Box<Stream>),
    /// Nothing: it was taken.
    Nothing,
    /// An error; what was said about it.
    Failed(StatusCode, String),
}

/// Takes the answer to a request apart; its text must come within this time.
pub(super) async fn read(
    response: Response<Incoming>,
    silence: Duration,
) -> Result<Answered, Fault> {
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE).and_then(|own| own.to_str().ok());
    let kind = kind.and_then(|own| own.split(';').next()).unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    if status.is_success() && kind == "text/event-stream" {
        return Ok(Answered::Events(Box::new(Stream::new(response.into_body()))));
    }
    let longest = if status.is_success() { LONGEST } else { LONGEST_FAULT };
    let text = text(response.into_body(), longest, silence).await;
    if !status.is_success() {
        return Ok(Answered::Failed(status, text.unwrap_or_default()));
    }
    match (&*kind, text?) {
        (_, text) if text.trim_ascii().is_empty() => Ok(Answered::Nothing),
        ("application/json", text) => Ok(Answered::Text(text)),
        // A text that is no message answers nothing.
        _ if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) => {
            Ok(Answered::Nothing)
        }
        _ => Err(Fault::because("the answer is neither JSON nor a stream of events")),
    }
}

async fn text(body: Incoming, longest: usize, silence: Duration) -> Result<String, Fault> {
    let whole = timeout(silence, Limited::new(body, longest).collect()).await;
    let whole = whole.map_err(|_| Fault::because("the answer does not end"))?;
    let whole = whole.map_err(|error| match error.is::<http_body_util::LengthLimitError>() {
        true => Fault::because("the answer is too long"),
        false => Fault::Failed(format!("the connection failed: {error}")),
    })?;
    String::from_utf8(whole.to_bytes().into())
        .map_err(|_| Fault::because("the answer is not UTF-8"))
}

/// A stream of events.
pub(super) struct Stream {
    body: Incoming,
    events: Events,
    ready: std::vec::IntoIter<Event>,
}

impl Stream {
    fn new(body: Incoming) -> Stream {
        Stream { body, events: Events::new(LONGEST), ready: Vec::new().into_iter() }
    }

    /// The next event; none where the stream has ended, whether or not it should have.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, Fault> {
        loop {
            if let Some(event) = self.ready.next() {
                return Ok(Some(event));
            }
            let Some(Ok(frame)) = self.body.frame().await else { return Ok(None) };
            let Ok(bytes) = frame.into_data() else { continue };
            let ready = self.events.feed(&bytes).map_err(|bad| match bad {
                BadStream::TooLong => Fault::because("the server sent a message that is too long"),
                BadStream::NoText => Fault::because("the server sent what is not UTF-8"),
            })?;
            self.ready = ready.into_iter();
        }
    }
}
