//! A server that is reached over streamable HTTP.
//!
//! To the rest of the gateway it is a server like any other: lines go to it, lines come from it. What
//! the transport needs beside them is done here: sessions, streams and their resumption, and the
//! fields of the head. Every connection is judged by the policy before it is made. Whatever fails is
//! the answer to the call that waits; the next one tries again.

mod address;
mod call;
pub(crate) mod events;
mod follow;
pub(crate) mod header;
mod line;
mod listen;
mod renew;
mod repeated;
mod stream;
mod wire;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

pub use hyper::header::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};
use ringfence_egress::Dialer;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

pub use address::Address;

use crate::carry::Upstream;
use crate::outgoing::Outgoing;
use crate::server::Process;
use line::Line;
use wire::Wire;

/// The lines that wait to be sent, and those that wait to be judged.
const WAITING: usize = 16;

/// What a server said, or what is to be said about it.
pub(crate) enum Heard {
    Line(String),
    Note(String),
    End,
}

/// The thread on which servers are reached. It ends when this is dropped.
pub struct Net {
    runtime: Handle,
    _stop: oneshot::Sender<()>,
}

impl Net {
    /// Starts it.
    pub fn new() -> io::Result<Arc<Net>> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let work = move || {
            // Nothing is ever sent: an error says that nobody needs the thread any more.
            let _ = runtime.block_on(stopped);
            // A question or a lookup that still blocks a thread is not waited for.
            runtime.shutdown_background();
        };
        thread::Builder::new().name("ringfence-mcp-net".to_owned()).spawn(work)?;
        Ok(Arc::new(Net { runtime: handle, _stop: stop }))
    }
}

/// A server that is reached over HTTP.
pub struct Remote {
    address: Address,
    head: HeaderMap,
    dialer: Dialer,
    net: Arc<Net>,
}

impl Remote {
    /// A server at an address; every request has these fields in its head.
    pub fn new(address: Address, head: HeaderMap, dialer: Dialer, net: Arc<Net>) -> Remote {
        Remote { address, head, dialer, net }
    }

    /// Begins to carry lines. Nothing is sent before there is one. A server may say nothing for so
    /// long while a call waits.
    pub(crate) fn open(self, silence: Duration) -> Open {
        let Remote { address, head, dialer, net } = self;
        let (tell, told) = mpsc::channel(WAITING);
        let (say, heard) = mpsc::channel(WAITING);
        let line = Arc::new(Line::new(Wire::new(address, dialer), head, say, silence));
        let has_ended = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&has_ended);
        let carried = async move {
            line.carry(told).await;
            done.store(true, Ordering::Release);
        };
        let task = net.runtime.spawn(carried).abort_handle();
        let ending = Ending { has_ended, task, _net: net };
        Open { upstream: Arc::new(Out(Mutex::new(Some(tell)))), heard, process: Box::new(ending) }
    }
}

/// The fields of a head, read; an error is words for a message, without what they say.
pub fn head(fields: impl IntoIterator<Item = (String, String)>) -> Result<HeaderMap, String> {
    let mut head = HeaderMap::new();
    for (name, value) in fields {
        let field: HeaderName =
            name.parse().map_err(|_| format!("`{}` is no name of a header", visible(&name)))?;
        if is_own(&field) {
            return Err(format!("the header `{field}` is the gateway's own"));
        }
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| format!("the value of the header `{field}` cannot be sent"))?;
        value.set_sensitive(true);
        head.insert(field, value);
    }
    Ok(head)
}

/// Whether a field is what this gateway says itself.
fn is_own(field: &HeaderName) -> bool {
    let own = ["host", "content-type", "content-length", "accept", "last-event-id"];
    let hop = ["connection", "transfer-encoding", "upgrade", "te", "trailer", "expect"];
    field.as_str().starts_with("mcp-")
        || own.contains(&field.as_str())
        || hop.contains(&field.as_str())
}

fn visible(text: &str) -> String {
    ringfence_guard::redact::visible(text).into_owned()
}

/// A server that lines go to.
pub(crate) struct Open {
    pub(crate) upstream: Arc<dyn Upstream>,
    pub(crate) heard: mpsc::Receiver<Heard>,
    pub(crate) process: Box<dyn Process>,
}

/// What a server is told.
struct Out(Mutex<Option<mpsc::Sender<String>>>);

impl Upstream for Out {
    fn send(&self, line: Outgoing<'_>) {
        let tell = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(tell) = tell {
            // Whoever has hung up wants nothing more to be sent.
            let _ = tell.blocking_send(line.into_text().into_owned());
        }
    }

    fn hang_up(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// The end of a session with a server.
struct Ending {
    has_ended: Arc<AtomicBool>,
    task: AbortHandle,
    _net: Arc<Net>,
}

impl Process for Ending {
    fn ended(&mut self) -> Option<String> {
        self.has_ended.load(Ordering::Acquire).then(|| "it was let go".to_owned())
    }

    fn kill(&mut self) -> String {
        self.task.abort();
        "it was let go".to_owned()
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;
