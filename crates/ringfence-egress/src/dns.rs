//! The resolver inside: it answers for granted names, with addresses that stand for them.
//!
//! It must never ask anyone: a name that is looked up is a message to whoever serves it.

pub(crate) mod packet;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use ringfence_core::net::HostName;
use tokio::net::UdpSocket;
use tokio::time::sleep;

use crate::gate::{Asks, Gate};
use crate::observe::Via;
use packet::{Answer, Code, Kind, Query};

/// The largest query that is read; more than what every resolver sends.
const LARGEST: usize = 4096;

/// How long to wait after receiving failed.
const BREATH: Duration = Duration::from_millis(20);

/// Answers queries.
pub(crate) async fn serve(socket: UdpSocket, gate: Arc<Gate>) {
    let mut packet = vec![0; LARGEST];
    loop {
        match socket.recv_from(&mut packet).await {
            Ok((length, client)) => {
                let query = packet.get(..length).unwrap_or_default();
                if let Some(answer) = answer(&gate, query, client) {
                    // A client that is gone needs no answer.
                    let _ = socket.send_to(&answer, client).await;
                }
            }
            Err(_) => sleep(BREATH).await,
        }
    }
}

/// The answer to a packet; `None` for what is no query.
pub(crate) fn answer(gate: &Gate, packet: &[u8], client: SocketAddr) -> Option<Vec<u8>> {
    let query = match packet::read(packet) {
        Ok(query) => query,
        Err(fault) => return fault.answer(),
    };
    let answer = match HostName::parse(&query.name) {
        Ok(HostName::Loopback) => loopback(&query),
        Ok(HostName::Domain(name)) if is_reverse(&name) => Answer::Code(Code::NoName),
        Ok(name @ HostName::Domain(_)) => for_name(gate, &query, &name, client),
        // An address is no name, and a name that cannot be read is nobody's.
        Ok(HostName::Ip(_)) | Err(_) => Answer::Code(Code::NoName),
    };
    Some(query.respond(answer))
}

fn for_name(gate: &Gate, query: &Query, name: &HostName, client: SocketAddr) -> Answer {
    let asks = Asks { via: Via::Resolver, client: Some(client) };
    if !gate.check_name(asks, name) {
        return Answer::Code(Code::NoName);
    }
    match query.kind {
        Kind::A => match gate.names.address(name) {
            Some(address) => Answer::V4(address),
            None => Answer::Code(Code::Failure),
        },
        // It exists, and has nothing else.
        Kind::Aaaa | Kind::Other => Answer::Code(Code::Fine),
    }
}

/// The run's own loopback, which needs no grant.
fn loopback(query: &Query) -> Answer {
    match query.kind {
        Kind::A => Answer::V4(Ipv4Addr::LOCALHOST),
        Kind::Aaaa => Answer::V6(Ipv6Addr::LOCALHOST),
        Kind::Other => Answer::Code(Code::Fine),
    }
}

/// Whether a name is asked for that belongs to an address. Programs ask for these by themselves;
/// it is nothing to report.
fn is_reverse(name: &str) -> bool {
    name.ends_with(".in-addr.arpa") || name.ends_with(".ip6.arpa")
}
