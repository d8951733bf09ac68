//! Clients over streamable HTTP.
//!
//! Up to revision 2025-11-25 of the protocol each client has a session with servers of its own; since
//! 2026-07-28 there are no sessions, and clients share servers. A page in a browser must not reach the
//! endpoint: requests whose `Host` or `Origin` is not this machine's are refused.

mod alone;
mod origin;
mod reply;
mod talk;

use std::collections::HashMap;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::batch::More;
use crate::carry::Notes;
use crate::desk::Desk;
use crate::envelope::{self, Kind, Message};
use crate::lines::LONGEST;
use crate::remote::header::revision;
use crate::session::{Behind, Client, Endpoint, Session};
use alone::Alone;
use reply::{Reply, accepted, refused, streamed};
use talk::{Talk, token};

/// The name of the header that names a session.
const SESSION: &str = "mcp-session-id";
/// The most clients at one time.
const MOST_SESSIONS: usize = 64;
/// The most connections at one time.
const MOST_CONNECTIONS: usize = 256;
/// How long a session may do nothing before it makes room for another.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long a client may take for the head of a request.
const HEAD: Duration = Duration::from_secs(30);
/// How long a client may take for a message: no other has its connection meanwhile.
const BODY: Duration = Duration::from_secs(60);
/// How long servers may take to end.
const PARTING: Duration = Duration::from_millis(1500);

/// What every session begins with.
pub struct Service {
    /// How the servers are seen.
    pub endpoint: Endpoint,
    /// Starts the servers of one session. An error is words for the log.
    pub start: Box<dyn Fn() -> Result<Vec<Behind>, String> + Send + Sync>,
    /// Where questions are put.
    pub desk: Arc<Desk>,
    /// Where the log is.
    pub notes: Notes,
}

/// Serves clients until this process is ended.
pub fn serve(listener: TcpListener, service: Service) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let here = listener.local_addr()?;
    let sessions = Mutex::default();
    let lanes = tokio::sync::Mutex::default();
    let places = Arc::new(Semaphore::new(MOST_SESSIONS));
    let front = Arc::new(Front { service, here, sessions, places, lanes });
    // What takes time, judging and starting servers, has threads of its own.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async { accept(tokio::net::TcpListener::from_std(listener)?, front).await })
}

async fn accept(listener: tokio::net::TcpListener, front: Arc<Front>) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return Ok(()) };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Too many files are open, or the client has gone: the next one may be luckier.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let front = Arc::clone(&front);
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                let front = Arc::clone(&front);
                async move { Ok::<_, Infallible>(front.answer(request).await) }
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(HEAD);
            // A client that goes away in the middle is no error of ours.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
            drop(permit);
        });
    }
}

/// The endpoint.
struct Front {
    service: Service,
    here: SocketAddr,
    sessions: Mutex<HashMap<String, Arc<Open>>>,
    /// One place for each session, which it takes before its servers are started.
    places: Arc<Semaphore>,
    /// The servers of requests that belong to no session.
    lanes: tokio::sync::Mutex<Vec<Arc<Open>>>,
}

/// A session that is open.
struct Open {
    session: Session,
    talk: Arc<Talk>,
    used: Mutex<Instant>,
    /// Its place among sessions, until it ends.
    place: Mutex<Option<OwnedSemaphorePermit>>,
    _starter: Starter,
}

/// The thread that has started servers. The kernel ends them with it, so it stays until this is
/// dropped; threads that the runtime lends end when they have nothing to do.
type Starter = mpsc::Sender<()>;

impl Front {
    async fn answer(self: &Arc<Self>, request: Request<Incoming>) -> Reply {
        if let Err(reason) = origin::check(request.uri(), request.headers(), self.here) {
            return refused(StatusCode::FORBIDDEN, None, &reason);
        }
        if request.uri().path() != "/mcp" {
            return refused(StatusCode::NOT_FOUND, None, "the endpoint is /mcp");
        }
        let session = match self.session(request.headers()) {
            // Where there are no sessions, their names mean nothing.
            _ if alone::is_named(request.headers()) => match request.method() {
                &Method::POST => None,
                _ => return refused(StatusCode::METHOD_NOT_ALLOWED, None, "use POST"),
            },
            Ok(session) => session,
            Err(reply) => return *reply,
        };
        match (request.method().clone(), session) {
            (Method::POST, session) => self.post(request, session).await,
            (Method::GET, Some(open)) => match open.talk.listen() {
                Some(stream) => streamed(None, stream, None),
                None => refused(StatusCode::CONFLICT, None, "a stream is open already"),
            },
            (Method::DELETE, Some(open)) => {
                self.end(&open);
                accepted(StatusCode::OK)
            }
            (Method::GET | Method::DELETE, None) => {
                refused(StatusCode::BAD_REQUEST, None, "there is no session")
            }
            _ => refused(StatusCode::METHOD_NOT_ALLOWED, None, "use POST, GET or DELETE"),
        }
    }

    /// The session that a request names.
    fn session(&self, headers: &HeaderMap) -> Result<Option<Arc<Open>>, Box<Reply>> {
        let Some(id) = headers.get(SESSION).map(HeaderValue::as_bytes) else { return Ok(None) };
        let known = std::str::from_utf8(id).ok().and_then(|id| self.sessions().get(id).cloned());
        let Some(open) = known.filter(|open| !open.session.is_forsaken()) else {
            return Err(Box::new(refused(StatusCode::NOT_FOUND, None, "there is no such session")));
        };
        *open.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Ok(Some(open))
    }

