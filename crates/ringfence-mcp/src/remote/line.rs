//! The line to one server: what becomes of each message.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::Heard;
use super::call::{self, Call};
use super::header::{SESSION, VERSION};
use super::repeated::{self, Tools};
use super::stream::{Answered, Stream, read};
use super::wire::{Fault, Lease, Wire};
use crate::envelope::{self, Kind};
use crate::id::Id;
use crate::object::Object;

/// How long a server may take to accept what needs no answer.
pub(super) const ACCEPTING: Duration = Duration::from_secs(30);
/// How long a server may take to end a session.
const PARTING: Duration = Duration::from_secs(1);
/// How often a stream that ended too soon is taken up again before it says anything new.
pub(super) const ATTEMPTS: u32 = 5;
/// The pause before that, where the server says none.
pub(super) const PAUSE: Duration = Duration::from_secs(1);
/// The shortest pause that a server can ask for: one that ends every stream at once is not asked all
/// the time.
pub(super) const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause that a server can ask for.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(60);

pub(super) struct Line {
    pub(super) wire: Wire,
    /// The fields that every head has.
    head: HeaderMap,
    say: mpsc::Sender<Heard>,
    /// How long the server may say nothing while a call waits.
    pub(super) silence: Duration,
    standing: Mutex<Standing>,
    /// One at a time begins a session anew.
    pub(super) renewing: tokio::sync::Mutex<()>,
    running: Mutex<HashMap<Id, (AbortHandle, Part)>>,
    listening: Mutex<Option<AbortHandle>>,
    tools: Tools,
}

/// Whether a request belongs to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    OfSession,
    Alone,
}

/// How this line stands with its server.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    pub(super) session: Option<HeaderValue>,
    pub(super) version: Option<HeaderValue>,
    /// What the client began with, to begin anew with.
    pub(super) greeting: Option<String>,
    pub(super) round: u64,
}

impl Line {
    pub(super) fn new(
        wire: Wire,
        head: HeaderMap,
        say: mpsc::Sender<Heard>,
        silence: Duration,
    ) -> Line {
        Line {
            wire,
            head,
            say,
            silence,
            standing: Mutex::default(),
            renewing: tokio::sync::Mutex::default(),
            running: Mutex::default(),
            listening: Mutex::default(),
            tools: Tools::default(),
        }
    }

    /// Carries lines until there will be no more, then ends the session.
    pub(super) async fn carry(self: Arc<Self>, mut told: mpsc::Receiver<String>) {
        while let Some(text) = told.recv().await {
            // INVARIANT: the gateway passes messages on one by one.
            let Some(Ok(message)) = envelope::read(&text).pop() else { continue };
            match message.kind {
                Kind::Call { id: Some(id), method, params } => {
                    let mut call = Call::new(id, method.into_owned(), params, &text);
                    // A session has a name only once it has begun.
                    match (self.repeat(&mut call, params.map(|own| own.get())), &*call.method) {
                        (Err(fault), _) => self.hear(call.failed(&fault)).await,
                        (Ok(()), "initialize") => self.call(call).await,
                        (Ok(()), _) => self.spawn(call),
                    }
                }
                Kind::Call { id: None, method, params } => {
                    self.tell(&text, &method, params.map(|own| own.get())).await;
                }
                Kind::Answer { .. } => self.accept(&text).await,
            }
        }
        self.end().await;
    }

    /// Hands a line to the gateway.
    pub(super) async fn hear(&self, line: String) {
        let _ = self.say.send(Heard::Line(line)).await;
    }

    pub(super) async fn note(&self, text: String) {
        let _ = self.say.send(Heard::Note(text)).await;
    }

    pub(super) fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Id, (AbortHandle, Part)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spawn(self: &Arc<Self>, call: Call) {
        let (id, own) = (call.id.clone(), Arc::clone(self));
        let part = if call.is_alone() { Part::Alone } else { Part::OfSession };
        // The table is closed until the task is in it.
        let mut running = self.running();
        let task = tokio::spawn(async move { own.call(call).await });
        running.insert(id, (task.abort_handle(), part));
    }

