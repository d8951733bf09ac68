//! Ports of the inside that are open on the host's loopback.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpStream;

use crate::apart::apart;
use crate::gate::{Asks, Gate};
use crate::inside::Dial;
use crate::observe::Via;
use crate::places;
use crate::relay::{Pump, relay};
use crate::tunnel::reset;

/// Carries one connection inwards, or resets it.
pub(crate) async fn serve(
    gate: Arc<Gate>,
    dial: Arc<dyn Dial>,
    port: u16,
    mut stream: TcpStream,
    client: SocketAddr,
) {
    places::asking();
    let asks = Asks { via: Via::Published, client: Some(client) };
    if !gate.check_listen(asks, port) {
        return reset(stream);
    }
    let dialled = apart(move || dial.dial(port)).await.and_then(|dialled| dialled);
    let inner = dialled.and_then(|inner| {
        inner.set_nonblocking(true)?;
        inner.set_nodelay(true)?;
        TcpStream::from_std(inner)
    });
    let _ = stream.set_nodelay(true);
    match inner {
        Ok(mut inner) => {
            let (there, back) = (Pump::default(), Pump::default());
            let _ = relay(&mut stream, &mut inner, there, back, gate.limits.tunnel_idle).await;
        }
        Err(_) => {
            gate.counters.failed.add_one();
            reset(stream);
        }
    }
}
