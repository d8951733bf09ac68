//! Connections that ask nothing make room for those that do.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::fence::{Fence, Plan, read_exactly, read_head};
use super::server::{HELLO, Server};

/// So long that a test would fail by its own patience first.
const FOREVER: Duration = Duration::from_secs(3600);

/// A fence with few places, in which nothing ends by itself.
fn narrow(places: usize) -> Fence {
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.connections = places;
    plan.limits.idle_rest = Duration::from_millis(200);
    plan.limits.keep_alive = FOREVER;
    plan.limits.head_time = FOREVER;
    plan.limits.opening_time = FOREVER;
    plan.limits.tunnel_rest = FOREVER;
    plan.start()
}

/// Connections that say this, and then nothing.
fn silent(fence: &Fence, count: usize, words: &[u8]) -> Vec<TcpStream> {
    let dial = |_| {
        let mut stream = fence.dial();
        stream.write_all(words).unwrap();
        stream
    };
    (0..count).map(dial).collect()
}

#[track_caller]
fn is_served(fence: &Fence, server: &Server) {
    let mut stream = fence.dial();
    let port = server.port();
    write!(stream, "GET http://a.test:{port}/ HTTP/1.1\r\nHost: a.test:{port}\r\n\r\n").unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200"));
}

/// As many as were seen to keep others waiting for 21 seconds.
#[test]
fn idle_connections_do_not_keep_others_waiting() {
    let server = Server::http(HELLO);
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.keep_alive = FOREVER;
    plan.limits.head_time = FOREVER;
    let fence = plan.start();
    let _idle = silent(&fence, 450, b"GET http://a.ex");
    is_served(&fence, &server);
}

#[test]
fn whatever_an_idle_connection_began_to_say_it_makes_room() {
    let server = Server::http(HELLO);
    let port = server.port();
    let tunnel = format!("CONNECT a.test:{port} HTTP/1.1\r\nHost: a.test:{port}\r\n\r\nGET");
    let whole = format!("GET http://a.test:{port}/ HTTP/1.1\r\nHost: a.test:{port}\r\n\r\n");
    for words in
        [&b""[..], b"G", b"\x05", b"\x05\x01\x00\x05\x01\x00\x03\x09a.ex", whole.as_bytes()]
    {
        let fence = narrow(4);
        let _idle = silent(&fence, 12, words);
        is_served(&fence, &server);
    }
    // A tunnel at rest makes room too, after a while.
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.connections = 4;
    plan.limits.tunnel_rest = Duration::from_millis(1);
    plan.limits.opening_time = FOREVER;
    let fence = plan.start();
    let _idle = silent(&fence, 12, tunnel.as_bytes());
    is_served(&fence, &server);
}

#[test]
fn a_connection_whose_client_waits_or_talks_keeps_its_place() {
    let echo = Server::echo();
    let slow = Server::start(|mut stream| {
        read_head(&mut stream);
        // Answers once it is told to go on, by the end of the request's body.
        let _ = stream.read(&mut [0; 1]);
        let _ = stream.write_all(HELLO.as_bytes());
    });
    let fence = narrow(3);
    let (mut tunnel, _) = fence.connect(&format!("a.test:{}", echo.port()));
    tunnel.write_all(b"\x00one").unwrap();
    assert_eq!(read_exactly(&mut tunnel, 4), b"\x00one");
    let (mut waiting, port) = (fence.dial(), slow.port());
    write!(
        waiting,
        "POST http://a.test:{port}/ HTTP/1.1\r\nHost: a.test:{port}\r\nContent-Length: 1\r\n\r\n"
    )
    .unwrap();
    while slow.connections() == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _idle = silent(&fence, 20, b"G");
    let server = Server::http(HELLO);
    is_served(&fence, &server);
    waiting.write_all(b"x").unwrap();
    assert!(read_head(&mut waiting).starts_with("HTTP/1.1 200"));
    tunnel.write_all(b"two").unwrap();
    assert_eq!(read_exactly(&mut tunnel, 3), b"two");
}
