//! Requests that belong to no session, since revision 2026-07-28.
//!
//! Clients have no names then, and may give equal ids to different requests. Each request goes to
//! servers at which no other of its id waits; where there are none, further ones are started. So ids
//! reach servers as clients wrote them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::StatusCode;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::json;
use tokio::time::timeout;

use super::reply::{Reply, accepted, answered, failed, refused, streamed};
use super::talk::{Stream, token};
use super::{Front, Open};
use crate::answer;
use crate::batch::More;
use crate::envelope::{self, INVALID_REQUEST, Kind};
use crate::id::Id;
use crate::object::{Object, Raw};
use crate::remote::header::{self, METHOD, NAME, VERSION};

/// The first revision without sessions.
const FIRST: &str = "2026-07-28";
/// What it no longer has.
const REMOVED: [&str; 5] =
    ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];
/// There is no such method.
const NO_METHOD: i32 = -32601;
/// The head says something else than the message.
const MISMATCH: i32 = -32020;
/// The parameters are not those of a request of this revision.
const INVALID_PARAMS: i32 = -32602;
/// The most sets of servers for requests without a session.
const MOST_LANES: usize = 16;
/// How long an answer is waited for before a stream is begun for it.
const AT_ONCE: Duration = Duration::from_millis(500);

/// Whether a head speaks of a revision without sessions.
pub(super) fn is_named(head: &HeaderMap) -> bool {
    let version = head.get(VERSION).and_then(|own| own.to_str().ok());
    version.is_some_and(|own| own.len() == FIRST.len() && own >= FIRST)
}

/// What a request without a session is.
pub(super) struct Alone<'a> {
    pub(super) id: Option<Id>,
    pub(super) method: &'a str,
    pub(super) params: Option<Raw<'a>>,
}

impl Front {
    /// Answers a request that belongs to no session.
    pub(super) async fn alone(
        self: &Arc<Self>,
        own: Alone<'_>,
        head: &HeaderMap,
        text: &str,
    ) -> Reply {
        if let Err((code, reason)) = check(&own, head) {
            return failed(StatusCode::BAD_REQUEST, own.id.as_ref(), code, &reason);
        }
        // Nothing that is told outside of a session concerns anybody.
        let Some(id) = own.id else { return accepted(StatusCode::ACCEPTED) };
        let revision = header::revision(own.params).unwrap_or_default();
        if revision != FIRST {
            let text = answer::unsupported(&id, FIRST, &revision);
            return answered(StatusCode::BAD_REQUEST, text);
        }
        if REMOVED.contains(&own.method) {
            let reason = "there is no such method in this revision";
            return failed(StatusCode::NOT_FOUND, Some(&id), NO_METHOD, reason);
        }
        let (open, stream) = match self.lane(&id, token(own.params)).await {
            Ok(lane) => lane,
            Err(reason) => return refused(StatusCode::SERVICE_UNAVAILABLE, Some(&id), &reason),
        };
        let mut waits = Waits { stream, open: Arc::clone(&open), id: Some(id.clone()) };
        let (carrier, line) = (Arc::clone(&open.session.carrier), text.to_owned());
        let carried =
            tokio::task::spawn_blocking(move || carrier.from_client(&line, More::No)).await;
        if carried.is_err() {
            return refused(StatusCode::INTERNAL_SERVER_ERROR, Some(&id), "it was not passed on");
        }
        match timeout(AT_ONCE, std::future::poll_fn(|context| waits.poll(context))).await {
            Ok(Some(line)) if waits.id.is_none() => answered(status(&line), line),
            Ok(Some(line)) => streamed(Some(line), waits, None),
            Ok(None) => refused(StatusCode::BAD_GATEWAY, Some(&id), "the server has ended"),
            Err(_) => streamed(None, waits, None),
        }
    }