    async fn post(self: &Arc<Self>, request: Request<Incoming>, open: Option<Arc<Open>>) -> Reply {
        let (head, body) = request.into_parts();
        if !origin::is_json(&head.headers) {
            let reason = "`Content-Type` is not application/json";
            return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, None, reason);
        }
        let Ok(body) = timeout(BODY, Limited::new(body, LONGEST).collect()).await else {
            return refused(StatusCode::REQUEST_TIMEOUT, None, "the message took too long");
        };
        let Ok(body) = body.map(|body| body.to_bytes()) else {
            return refused(StatusCode::PAYLOAD_TOO_LARGE, None, "the message is too long");
        };
        let Ok(text) = String::from_utf8(body.to_vec()) else {
            return refused(StatusCode::BAD_REQUEST, None, "the message is not UTF-8");
        };
        let mut messages = envelope::read(&text);
        let Some(Ok(Message { kind, .. })) = messages.pop().filter(|_| messages.is_empty()) else {
            return refused(StatusCode::BAD_REQUEST, None, "it is not one message");
        };
        let (id, is_first, token) = match kind {
            Kind::Call { id, method, params }
                if alone::is_named(&head.headers) || revision(params).is_some() =>
            {
                let own = Alone { id, method: &method, params };
                return self.alone(own, &head.headers, &text).await;
            }
            Kind::Call { id, method, params } => (id, method == "initialize", token(params)),
            Kind::Answer { .. } => (None, false, None),
        };
        let (open, name) = match (open, is_first) {
            (Some(open), _) => (open, None),
            (None, true) => {
                let front = Arc::clone(self);
                match tokio::task::spawn_blocking(move || front.begin()).await {
                    Ok(Ok((name, open))) => (open, Some(name)),
                    Ok(Err(reason)) => {
                        return refused(StatusCode::SERVICE_UNAVAILABLE, id.as_ref(), &reason);
                    }
                    Err(_) => {
                        let status = StatusCode::INTERNAL_SERVER_ERROR;
                        return refused(status, id.as_ref(), "the session did not begin");
                    }
                }
            }
            (None, false) => {
                let reason = "there is no session: begin with `initialize`";
                return refused(StatusCode::BAD_REQUEST, id.as_ref(), reason);
            }
        };
        let stream = match &id {
            Some(id) => match open.talk.wait(id, token.as_ref()) {
                Some(stream) => Some(stream),
                None => {
                    let reason = "a request with this id is still waiting";
                    return refused(StatusCode::BAD_REQUEST, Some(id), reason);
                }
            },
            None => None,
        };
        let carrier = Arc::clone(&open.session.carrier);
        // Servers may read slowly.
        let carried =
            tokio::task::spawn_blocking(move || carrier.from_client(&text, More::No)).await;
        match (carried, stream) {
            (Err(_), _) => {
                refused(StatusCode::INTERNAL_SERVER_ERROR, id.as_ref(), "it was not passed on")
            }
            (Ok(()), Some(stream)) => streamed(None, stream, name.as_deref()),
            (Ok(()), None) => accepted(StatusCode::ACCEPTED),
        }
    }

    /// Begins a session, with servers of its own.
    fn begin(self: &Arc<Self>) -> Result<(String, Arc<Open>), String> {
        let idle: Vec<Arc<Open>> = {
            let sessions = self.sessions();
            let is_idle = |open: &Arc<Open>| {
                let used = *open.used.lock().unwrap_or_else(PoisonError::into_inner);
                open.session.is_forsaken() || used.elapsed() > IDLE && !open.talk.is_heard()
            };
            sessions.values().filter(|own| is_idle(own)).cloned().collect()
        };
        idle.iter().for_each(|open| self.end(open));
        // Servers are started only for a session that has a place, however many begin at once.
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| "too many sessions are open".to_owned())?;
        let name = name().map_err(|error| error.to_string())?;
        let open = self.open(Some(place))?;
        self.sessions().insert(name.clone(), Arc::clone(&open));
        Ok((name, open))
    }

    /// Starts servers in a thread that stays.
    fn start(self: &Arc<Self>) -> Result<(Vec<Behind>, Starter), String> {
        let (tell, told) = mpsc::channel();
        let (starter, stay) = mpsc::channel();
        let front = Arc::clone(self);
        let work = move || {
            let _ = tell.send((front.service.start)());
            drop((tell, front));
            // Nothing is ever sent: an error says that nobody needs the servers any more.
            let _ = stay.recv();
        };
        let thread = std::thread::Builder::new().name("ringfence-mcp-start".to_owned());
        thread.spawn(work).map_err(|error| error.to_string())?;
        let servers = told.recv().map_err(|_| "the servers did not start".to_owned())??;
        Ok((servers, starter))
    }

    /// Starts servers, and a talk with them.
    fn open(self: &Arc<Self>, place: Option<OwnedSemaphorePermit>) -> Result<Arc<Open>, String> {
        let (servers, starter) = self.start()?;
        let talk = Arc::new(Talk::default());
        let (told, forsaken) = (Arc::clone(&talk), Arc::clone(&talk));
        let client = Client { tell: Box::new(told), forsaken: Arc::new(move || forsaken.close()) };
        let Service { endpoint, desk, notes, .. } = &self.service;
        let session =
            Session::start(*endpoint, servers, Arc::clone(desk), Arc::clone(notes), client)
                .map_err(|error| error.to_string())?;
        let (used, place) = (Mutex::new(Instant::now()), Mutex::new(place));
        Ok(Arc::new(Open { session, talk, used, place, _starter: starter }))
    }

    fn end(&self, open: &Arc<Open>) {
        self.sessions().retain(|_, own| !Arc::ptr_eq(own, open));
        open.talk.close();
        drop(open.place.lock().unwrap_or_else(PoisonError::into_inner).take());
        let open = Arc::clone(open);
        std::thread::spawn(move || open.session.end(PARTING));
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Arc<Open>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name for a session that nobody guesses.
fn name() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