    async fn call(self: &Arc<Self>, call: Call) {
        if let Err(fault) = self.exchange(&call).await {
            self.hear(call.failed(&fault)).await;
        }
        self.running().remove(&call.id);
    }

    /// Adds to the head of a call what its tool's schema says.
    fn repeat(&self, call: &mut Call, params: Option<&str>) -> Result<(), Fault> {
        if !call.is_alone() || call.method != "tools/call" {
            return Ok(());
        }
        self.tools.repeat(params, &mut call.head).map_err(Fault::because)
    }

    async fn exchange(self: &Arc<Self>, call: &Call) -> Result<(), Fault> {
        let before = self.standing().clone();
        let (answered, lease) = match self.ask(call, &before).await? {
            (Answered::Failed(StatusCode::NOT_FOUND, _), _)
                if before.session.is_some() && !call.is_alone() && call.method != "initialize" =>
            {
                self.renew(before.round).await?;
                let now = self.standing().clone();
                self.ask(call, &now).await?
            }
            answered => answered,
        };
        match answered {
            Answered::Text(text) => {
                self.wire.keep(lease);
                match call.answered(&text) {
                    Some(result) => self.hear_answer(call, text, result.as_deref()).await,
                    None => Err(Fault::because("the server's answer is none to this call")),
                }
            }
            Answered::Events(stream) => self.follow(call, *stream, lease).await,
            Answered::Nothing => Err(Fault::because("the server has no answer to this call")),
            Answered::Failed(status, text) => {
                self.wire.keep(lease);
                match call.error(&text) {
                    Some(error) => {
                        // Some say a result beside a status that is none.
                        let result = call.answered(&error).flatten();
                        self.hear_answer(call, error, result.as_deref()).await
                    }
                    None => Err(Fault::Failed(reason(status))),
                }
            }
        }
    }

    pub(super) async fn ask(
        &self,
        call: &Call,
        standing: &Standing,
    ) -> Result<(Answered, Lease), Fault> {
        let alone = Standing::default();
        let standing = if call.is_alone() { &alone } else { standing };
        let is_greeting = call.method == "initialize";
        let standing = if is_greeting { &alone } else { standing };
        let sent = self.post(&call.text, &call.head, standing);
        let sent = match call.is_endless() {
            true => sent.await,
            false => timeout(self.silence, sent).await.unwrap_or_else(|_| Err(silent())),
        };
        let (response, lease) = sent?;
        if is_greeting && response.status().is_success() {
            let mut session = response.headers().get(SESSION).cloned();
            session.iter_mut().for_each(|own| own.set_sensitive(true));
            let greeting = Some(call.text.clone());
            let mut standing = self.standing();
            let round = standing.round.wrapping_add(1);
            *standing = Standing { session, version: None, greeting, round };
        }
        Ok((read(response, self.silence).await?, lease))
    }

    /// Hands an answer to the gateway, once it was learnt from.
    pub(super) async fn hear_answer(
        &self,
        call: &Call,
        text: String,
        result: Option<&str>,
    ) -> Result<(), Fault> {
        let is_list = call.is_alone() && call.method == "tools/list";
        self.learn(call, result);
        let repeated::Shown { text, notes } = match result.filter(|_| is_list) {
            Some(result) => self.tools.learn(text, result).map_err(Fault::because)?,
            None => repeated::Shown { text, notes: Vec::new() },
        };
        for note in notes {
            self.note(note).await;
        }
        self.hear(text).await;
        Ok(())
    }

    /// Learns from the answer to a greeting what later requests need.
    pub(super) fn learn(&self, call: &Call, result: Option<&str>) {
        if let Some(result) = result.filter(|_| call.method == "initialize") {
            let version = call::revision(result);
            self.standing().version = version.and_then(|own| HeaderValue::from_str(&own).ok());
        }
    }

    /// Tells the server what needs no answer.
    async fn tell(self: &Arc<Self>, text: &str, method: &str, params: Option<&str>) {
        if method == "notifications/cancelled" {
            let id = params.and_then(|own| Object::read(own).ok());
            let id = id.and_then(|own| own.get("requestId")).and_then(Id::read);
            let task = id.and_then(|id| self.running().remove(&id));
            if let Some((task, part)) = task {
                task.abort();
                // Since 2026-07-28 whoever hangs up has cancelled.
                if part == Part::Alone {
                    return;
                }
            }
        }
        self.accept(text).await;
        if method == "notifications/initialized" {
            self.listen().await;
        }
    }

