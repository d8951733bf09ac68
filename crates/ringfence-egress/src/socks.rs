//! SOCKS5: connections by name or address, without a password.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ringfence_core::net::HostName;
use ringfence_guard::redact::visible;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::buffer::Buffer;
use crate::dial::Destination;
use crate::gate::{Asks, Stop};
use crate::http::say;
use crate::shared::Shared;
use crate::tunnel::carry;

/// The first byte of everything that is said.
pub(crate) const VERSION: u8 = 5;

const NO_PASSWORD: u8 = 0;
const NO_METHOD: u8 = 0xff;
const CONNECT: u8 = 1;

/// Answers to a request, by RFC 1928.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Succeeded = 0,
    Failed = 1,
    NotAllowed = 2,
    HostUnreachable = 4,
    Refused = 5,
    TimedOut = 6,
    NoCommand = 7,
    NoAddress = 8,
}

/// Where a client wants to go.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Address(IpAddr, u16),
    Name(Vec<u8>, u16),
}

/// Serves one client.
pub(crate) async fn serve(shared: &Shared, mut client: TcpStream, mut buffer: Buffer, asks: Asks) {
    let limits = &shared.gate.limits;
    let greeted = timeout(limits.head_time, greet(&mut client, &mut buffer)).await;
    let wanted = match greeted {
        Ok(Ok(Ok(wanted))) => wanted,
        Ok(Ok(Err(reply))) => return say(&mut client, &reply_bytes(reply)).await,
        Ok(Err(_)) | Err(_) => return,
    };
    let (host, port) = match name(wanted) {
        Ok(pair) => pair,
        Err((text, reason)) => {
            shared.gate.unreadable(asks, &text, reason);
            return say(&mut client, &reply_bytes(Reply::NotAllowed)).await;
        }
    };
    let to = match shared.gate.check(asks, host, port).await {
        Ok(permit) => Destination::of(permit),
        Err(Stop::Refused(_)) => {
            return say(&mut client, &reply_bytes(Reply::NotAllowed)).await;
        }
        Err(Stop::Unresolved(_)) => {
            return say(&mut client, &reply_bytes(Reply::HostUnreachable)).await;
        }
    };
    match to.dial(limits.connect).await {
        Ok(server) => {
            if client.write_all(&reply_bytes(Reply::Succeeded)).await.is_ok() {
                carry(shared, client, buffer, server, asks, to).await;
            }
        }
        Err(error) => {
            shared.gate.counters.failed.add_one();
            say(&mut client, &reply_bytes(of_error(&error))).await;
        }
    }
}

fn of_error(error: &io::Error) -> Reply {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Reply::Refused,
        io::ErrorKind::TimedOut => Reply::TimedOut,
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            Reply::HostUnreachable
        }
        _ => Reply::Failed,
    }
}

fn reply_bytes(reply: Reply) -> [u8; 10] {
    [VERSION, reply as u8, 0, 1, 0, 0, 0, 0, 0, 0]
}

/// The greeting and the request; the inner error is what the client is told.
async fn greet(client: &mut TcpStream, buffer: &mut Buffer) -> io::Result<Result<Wanted, Reply>> {
    let methods = loop {
        if let Some((methods, used)) = read_greeting(buffer.bytes()) {
            buffer.consume(used);
            break methods;
        }
        more(client, buffer).await?;
    };
    if !methods {
        say(client, &[VERSION, NO_METHOD]).await;
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    client.write_all(&[VERSION, NO_PASSWORD]).await?;
    loop {
        match read_request(buffer.bytes()) {
            Err(reply) => return Ok(Err(reply)),
            Ok(Some((wanted, used))) => {
                buffer.consume(used);
                return Ok(Ok(wanted));
            }
            Ok(None) => more(client, buffer).await?,
        }
    }
}

async fn more(client: &mut TcpStream, buffer: &mut Buffer) -> io::Result<()> {
    match buffer.fill(client).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// Whether the client goes without a password, and the greeting's length.
fn read_greeting(bytes: &[u8]) -> Option<(bool, usize)> {
    let (count, rest) = bytes.get(1..)?.split_first()?;
    let methods = rest.get(..usize::from(*count))?;
    Some((methods.contains(&NO_PASSWORD), methods.len().checked_add(2)?))
}

/// What a request wants and its length; `None` if it is not whole yet.
pub(crate) fn read_request(bytes: &[u8]) -> Result<Option<(Wanted, usize)>, Reply> {
    let [version, command, _, kind, rest @ ..] = bytes else { return Ok(None) };
    if *version != VERSION {
        return Err(Reply::Failed);
    }
    if *command != CONNECT {
        return Err(Reply::NoCommand);
    }
    let read = match kind {
        1 => read_address::<4>(rest, |octets| Ipv4Addr::from(octets).into()),
        4 => read_address::<16>(rest, |octets| Ipv6Addr::from(octets).into()),
        3 => read_name(rest),
        _ => return Err(Reply::NoAddress),
    };
    match read {
        Some((Wanted::Address(_, 0) | Wanted::Name(_, 0), _)) => Err(Reply::NoAddress),
        Some((wanted, used)) => Ok(used.checked_add(4).map(|used| (wanted, used))),
        None => Ok(None),
    }
}

fn read_address<const N: usize>(
    bytes: &[u8],
    address: impl Fn([u8; N]) -> IpAddr,
) -> Option<(Wanted, usize)> {
    let (octets, rest) = bytes.split_first_chunk::<N>()?;
    let (port, _) = rest.split_first_chunk::<2>()?;
    Some((Wanted::Address(address(*octets), u16::from_be_bytes(*port)), N.checked_add(2)?))
}

fn read_name(bytes: &[u8]) -> Option<(Wanted, usize)> {
    let (length, rest) = bytes.split_first()?;
    let (name, rest) = rest.split_at_checked(usize::from(*length))?;
    let (port, _) = rest.split_first_chunk::<2>()?;
    let wanted = Wanted::Name(name.to_vec(), u16::from_be_bytes(*port));
    Some((wanted, name.len().checked_add(3)?))
}

/// The host in its normal form; the error is what was written and what is wrong with it.
fn name(wanted: Wanted) -> Result<(HostName, u16), (String, String)> {
    match wanted {
        Wanted::Address(ip, port) => Ok((ip.into(), port)),
        Wanted::Name(name, port) => {
            let text = String::from_utf8_lossy(&name).into_owned();
            let host = std::str::from_utf8(&name).map_err(|_| "it is no text".to_owned());
            let host = host.and_then(|own| HostName::parse(own).map_err(|e| e.to_string()));
            host.map(|host| (host, port))
                .map_err(|reason| (visible(&text).into_owned(), visible(&reason).into_owned()))
        }
    }
}

#[cfg(test)]
#[path = "socks_tests.rs"]
mod tests;
