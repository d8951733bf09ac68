//! Servers that tests talk to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::fence::read_head;

/// A server on loopback that keeps what it was told.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves each connection by this function, on a thread of its own.
    pub(crate) fn start(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> Server {
        Server::start_at("127.0.0.1:0", move |stream, _| serve(stream))
    }

    fn start_at(
        address: &str,
        serve: impl Fn(TcpStream, &Mutex<Vec<String>>) + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (count, kept, serve) = (Arc::clone(&connections), Arc::clone(&heads), Arc::new(serve));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::Relaxed);
                let (serve, kept) = (Arc::clone(&serve), Arc::clone(&kept));
                thread::spawn(move || serve(stream, &kept));
            }
        });
        Server { address, connections, heads }
    }

    /// Says back what it hears.
    pub(crate) fn echo() -> Server {
        Server::start(|mut stream| {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut part) {
                if stream.write_all(&part[..count]).is_err() {
                    return;
                }
            }
        })
    }

    /// Answers every request with this, and keeps its head.
    pub(crate) fn http(answer: &'static str) -> Server {
        Server::http_at("127.0.0.1:0", answer)
    }

    pub(crate) fn http_at(address: &str, answer: &'static str) -> Server {
        Server::start_at(address, move |mut stream, heads| {
            loop {
                let head = read_head(&mut stream);
                if head.is_empty() {
                    return;
                }
                heads.lock().unwrap().push(head);
                if stream.write_all(answer.as_bytes()).is_err() {
                    return;
                }
            }
        })
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// The heads of the requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

/// An answer with a short body.
pub(crate) const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
