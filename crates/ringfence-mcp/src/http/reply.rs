//! What an endpoint answers.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};

use super::SESSION;
use super::alone::Waits;
use super::talk::Stream;
use crate::answer;
use crate::envelope::INVALID_REQUEST;
use crate::id::Id;

/// An answer of the endpoint.
pub(super) type Reply = Response<BoxBody<Bytes, Infallible>>;

/// A refusal, as an error of JSON-RPC.
pub(super) fn refused(status: StatusCode, id: Option<&Id>, reason: &str) -> Reply {
    failed(status, id, INVALID_REQUEST, reason)
}

/// An error of JSON-RPC.
pub(super) fn failed(status: StatusCode, id: Option<&Id>, code: i32, reason: &str) -> Reply {
    answered(status, answer::unfit(id, code, reason))
}

/// An answer, as it is.
pub(super) fn answered(status: StatusCode, text: String) -> Reply {
    let mut reply = Response::new(BoxBody::new(Full::new(Bytes::from(text))));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    reply
}

/// Nothing more is to be said.
pub(super) fn accepted(status: StatusCode) -> Reply {
    let mut reply = Response::new(BoxBody::new(Full::new(Bytes::new())));
    *reply.status_mut() = status;
    reply
}

/// Where lines for a client come from.
pub(super) trait Lines: Send + Sync + Unpin + 'static {
    /// The next line.
    fn poll_line(&mut self, context: &mut Context<'_>) -> Poll<Option<String>>;
}

impl Lines for Stream {
    fn poll_line(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        self.poll_recv(context)
    }
}

impl Lines for Waits {
    fn poll_line(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        self.poll(context)
    }
}

/// A stream of events, the first of them known where it is; the first stream of a session says
/// its name.
pub(super) fn streamed(first: Option<String>, lines: impl Lines, session: Option<&str>) -> Reply {
    let mut reply = Response::new(BoxBody::new(Events { first, lines }));
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Some(name) = session.and_then(|name| HeaderValue::from_str(name).ok()) {
        headers.insert(SESSION, name);
    }
    reply
}

/// Lines as events.
struct Events<L> {
    first: Option<String>,
    lines: L,
}

impl<L: Lines> Body for Events<L> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match self.first.take() {
            Some(line) => Poll::Ready(Some(line)),
            None => self.lines.poll_line(context),
        };
        next.map(|line| {
            // A message is one line: ends of lines inside it are written out in JSON, or blanks.
            let line = line?.replace(['\r', '\n'], " ");
            Some(Ok(Frame::data(Bytes::from(format!("event: message\ndata: {line}\n\n")))))
        })
    }
}
