//! The clients: several at once, each doing one thing after the other until the time is over.

use std::error::Error;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::origin::{Origin, PAGE, STREAM};

/// How many clients ask at one time.
const CLIENTS: usize = 8;

/// How long a turn takes.
const TURN: Duration = Duration::from_millis(1500);

/// What the clients do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Open a tunnel, send a byte, hear it, close.
    Tunnels,
    /// Ask for a page of a kilobyte on a connection that is kept where the proxy keeps it.
    Requests,
    /// Take as much as comes through one tunnel.
    Bytes,
}

impl Work {
    /// All of them.
    pub const ALL: [Work; 3] = [Work::Tunnels, Work::Requests, Work::Bytes];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Work::Tunnels => "new tunnels",
            Work::Requests => "requests, kept alive",
            Work::Bytes => "bytes through a tunnel",
        }
    }

    /// What is counted.
    pub fn unit(self) -> &'static str {
        match self {
            Work::Tunnels | Work::Requests => "/s",
            Work::Bytes => "MB/s",
        }
    }
}

/// What was done in a turn.
#[derive(Debug)]
pub struct Done {
    /// Tunnels, requests or megabytes.
    pub count: f64,
    /// How long it took.
    pub seconds: f64,
}

/// Lets the clients work for a turn.
pub fn run(work: Work, proxy: SocketAddr, origin: &Origin) -> Result<Done, Box<dyn Error>> {
    let begun = Instant::now();
    let end = begun + TURN;
    let targets = &origin.addresses;
    let clients = if work == Work::Bytes { 1 } else { CLIENTS };
    let counts = thread::scope(|scope| {
        let clients: Vec<_> = (0..clients)
            .map(|client| {
                scope.spawn(move || match work {
                    Work::Tunnels => tunnels(proxy, targets, end),
                    Work::Requests => requests(proxy, targets[client], end),
                    Work::Bytes => bytes(proxy, targets[client], end),
                })
            })
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().expect("a client"))
            .collect::<io::Result<Vec<f64>>>()
    })?;
    Ok(Done { count: counts.iter().sum(), seconds: begun.elapsed().as_secs_f64() })
}

fn wrong(what: &str) -> io::Error {
    io::Error::other(format!("not what was expected: {what}"))
}

fn open(proxy: SocketAddr, target: SocketAddr) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(proxy)?;
    stream.set_nodelay(true)?;
    stream.write_all(format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n").as_bytes())?;
    let mut head = Vec::new();
    let mut part = [0; 1024];
    while !head.ends_with(b"\r\n\r\n") {
        let count = stream.read(&mut part)?;
        if count == 0 {
            return Err(wrong("the end"));
        }
        head.extend_from_slice(&part[..count]);
    }
    match head.get(9..12) {
        Some(b"200") => Ok(stream),
        _ => Err(wrong(&String::from_utf8_lossy(&head))),
    }
}

fn tunnels(proxy: SocketAddr, targets: &[SocketAddr], end: Instant) -> io::Result<f64> {
    let mut count = 0.0;
    for target in targets.iter().cycle().take_while(|_| Instant::now() < end) {
        let mut stream = open(proxy, *target)?;
        stream.write_all(&[1])?;
        let mut heard = [0];
        stream.read_exact(&mut heard)?;
        if heard != [1] {
            return Err(wrong("another byte"));
        }
        count += 1.0;
    }
    Ok(count)
}

fn requests(proxy: SocketAddr, target: SocketAddr, end: Instant) -> io::Result<f64> {
    let request = format!(
        "GET http://{target}/page HTTP/1.1\r\nHost: {target}\r\nUser-Agent: bench\r\nAccept: */*\r\nAccept-Language: en\r\n\r\n"
    );
    let mut count = 0.0;
    let mut kept: Option<TcpStream> = None;
    while Instant::now() < end {
        let mut reused = kept.take();
        let keeps = match reused.as_mut().map(|stream| ask(stream, &request)) {
            Some(Ok(keeps)) => keeps,
            // It was closed meanwhile: some proxies do not say that they will.
            Some(Err(_)) | None => {
                let mut stream = TcpStream::connect(proxy)?;
                stream.set_nodelay(true)?;
                let keeps = ask(&mut stream, &request)?;
                reused = Some(stream);
                keeps
            }
        };
        kept = reused.filter(|_| keeps);
        count += 1.0;
    }
    Ok(count)
}

/// Asks for a page; whether the connection is kept.
fn ask(stream: &mut TcpStream, request: &str) -> io::Result<bool> {
    stream.write_all(request.as_bytes())?;
    read_page(stream)
}

/// Reads a page; whether the connection is kept.
fn read_page(stream: &mut TcpStream) -> io::Result<bool> {
    let mut all = Vec::with_capacity(4096);
    let mut part = [0; 4096];
    loop {
        let count = stream.read(&mut part)?;
        all.extend_from_slice(&part[..count]);
        let head = all.windows(4).position(|window| window == b"\r\n\r\n");
        let closes = |head: &[u8]| {
            let head = String::from_utf8_lossy(head).to_ascii_lowercase();
            head.contains("connection: close") || head.starts_with("http/1.0")
        };
        match head {
            Some(end) if all.len() >= end + 4 + PAGE => {
                return match all.get(9..12) {
                    Some(b"200") => Ok(!closes(&all[..end])),
                    _ => Err(wrong(&String::from_utf8_lossy(&all[..end]))),
                };
            }
            _ if count == 0 => return Err(wrong(&String::from_utf8_lossy(&all))),
            _ => {}
        }
    }
}

fn bytes(proxy: SocketAddr, target: SocketAddr, end: Instant) -> io::Result<f64> {
    let mut stream = open(proxy, target)?;
    stream.write_all(&[STREAM])?;
    let mut part = vec![0; 1 << 18];
    let mut count = 0.0;
    while Instant::now() < end {
        count += stream.read(&mut part)? as f64;
    }
    Ok(count / 1e6)
}
