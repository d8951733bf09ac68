//! The listeners, and what becomes of what they accept.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::gate::Gate;
use crate::inside::{Dial, Inside, Published};
use crate::pool::Pool;
use crate::shared::Shared;
use crate::{carried, dns, proxy, published};

/// The sockets, ready to be served.
pub(crate) struct Server {
    proxy: Option<TcpListener>,
    carried: Vec<TcpListener>,
    resolver: Option<UdpSocket>,
    published: Vec<(TcpListener, u16, Arc<dyn Dial>)>,
}

impl Server {
    /// Takes the sockets over; called where a runtime is entered.
    pub(crate) fn new(inside: Inside, published: Option<Published>) -> io::Result<Server> {
        let listener = |listener: std::net::TcpListener| {
            listener.set_nonblocking(true)?;
            TcpListener::from_std(listener)
        };
        let resolver = inside.resolver.map(|socket| {
            socket.set_nonblocking(true)?;
            UdpSocket::from_std(socket)
        });
        let ports = published.into_iter().flat_map(|published| {
            let Published { ports, dial } = published;
            ports.into_iter().map(move |(socket, port)| (socket, port, Arc::clone(&dial)))
        });
        Ok(Server {
            proxy: inside.proxy.map(listener).transpose()?,
            carried: inside.carried.into_iter().map(listener).collect::<io::Result<_>>()?,
            resolver: resolver.transpose()?,
            published: ports
                .map(|(socket, port, dial)| Ok((listener(socket)?, port, dial)))
                .collect::<io::Result<_>>()?,
        })
    }
}

/// Begins to serve all of them, in tasks of the runtime in which this is called.
pub(crate) fn start(server: Server, gate: &Arc<Gate>) {
    let room = Arc::new(Semaphore::new(gate.limits.connections));
    let pool = Pool::new(gate.limits.pooled, gate.limits.pooled_time);
    let shared = Arc::new(Shared { gate: Arc::clone(gate), pool });
    if let Some(listener) = server.proxy {
        let shared = Arc::clone(&shared);
        let serve = move |stream, client| proxy::serve(Arc::clone(&shared), stream, client);
        tokio::spawn(accept(listener, Arc::clone(&room), serve));
    }
    for listener in server.carried {
        let shared = Arc::clone(&shared);
        let serve = move |stream, client| carried::serve(Arc::clone(&shared), stream, client);
        tokio::spawn(accept(listener, Arc::clone(&room), serve));
    }
    for (listener, port, dial) in server.published {
        let gate = Arc::clone(gate);
        let serve = move |stream, client| {
            published::serve(Arc::clone(&gate), Arc::clone(&dial), port, stream, client)
        };
        tokio::spawn(accept(listener, Arc::clone(&room), serve));
    }
    if let Some(socket) = server.resolver {
        tokio::spawn(dns::serve(socket, Arc::clone(gate)));
    }
}

/// How long to wait after accepting failed: descriptors may be free again by then.
const BREATH: Duration = Duration::from_millis(20);

async fn accept<F, S>(listener: TcpListener, room: Arc<Semaphore>, serve: S)
where
    F: Future<Output = ()> + Send + 'static,
    S: Fn(TcpStream, SocketAddr) -> F,
{
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, client)) => {
                let served = serve(stream, client);
                tokio::spawn(async move {
                    served.await;
                    drop(place);
                });
            }
            Err(_) => sleep(BREATH).await,
        }
    }
}
