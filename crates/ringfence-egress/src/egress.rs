//! Starting and stopping.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use ringfence_core::access::AccessScope;
use ringfence_guard::Guard;
use tokio::sync::oneshot;

use crate::ask::{Asker, Asking, NobodyToAsk};
use crate::gate::Gate;
use crate::inside::{Inside, Published};
use crate::limits::Limits;
use crate::names::Names;
use crate::observe::{Counters, Counts, Observer, Unobserved};
use crate::resolve::{Remembering, Resolve, SystemResolver};
use crate::worker::{Sockets, Worker};

/// An egress that is being set up.
pub struct Egress {
    guard: Arc<Guard>,
    scope: AccessScope,
    resolve: Arc<dyn Resolve>,
    asker: Arc<dyn Asker>,
    observer: Arc<dyn Observer>,
    limits: Limits,
}

impl Egress {
    /// An egress that decides by this guard. It uses the host's resolver, asks nobody and tells
    /// nobody.
    pub fn new(guard: Arc<Guard>) -> Egress {
        Egress {
            guard,
            scope: AccessScope::default(),
            resolve: Arc::new(SystemResolver),
            asker: Arc::new(NobodyToAsk),
            observer: Arc::new(Unobserved),
            limits: Limits::default(),
        }
    }

    /// Decides for this agent, tool and command: a command that ringfence itself starts has the
    /// hosts that its own grant lists.
    #[must_use]
    pub fn in_scope(mut self, scope: AccessScope) -> Egress {
        self.scope = scope;
        self
    }

    /// Looks names up in this way.
    #[must_use]
    pub fn resolving_with(mut self, resolve: Arc<dyn Resolve>) -> Egress {
        self.resolve = resolve;
        self
    }

    /// Puts questions to this asker.
    #[must_use]
    pub fn asking(mut self, asker: Arc<dyn Asker>) -> Egress {
        self.asker = asker;
        self
    }

    /// Tells this observer of every refusal and every connection.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn Observer>) -> Egress {
        self.observer = observer;
        self
    }

    /// Keeps to these limits.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Egress {
        self.limits = limits;
        self
    }

    /// Begins to serve, on threads of its own; without a socket there is none.
    ///
    /// Sockets given here are closed when the egress stops.
    pub fn start(self, inside: Inside, published: Option<Published>) -> io::Result<Running> {
        let counters = Arc::new(Counters::default());
        if inside.is_empty() && published.as_ref().is_none_or(|own| own.ports.is_empty()) {
            return Ok(Running { counters, proxy: None, stop: None, thread: None });
        }
        let proxy = match &inside.proxy {
            Some(listener) => Some(listener.local_addr()?),
            None => None,
        };
        let gate = self.into_gate(Arc::clone(&counters));
        let worker = Worker::first(Sockets::new(inside, published)?, gate)?;
        let (stop, stopped) = oneshot::channel();
        let thread = worker.start(stopped)?;
        Ok(Running { counters, proxy, stop: Some(stop), thread: Some(thread) })
    }

    pub(crate) fn into_gate(self, counters: Arc<Counters>) -> Arc<Gate> {
        Arc::new(Gate {
            guard: self.guard,
            scope: self.scope,
            resolve: Remembering::new(self.resolve, self.limits.addresses),
            asking: Asking::new(self.asker, self.limits.answer),
            observer: self.observer,
            counters,
            names: Names::new(self.limits.names),
            limits: self.limits,
        })
    }
}

/// An egress at work. It stops, and closes every connection, when this is dropped.
#[derive(Debug)]
pub struct Running {
    counters: Arc<Counters>,
    proxy: Option<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// How often what happened so far.
    pub fn counts(&self) -> Counts {
        self.counters.read()
    }

    /// The address of the proxy inside.
    pub fn proxy(&self) -> Option<SocketAddr> {
        self.proxy
    }

    /// Stops, and says how often what happened.
    pub fn stop(mut self) -> Counts {
        self.end();
        self.counters.read()
    }

    fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
