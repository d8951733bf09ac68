//! The server behind the proxies: it must never be what is waited for.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::thread;

/// The body of every page.
pub const PAGE: usize = 1024;

/// What a client sends in a tunnel to be sent data without end.
pub const STREAM: u8 = b'~';

/// Ports that it listens at. A closed connection blocks its pair of ports for a minute, and one
/// port alone would be out of pairs within a few turns.
const PORTS: usize = 64;

/// Threads that accept at each port; as many as there are clients.
const THREADS: usize = 9;

/// A server at an address of this machine that is not loopback, where there is one: that is what
/// a proxy is for, and ringfence looks closer at it.
pub struct Origin {
    /// Where it is.
    pub addresses: Vec<SocketAddr>,
}

impl Origin {
    /// Begins to serve.
    pub fn start() -> io::Result<Origin> {
        let mut addresses = Vec::new();
        for _ in 0..PORTS {
            let listener = TcpListener::bind((own_address()?, 0))?;
            addresses.push(listener.local_addr()?);
            for _ in 0..THREADS {
                let listener = listener.try_clone()?;
                thread::spawn(move || {
                    for stream in listener.incoming().flatten() {
                        // A client that leaves ends it.
                        let _ = serve(stream);
                    }
                });
            }
        }
        Ok(Origin { addresses })
    }
}

/// The address that this machine would use to reach another; nothing is sent.
pub fn own_address() -> io::Result<IpAddr> {
    let probe = UdpSocket::bind("0.0.0.0:0")?;
    match probe.connect("192.0.2.1:9") {
        Ok(()) => Ok(probe.local_addr()?.ip()),
        Err(_) => Ok(IpAddr::from([127, 0, 0, 1])),
    }
}

fn serve(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let page = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {PAGE}\r\n\r\n{}",
        "x".repeat(PAGE)
    );
    let mut heard = Vec::new();
    let mut part = [0; 8192];
    loop {
        let count = stream.read(&mut part)?;
        let Some(first) = part[..count].first() else { return Ok(()) };
        if *first == STREAM {
            let data = vec![b'x'; 1 << 18];
            loop {
                stream.write_all(&data)?;
            }
        }
        if !first.is_ascii_uppercase() && heard.is_empty() {
            stream.write_all(&part[..count])?;
            continue;
        }
        heard.extend_from_slice(&part[..count]);
        if heard.ends_with(b"\r\n\r\n") {
            let last =
                heard.windows(17).any(|window| window.eq_ignore_ascii_case(b"connection: close"));
            heard.clear();
            stream.write_all(page.as_bytes())?;
            if last {
                return Ok(());
            }
        }
    }
}
