//! The threads that carry connections.
//!
//! Nearly all of the work is the kernel's, done in the thread that asks for it: with one thread,
//! opening tunnels fills one processor while another is idle. So there are two, each with a
//! runtime of its own, and both accept from the same listeners: whichever is idle takes the next
//! connection and keeps it. Neither hands work over to the other, as a runtime of several threads
//! would, and the second one starts with the first connection: most commands make none.

use std::io;
use std::net::{TcpListener, UdpSocket};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, oneshot};

use crate::gate::Gate;
use crate::inside::{Dial, Inside, Published};
use crate::places::Places;
use crate::race::{First, race};
use crate::serve;

/// Threads at work when there is work.
pub(crate) const WORKERS: usize = 2;

/// How long a worker has to close its connections.
const PARTING: Duration = Duration::from_millis(200);

/// The sockets to serve.
pub(crate) struct Sockets {
    pub(crate) proxy: Option<TcpListener>,
    pub(crate) carried: Vec<TcpListener>,
    pub(crate) resolver: Option<UdpSocket>,
    pub(crate) published: Vec<(TcpListener, u16, Arc<dyn Dial>)>,
}

impl Sockets {
    /// Makes the sockets ready for a runtime.
    pub(crate) fn new(inside: Inside, published: Option<Published>) -> io::Result<Sockets> {
        let ports = published.into_iter().flat_map(|Published { ports, dial }| {
            ports.into_iter().map(move |(socket, port)| (socket, port, Arc::clone(&dial)))
        });
        let sockets = Sockets {
            proxy: inside.proxy,
            carried: inside.carried,
            resolver: inside.resolver,
            published: ports.collect(),
        };
        let published = sockets.published.iter().map(|(listener, ..)| listener);
        for listener in sockets.proxy.iter().chain(&sockets.carried).chain(published) {
            listener.set_nonblocking(true)?;
        }
        if let Some(resolver) = &sockets.resolver {
            resolver.set_nonblocking(true)?;
        }
        Ok(sockets)
    }

    /// The same listeners for another worker. Datagrams are left to the first.
    fn again(&self) -> io::Result<Sockets> {
        let published = self
            .published
            .iter()
            .map(|(listener, port, dial)| Ok((listener.try_clone()?, *port, Arc::clone(dial))));
        Ok(Sockets {
            proxy: self.proxy.as_ref().map(TcpListener::try_clone).transpose()?,
            carried: self.carried.iter().map(TcpListener::try_clone).collect::<io::Result<_>>()?,
            resolver: None,
            published: published.collect::<io::Result<_>>()?,
        })
    }
}

/// What the workers have together.
pub(crate) struct Together {
    pub(crate) gate: Arc<Gate>,
    /// A place for each connection.
    pub(crate) places: Arc<Places>,
    /// Told of every connection.
    pub(crate) busy: Notify,
}

/// A worker that is ready to begin.
pub(crate) struct Worker {
    runtime: Runtime,
    together: Arc<Together>,
    /// What another worker serves, once there is work.
    other: Option<Sockets>,
}

impl Worker {
    /// The first worker; it brings the other.
    pub(crate) fn first(sockets: Sockets, gate: Arc<Gate>) -> io::Result<Worker> {
        let places = Arc::new(Places::new(&gate.limits));
        let together = Arc::new(Together { gate, places, busy: Notify::new() });
        let other = Some(sockets.again()?);
        Worker::new(sockets, other, together)
    }

    fn new(
        sockets: Sockets,
        other: Option<Sockets>,
        together: Arc<Together>,
    ) -> io::Result<Worker> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        {
            let _entered = runtime.enter();
            serve::start(sockets, &together)?;
        }
        Ok(Worker { runtime, together, other })
    }

    /// Works in a thread of its own until it is told to stop, or nobody is left who could.
    pub(crate) fn start(self, stopped: oneshot::Receiver<()>) -> io::Result<JoinHandle<()>> {
        thread(move || self.work(stopped))
    }

    fn work(self, mut stopped: oneshot::Receiver<()>) {
        let Worker { runtime, together, other } = self;
        let beside = runtime.block_on(async {
            let beside = match race(&mut stopped, together.busy.notified()).await {
                First::One(_) => return None,
                First::Other(()) => other.and_then(|sockets| Beside::start(sockets, &together)),
            };
            let _ = stopped.await;
            beside
        });
        let thread = beside.map(Beside::stop);
        // A question or a lookup that still blocks a thread is not waited for.
        runtime.shutdown_timeout(PARTING);
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// The worker that another one has brought.
struct Beside {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Beside {
    /// Starts it, with a runtime that is made in its own thread: in a task, none may be dropped.
    /// Where that fails, one worker does all of the work.
    fn start(sockets: Sockets, together: &Arc<Together>) -> Option<Beside> {
        let together = Arc::clone(together);
        let (stop, stopped) = oneshot::channel();
        let work = move || {
            if let Ok(worker) = Worker::new(sockets, None, together) {
                worker.work(stopped);
            }
        };
        Some(Beside { stop, thread: thread(work).ok()? })
    }

    /// Tells it to stop; its thread is still to be waited for.
    fn stop(self) -> JoinHandle<()> {
        drop(self.stop);
        self.thread
    }
}

fn thread(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name("ringfence-egress".to_owned()).spawn(work)
}
