//! Tunnels: connections whose bytes are carried, once their opening agrees with what was granted.

use std::io;

use ringfence_core::net::HostName;
use tokio::net::TcpStream;

use crate::buffer::Buffer;
use crate::dial::Destination;
use crate::gate::Asks;
use crate::http::{self, Within};
use crate::opening::{self, Opening};
use crate::places;
use crate::relay::{Pump, relay, while_pumping};
use crate::shared::Shared;

/// A fatal alert, "access denied", that every TLS client understands.
const ACCESS_DENIED: [u8; 7] = [21, 3, 1, 0, 2, 2, 49];

/// Carries a connection to a server that was permitted and dialled. What the client said so far is
/// in the buffer.
pub(crate) async fn carry(
    shared: &Shared,
    mut client: TcpStream,
    mut buffer: Buffer,
    mut server: TcpStream,
    asks: Asks,
    to: Destination,
) {
    let limits = &shared.gate.limits;
    places::carrying();
    let mut back = Pump::default();
    // What is behind a port of this machine was granted with the port.
    let opening = match to.host() {
        HostName::Loopback => Ok(Opening::Other),
        _ => listen(shared, &mut client, &mut buffer, &mut server, &mut back).await,
    };
    let agreed = match opening {
        Err(_) => return,
        Ok(Opening::Http) if back.is_untouched() => {
            // Every request of it is looked at, as if it came without the tunnel.
            let within = Within::Tunnel(to);
            return Box::pin(http::serve(shared, client, buffer, asks, within, Some(server))).await;
        }
        Ok(Opening::Tls(Some(name))) => match HostName::parse(&name) {
            Ok(own) if own == *to.host() => Ok(()),
            _ => {
                let name = ringfence_guard::redact::visible(&name).into_owned();
                Err(format!("TLS asks for `{name}` in a connection to `{}`", to.host()))
            }
        },
        Ok(Opening::Bad(reason)) => Err(format!("TLS cannot be read: {reason}")),
        Ok(Opening::Tls(None) | Opening::Http | Opening::Other) => Ok(()),
    };
    match agreed {
        Ok(()) => {
            let there = Pump::starting_with(buffer.take(usize::MAX));
            let _ = relay(&mut client, &mut server, there, back, limits.tunnel_idle).await;
        }
        Err(reason) => {
            shared.gate.doubt(asks, to.host(), to.port(), reason);
            http::say(&mut client, &ACCESS_DENIED).await;
        }
    }
}

/// Waits for the client's first words, while the server may speak.
async fn listen(
    shared: &Shared,
    client: &mut TcpStream,
    buffer: &mut Buffer,
    server: &mut TcpStream,
    back: &mut Pump,
) -> io::Result<Opening> {
    let (mut client_read, mut client_write) = client.split();
    let (mut server_read, _) = server.split();
    let words = opening::read(&mut client_read, buffer, &shared.gate.limits);
    while_pumping(words, back, &mut server_read, &mut client_write).await?
}

/// Breaks a connection off, so that the client sees it refused.
pub(crate) fn reset(client: TcpStream) {
    // Where it cannot be reset it is closed.
    let _ = client.set_zero_linger();
}
