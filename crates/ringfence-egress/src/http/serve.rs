//! One client's connection: request after request.

use std::io;
use std::time::Duration;

use ringfence_core::net::HostName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::answer;
use super::body::Body;
use super::exchange::{self, Broken};
use super::fields::{Care, Fault, end_of_head};
use super::request::{self, Request, Target, Unfit};
use crate::buffer::Buffer;
use crate::dial::Destination;
use crate::gate::{Asks, Stop};
use crate::observe::Via;
use crate::places;
use crate::relay::{Pump, relay};
use crate::shared::Shared;
use crate::tunnel;

/// What the requests of a connection may be for.
#[derive(Debug)]
pub(crate) enum Within {
    /// Whatever is granted: the connection is to the proxy.
    Proxy,
    /// What a tunnel leads to.
    Tunnel(Destination),
}

/// Serves requests until the client has no more, or one goes wrong. `fresh` is a connection to
/// where a tunnel leads on which nothing was said yet.
pub(crate) async fn serve(
    shared: &Shared,
    mut client: TcpStream,
    mut buffer: Buffer,
    asks: Asks,
    within: Within,
    mut fresh: Option<TcpStream>,
) {
    while let Ok(Some(end)) = read_head(shared, &mut client, &mut buffer).await {
        let head = buffer.bytes().get(..end).unwrap_or_default();
        let host = match &within {
            Within::Proxy => None,
            Within::Tunnel(to) => Some((to.host(), to.port())),
        };
        let request = match request::read(head, host) {
            Ok(request) => request,
            Err(unfit) => return say(&mut client, &unfit_answer(shared, asks, unfit)).await,
        };
        buffer.consume(end);
        let plain = match &request.target {
            Target::Tunnel(host, port) => {
                let (host, port) = (host.clone(), *port);
                return open_tunnel(shared, client, buffer, asks, host, port).await;
            }
            Target::Plain(host, port) => (host.clone(), *port),
        };
        let next = match &within {
            Within::Tunnel(to) => {
                let fresh = fresh.take();
                plain_request(shared, &mut client, &mut buffer, to, fresh, request).await
            }
            Within::Proxy => {
                let asks = Asks { via: Via::Http, ..asks };
                match shared.gate.check(asks, plain.0, plain.1).await {
                    Ok(permit) => {
                        let to = Destination::of(permit);
                        plain_request(shared, &mut client, &mut buffer, &to, None, request).await
                    }
                    Err(stop) => Err(stop_answer(&stop)),
                }
            }
        };
        match next {
            Ok(true) => {}
            Ok(false) => return say(&mut client, b"").await,
            Err(answer) => return say(&mut client, &answer).await,
        }
    }
}

/// Waits for a whole head; `None` when there is no further one.
async fn read_head(
    shared: &Shared,
    client: &mut TcpStream,
    buffer: &mut Buffer,
) -> io::Result<Option<usize>> {
    let limits = &shared.gate.limits;
    places::idle();
    if buffer.is_empty() && buffer.fill_within(client, limits.keep_alive).await? == 0 {
        return Ok(None);
    }
    let whole = async {
        let mut seen = 0;
        loop {
            // Some clients send an empty line after a body.
            if buffer.bytes().starts_with(b"\r\n") {
                buffer.consume(2);
                seen = 0;
            }
            match end_of_head(buffer.bytes(), seen, Care::Strict) {
                Ok(Some(end)) if end <= limits.head_bytes => return Ok(Ok(end)),
                Ok(Some(end)) => seen = end,
                Ok(None) => seen = buffer.bytes().len(),
                Err(fault) => return Ok(Err(fault)),
            }
            if seen > limits.head_bytes {
                return Ok(Err(Fault { status: 431, reason: "the head is too large" }));
            }
            if buffer.fill(client).await? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
        }
    };
    let fault = match timeout(limits.head_time, whole).await {
        Ok(Ok(Ok(end))) => return Ok(Some(end)),
        Ok(Ok(Err(fault))) => fault,
        Ok(Err(error)) => return Err(error),
        Err(_) => Fault { status: 408, reason: "the head took too long" },
    };
    say(client, &answer::failed(fault.status, fault.reason)).await;
    Ok(None)
}