    /// Sends what needs no answer, and waits until the server has it: what follows may rest on it.
    async fn accept(self: &Arc<Self>, text: &str) {
        let sent = async {
            let before = self.standing().clone();
            let (response, lease) = self.post(text, &HeaderMap::new(), &before).await?;
            match read(response, self.silence).await? {
                Answered::Failed(StatusCode::NOT_FOUND, _) if before.session.is_some() => {
                    self.renew(before.round).await?;
                    let now = self.standing().clone();
                    let (response, _) = self.post(text, &HeaderMap::new(), &now).await?;
                    read(response, self.silence).await.map(drop)
                }
                Answered::Failed(status, _) => Err(Fault::Failed(reason(status))),
                _ => {
                    self.wire.keep(lease);
                    Ok(())
                }
            }
        };
        let failed = match timeout(ACCEPTING, sent).await {
            Ok(Ok(())) => return,
            Ok(Err(Fault::Failed(reason))) => reason,
            Ok(Err(Fault::Refused(refusal))) => refusal.error.clone(),
            Err(_) => "it does not answer in time".to_owned(),
        };
        self.note(format!("a message did not reach the server: {failed}")).await;
    }

    pub(super) fn listening(&self) -> MutexGuard<'_, Option<AbortHandle>> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn post(
        &self,
        text: &str,
        head: &HeaderMap,
        standing: &Standing,
    ) -> Result<(Response<Incoming>, Lease), Fault> {
        let mut request = self.request(Method::POST, standing, text);
        let own = request.headers_mut();
        own.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        own.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        own.extend(head.clone());
        self.wire.send(request).await
    }

    /// The stream of what belongs to no request, or of what came after an event.
    pub(super) async fn resume(
        &self,
        after: Option<&String>,
    ) -> Result<Option<(Stream, Lease)>, Fault> {
        let standing = self.standing().clone();
        let mut request = self.request(Method::GET, &standing, "");
        let own = request.headers_mut();
        own.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(id) = after {
            let value = HeaderValue::from_str(id).map_err(Fault::because)?;
            own.insert(HeaderName::from_static("last-event-id"), value);
        }
        let sent = timeout(ACCEPTING, self.wire.send(request)).await;
        let (response, lease) = sent.unwrap_or_else(|_| Err(silent()))?;
        match read(response, self.silence).await? {
            Answered::Events(stream) => Ok(Some((*stream, lease))),
            _ => Ok(None),
        }
    }

    fn request(&self, method: Method, standing: &Standing, text: &str) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(Bytes::from(text.to_owned())));
        *request.method_mut() = method;
        let own = request.headers_mut();
        own.extend(self.head.clone());
        for (field, value) in [(SESSION, &standing.session), (VERSION, &standing.version)] {
            if let Some(value) = value {
                own.insert(field, value.clone());
            }
        }
        request
    }

    /// Ends all that runs, and the session.
    async fn end(&self) {
        for (_, (task, _)) in self.running().drain() {
            task.abort();
        }
        let listening = self.listening().take();
        if let Some(task) = listening {
            task.abort();
        }
        let standing = self.standing().clone();
        if standing.session.is_some() {
            let request = self.request(Method::DELETE, &standing, "");
            // A server that keeps the session ends it in its own time.
            let _ = timeout(PARTING, self.wire.send(request)).await;
        }
        self.wire.close();
        let _ = self.say.send(Heard::End).await;
    }
}

pub(super) fn silent() -> Fault {
    Fault::because("the server does not answer in time")
}

/// A status in words.
fn reason(status: StatusCode) -> String {
    let hint = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => ": it wants to know who asks",
        _ if status.is_redirection() => ": the server is elsewhere, and nobody is followed",
        _ => "",
    };
    format!("the server answers with status {}{hint}", status.as_u16())
}
