//! Accepting, and what becomes of what is accepted.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::pool::Pool;
use crate::shared::Shared;
use crate::worker::{Sockets, Together, WORKERS};
use crate::{carried, dns, proxy, published};

/// Begins to serve all of them, in tasks of the runtime in which this is called.
pub(crate) fn start(sockets: Sockets, together: &Arc<Together>) -> io::Result<()> {
    let gate = &together.gate;
    let pool = Pool::new(gate.limits.pooled.div_ceil(WORKERS), gate.limits.pooled_time);
    let shared = Arc::new(Shared { gate: Arc::clone(gate), pool });
    if let Some(listener) = sockets.proxy {
        let shared = Arc::clone(&shared);
        let serve = move |stream, client| proxy::serve(Arc::clone(&shared), stream, client);
        tokio::spawn(accept(TcpListener::from_std(listener)?, Arc::clone(together), serve));
    }
    for listener in sockets.carried {
        let shared = Arc::clone(&shared);
        let serve = move |stream, client| carried::serve(Arc::clone(&shared), stream, client);
        tokio::spawn(accept(TcpListener::from_std(listener)?, Arc::clone(together), serve));
    }
    for (listener, port, dial) in sockets.published {
        let gate = Arc::clone(gate);
        let serve = move |stream, client| {
            published::serve(Arc::clone(&gate), Arc::clone(&dial), port, stream, client)
        };
        tokio::spawn(accept(TcpListener::from_std(listener)?, Arc::clone(together), serve));
    }
    if let Some(socket) = sockets.resolver {
        tokio::spawn(dns::serve(tokio::net::UdpSocket::from_std(socket)?, Arc::clone(gate)));
    }
    Ok(())
}

/// How long to wait after accepting failed: descriptors may be free again by then.
const BREATH: Duration = Duration::from_millis(20);

async fn accept<F, S>(listener: TcpListener, together: Arc<Together>, serve: S)
where
    F: Future<Output = ()> + Send + 'static,
    S: Fn(TcpStream, SocketAddr) -> F,
{
    loop {
        match listener.accept().await {
            Ok((stream, client)) => {
                together.busy.notify_one();
                // Those behind it wait in the kernel's queue.
                let place = together.places.take().await;
                tokio::spawn(place.serve(serve(stream, client)));
            }
            Err(_) => sleep(BREATH).await,
        }
    }
}
