//! Connections of programs that know no proxy.
//!
//! The address at which one arrives is the address that the program dialled.

use std::net::SocketAddr;
use std::sync::Arc;

use ringfence_core::net::HostName;
use tokio::net::TcpStream;

use crate::buffer::Buffer;
use crate::dial::Destination;
use crate::gate::Asks;
use crate::observe::Via;
use crate::shared::Shared;
use crate::tunnel::{carry, reset};

/// Carries one connection to where it was meant to go, or resets it.
pub(crate) async fn serve(shared: Arc<Shared>, stream: TcpStream, client: SocketAddr) {
    let Ok(dialled) = stream.local_addr() else { return reset(stream) };
    let asks = Asks { via: Via::Carried, client: Some(client) };
    let host = HostName::from(dialled.ip());
    let Ok(permit) = shared.gate.check(asks, host, dialled.port()).await else {
        return reset(stream);
    };
    let _ = stream.set_nodelay(true);
    let to = Destination::of(permit);
    match to.dial(shared.gate.limits.connect).await {
        Ok(server) => carry(&shared, stream, Buffer::default(), server, asks, to).await,
        Err(_) => {
            shared.gate.counters.failed.add_one();
            reset(stream);
        }
    }
}
