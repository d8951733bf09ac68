//! One request and its response, between a client and a server.

use std::future::{Future, poll_fn};
use std::io;
use std::mem;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};

use super::body::Body;
use super::fields::{Care, Fault, end_of_head};
use super::request::Request;
use super::response::{self, Response};
use crate::buffer::Buffer;
use crate::limits::Limits;
use crate::race::{First, race};

/// How it ended well.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Whether the server's connection can be used again.
    pub(crate) reusable: bool,
    /// Whether the client's can.
    pub(crate) keep_alive: bool,
    /// Both speak another protocol now; these are the server's first words in it.
    pub(crate) switched: Option<Buffer>,
}

/// How it ended otherwise.
#[derive(Debug)]
pub(crate) enum Broken {
    /// Nothing of an answer came.
    Unanswered(io::Error),
    /// The answer cannot be read, and the client has seen nothing of it.
    Unreadable(Fault),
    /// The request's body cannot be read.
    Request(Fault),
    /// The client is gone, or the answer broke off.
    Midway,
}

/// Sends a request and hands the response back.
pub(crate) async fn converse(
    client: &mut TcpStream,
    asked: &mut Buffer,
    server: &mut TcpStream,
    request: &mut Request,
    limits: &Limits,
) -> Result<Ended, Broken> {
    let (mut client_read, mut client_write) = client.split();
    let (mut server_read, mut server_write) = server.split();
    let mut body = mem::replace(&mut request.body, Body::EMPTY);
    send_start(asked, &mut server_write, &mut body, &request.head).await?;
    let mut answered = Buffer::default();
    let shown = AtomicBool::new(false);
    let back = Back { from: &mut server_read, to: &mut client_write, shown: &shown };
    let receive = receive(back, &mut answered, request, limits);
    let response = if body.is_done() {
        match race(receive, gone(&mut client_read)).await {
            First::One(response) => response?,
            First::Other(()) => return Err(Broken::Midway),
        }
    } else {
        let send = pass_body(&mut client_read, asked, &mut server_write, &mut body, limits);
        match while_sending(receive, send).await {
            // The client has part of a response: another one would be read as the rest of it.
            Err(_) if shown.load(Ordering::Relaxed) => return Err(Broken::Midway),
            response => response?,
        }
    };
    Ok(Ended {
        reusable: response.reusable && body.is_done() && answered.is_empty(),
        keep_alive: response.keep_alive && body.is_done(),
        switched: (response.status == 101).then_some(answered),
    })
}

/// Sends the head, and with it what of the body is there already.
async fn send_start(
    asked: &mut Buffer,
    to: &mut WriteHalf<'_>,
    body: &mut Body,
    head: &[u8],
) -> Result<(), Broken> {
    let count = body.accept(asked.bytes()).map_err(Broken::Request)?;
    let sent = match count {
        0 => to.write_all(head).await,
        _ => to.write_all(&[head, &asked.take(count)].concat()).await,
    };
    sent.map_err(Broken::Unanswered)
}

/// Waits for the response while the request's body is still being sent.
async fn while_sending(
    receive: impl Future<Output = Result<Response, Broken>>,
    send: impl Future<Output = Result<(), Broken>>,
) -> Result<Response, Broken> {
    let mut receive = pin!(receive);
    let mut send = pin!(send);
    let mut sending = true;
    poll_fn(|cx| {
        if let Poll::Ready(response) = receive.as_mut().poll(cx) {
            return Poll::Ready(response);
        }
        if sending && let Poll::Ready(sent) = send.as_mut().poll(cx) {
            sending = false;
            // A server that takes no more may have answered all the same.
            if let Err(broken @ (Broken::Request(_) | Broken::Midway)) = sent {
                return Poll::Ready(Err(broken));
            }
        }
        Poll::Pending
    })
    .await
}

/// The way of a response.
struct Back<'a, 'r, 'w> {
    from: &'a mut ReadHalf<'r>,
    to: &'a mut WriteHalf<'w>,
    /// Whether the client has seen anything of it.
    shown: &'a AtomicBool,
}

/// Passes the response to the client: interim ones as they come, then the one that counts.
async fn receive(
    back: Back<'_, '_, '_>,
    answered: &mut Buffer,
    request: &Request,
    limits: &Limits,
) -> Result<Response, Broken> {
    loop {
        let response = read_response(back.from, answered, request, limits).await;
        let mut response = match response {
            Err(_) if back.shown.load(Ordering::Relaxed) => return Err(Broken::Midway),
            response => response?,
        };
        let switches = response.status == 101;
        let interim = (100..200).contains(&response.status) && !switches;
        if switches && !request.upgrade {
            return Err(Broken::Unreadable(Fault::bad("it switches to what nobody asked for")));
        }
        if interim && request.minor == 0 {
            continue;
        }
        back.shown.store(true, Ordering::Relaxed);
        let mut out = mem::take(&mut response.head);
        if !switches {
            let count = response.body.accept(answered.bytes()).map_err(|_| Broken::Midway)?;
            out.extend_from_slice(answered.bytes().get(..count).unwrap_or_default());
            answered.consume(count);
        }
        back.to.write_all(&out).await.map_err(|_| Broken::Midway)?;
        if interim {
            continue;
        }
        if !switches && !response.body.is_done() {
            let passed = pass_body(back.from, answered, back.to, &mut response.body, limits).await;
            passed.map_err(|_| Broken::Midway)?;
        }
        return Ok(response);
    }
}

async fn read_response(
    from: &mut ReadHalf<'_>,
    answered: &mut Buffer,
    request: &Request,
    limits: &Limits,
) -> Result<Response, Broken> {
    let mut seen = 0;
    loop {
        let end = end_of_head(answered.bytes(), seen, Care::Kind).map_err(Broken::Unreadable)?;
        if let Some(end) = end {
            let head = answered.bytes().get(..end).unwrap_or_default();
            let response = response::read(head, request).map_err(Broken::Unreadable)?;
            answered.consume(end);
            return Ok(response);
        }
        seen = answered.bytes().len();
        if seen > limits.head_bytes {
            return Err(Broken::Unreadable(Fault::bad("its head is too large")));
        }
        match answered.fill_within(from, limits.response).await {
            Ok(0) => return Err(Broken::Unanswered(io::ErrorKind::UnexpectedEof.into())),
            Ok(_) => {}
            Err(error) => return Err(Broken::Unanswered(error)),
        }
    }
}

/// Passes a body on, as it is.
async fn pass_body(
    from: &mut (impl AsyncRead + Unpin),
    buffer: &mut Buffer,
    to: &mut (impl AsyncWrite + Unpin),
    body: &mut Body,
    limits: &Limits,
) -> Result<(), Broken> {
    loop {
        let count = body.accept(buffer.bytes()).map_err(Broken::Request)?;
        let part = buffer.bytes().get(..count).unwrap_or_default();
        if !part.is_empty() {
            // Where the other side takes no more, whoever waits for its answer says so.
            to.write_all(part).await.map_err(Broken::Unanswered)?;
            buffer.consume(count);
        }
        if body.is_done() {
            return Ok(());
        }
        match buffer.fill_within(from, limits.response).await {
            Ok(0) if *body == Body::UntilClose => return Ok(()),
            Ok(0) | Err(_) => return Err(Broken::Midway),
            Ok(_) => {}
        }
    }
}

/// Ends when the client does; it may send its next request meanwhile.
async fn gone(client: &mut ReadHalf<'_>) {
    if let Ok(1..) = client.peek(&mut [0]).await {
        std::future::pending::<()>().await;
    }
}