/// Carries out one request; whether the client may go on, or what it is told instead.
async fn plain_request(
    shared: &Shared,
    client: &mut TcpStream,
    buffer: &mut Buffer,
    to: &Destination,
    fresh: Option<TcpStream>,
    mut request: Request,
) -> Result<bool, Vec<u8>> {
    let limits = &shared.gate.limits;
    places::asking();
    // A server may close a kept connection just as a request comes. Only what can be said twice is
    // said there: anything else might be lost, or done twice.
    let repeatable = request.is_safe && request.body == Body::EMPTY;
    let mut at_hand = match fresh {
        None if repeatable => shared.pool.take(to),
        fresh => fresh,
    };
    loop {
        let may_repeat = at_hand.is_some() && repeatable;
        let mut server = match at_hand.take() {
            Some(server) => server,
            None => to.dial(limits.connect).await.map_err(|e| dial_answer(shared, &e))?,
        };
        let ended = exchange::converse(client, buffer, &mut server, &mut request, limits).await;
        let ended = match ended {
            Err(Broken::Unanswered(_)) if may_repeat => continue,
            Err(broken) => return broken_answer(broken),
            Ok(ended) => ended,
        };
        if let Some(first_words) = ended.switched {
            let there = Pump::starting_with(buffer.take(usize::MAX));
            let mut first_words = first_words;
            let back = Pump::starting_with(first_words.take(usize::MAX));
            let _ = relay(client, &mut server, there, back, limits.tunnel_idle).await;
            return Ok(false);
        }
        if ended.reusable {
            shared.pool.put(to, server);
        }
        return Ok(ended.keep_alive);
    }
}

async fn open_tunnel(
    shared: &Shared,
    mut client: TcpStream,
    buffer: Buffer,
    asks: Asks,
    host: HostName,
    port: u16,
) {
    let asks = Asks { via: Via::Connect, ..asks };
    let to = match shared.gate.check(asks, host, port).await {
        Ok(permit) => Destination::of(permit),
        Err(stop) => return say(&mut client, &stop_answer(&stop)).await,
    };
    let server = match to.dial(shared.gate.limits.connect).await {
        Ok(server) => server,
        Err(error) => return say(&mut client, &dial_answer(shared, &error)).await,
    };
    if client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.is_ok() {
        tunnel::carry(shared, client, buffer, server, asks, to).await;
    }
}

fn unfit_answer(shared: &Shared, asks: Asks, unfit: Unfit) -> Vec<u8> {
    match unfit {
        Unfit::Fault(fault) => answer::failed(fault.status, fault.reason),
        Unfit::Host { text, reason } => {
            answer::refused(&shared.gate.unreadable(asks, &text, reason))
        }
        Unfit::Disagrees { host, port, reason } => {
            answer::refused(&shared.gate.doubt(asks, &host, port, reason))
        }
    }
}

fn stop_answer(stop: &Stop) -> Vec<u8> {
    match stop {
        Stop::Refused(refused) => answer::refused(refused),
        Stop::Unresolved(error) => {
            answer::failed(502, &format!("the name cannot be looked up: {error}"))
        }
    }
}

fn dial_answer(shared: &Shared, error: &io::Error) -> Vec<u8> {
    shared.gate.counters.failed.add_one();
    let status = if error.kind() == io::ErrorKind::TimedOut { 504 } else { 502 };
    answer::failed(status, &format!("the server cannot be reached: {error}"))
}

fn broken_answer(broken: Broken) -> Result<bool, Vec<u8>> {
    match broken {
        Broken::Unanswered(error) if error.kind() == io::ErrorKind::TimedOut => {
            Err(answer::failed(504, "the server did not answer in time"))
        }
        Broken::Unanswered(error) => {
            Err(answer::failed(502, &format!("the server did not answer: {error}")))
        }
        Broken::Unreadable(fault) => {
            Err(answer::failed(502, &format!("the answer cannot be read: {}", fault.reason)))
        }
        Broken::Request(fault) => Err(answer::failed(fault.status, fault.reason)),
        Broken::Midway => Ok(false),
    }
}

/// How long, and for how many bytes, a client is listened to that was told no.
const LINGER: (Duration, usize) = (Duration::from_secs(1), 64);

/// Tells the client something and closes. What it still sends is read for a moment: a connection
/// that is closed with unread bytes is reset, and the answer may be lost.
pub(crate) async fn say(client: &mut TcpStream, answer: &[u8]) {
    let told = async {
        client.write_all(answer).await?;
        client.shutdown().await?;
        let mut waste = [0; 4096];
        for _ in 0..LINGER.1 {
            if client.read(&mut waste).await? == 0 {
                break;
            }
        }
        io::Result::Ok(())
    };
    let _ = timeout(LINGER.0, told).await;
}