    /// Servers at which no request of this id waits, and the stream of its answer.
    async fn lane(
        self: &Arc<Self>,
        id: &Id,
        token: Option<Id>,
    ) -> Result<(Arc<Open>, Stream), String> {
        let free = |lanes: &mut Vec<Arc<Open>>| {
            lanes.retain(|open| !open.session.is_forsaken());
            lanes
                .iter()
                .find_map(|open| Some((Arc::clone(open), open.talk.wait(id, token.as_ref())?)))
        };
        // One at a time starts servers: those who come meanwhile use them too.
        let mut lanes = self.lanes.lock().await;
        if let Some(lane) = free(&mut lanes) {
            return Ok(lane);
        }
        if lanes.len() >= MOST_LANES {
            return Err("too many requests with this id are waiting".to_owned());
        }
        let front = Arc::clone(self);
        let begun = tokio::task::spawn_blocking(move || front.open(None)).await;
        lanes.push(begun.map_err(|_| "the servers did not start".to_owned())??);
        free(&mut lanes).ok_or_else(|| "the servers have ended".to_owned())
    }
}

/// Whether a head says what its message says.
fn check(own: &Alone<'_>, head: &HeaderMap) -> Result<(), (i32, String)> {
    let Some(revision) = header::revision(own.params) else {
        // Only requests say their revision.
        return match own.id {
            None => Ok(()),
            Some(_) if own.method == "initialize" => {
                Err((MISMATCH, format!("`{VERSION}` is that of requests without a session")))
            }
            Some(_) => {
                let key = header::KEY_OF_REVISION;
                Err((INVALID_PARAMS, format!("`_meta` of the parameters has no `{key}`")))
            }
        };
    };
    if own.id.is_some() && !header::has_capabilities(own.params) {
        let key = header::KEY_OF_CAPABILITIES;
        return Err((INVALID_PARAMS, format!("`_meta` of the parameters has no `{key}`")));
    }
    for (field, said) in [
        (VERSION, Some(revision)),
        (METHOD, Some(own.method.to_owned())),
        (NAME, header::name(own.method, own.params)),
    ] {
        let Some(said) = said else { continue };
        if own.id.is_none() && head.get(&field).is_none() {
            continue;
        }
        if value(head, &field).as_deref() != Some(&said) {
            return Err((MISMATCH, format!("`{field}` is not what the message says")));
        }
    }
    Ok(())
}

/// The one value of a field, decoded.
fn value(head: &HeaderMap, field: &HeaderName) -> Option<String> {
    let mut all = head.get_all(field).iter().map(HeaderValue::as_bytes);
    let (Some(one), None) = (all.next(), all.next()) else { return None };
    header::decode(std::str::from_utf8(one).ok()?.trim_matches([' ', '\t']))
}

/// The status of an answer: some errors are the transport's too.
fn status(line: &str) -> StatusCode {
    let error = Object::read(line).ok().and_then(|message| message.get("error"));
    let code =
        error.and_then(|error| Object::read(error.get()).ok()?.get("code")?.get().parse().ok());
    match code {
        Some(NO_METHOD) => StatusCode::NOT_FOUND,
        Some(envelope::PARSE_ERROR | INVALID_REQUEST | -32022..=-32020) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// A stream that ends with an answer. Whoever hangs up before has cancelled the request.
pub(super) struct Waits {
    stream: Stream,
    open: Arc<Open>,
    /// Nothing once it was answered.
    id: Option<Id>,
}

impl Waits {
    /// The next line.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        let line = Pin::new(&mut self.stream).poll_recv(context);
        if let Poll::Ready(Some(line)) = &line
            && let Some(Ok(message)) = envelope::read(line).pop()
            && matches!(message.kind, Kind::Answer { .. })
        {
            self.id = None;
        }
        line
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let id: serde_json::Value = serde_json::from_str(id.as_json()).unwrap_or_default();
        let params = json!({ "requestId": id, "reason": "the client has hung up" });
        let line =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        let carrier = Arc::clone(&self.open.session.carrier);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn_blocking(move || carrier.from_client(&line.to_string(), More::No));
        }
    }
}

#[cfg(test)]
#[path = "alone_tests.rs"]
mod tests;
