use std::io::Write;

use super::fence::{Fence, read_all, read_exactly, read_head};
use super::server::{HELLO, Server};

fn ask(port: u16, protocol: &str) -> String {
    format!(
        "GET http://a.test:{port}/chat HTTP/1.1\r\nHost: a.test\r\n\
         Connection: keep-alive, Upgrade\r\nUpgrade: {protocol}\r\nSec-WebSocket-Key: x\r\n\r\n"
    )
}

#[test]
fn a_websocket_is_carried() {
    let server = Server::start(|mut stream| {
        let head = read_head(&mut stream);
        assert!(head.contains("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"), "{head}");
        stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: y\r\n\r\nfirst").unwrap();
        assert_eq!(read_exactly(&mut stream, 4), b"ping");
        stream.write_all(b"pong").unwrap();
    });
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    stream.write_all(ask(server.port(), "websocket").as_bytes()).unwrap();
    let head = read_head(&mut stream);
    assert_eq!(
        head,
        "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: y\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    );
    assert_eq!(read_exactly(&mut stream, 5), b"first");
    stream.write_all(b"ping").unwrap();
    assert_eq!(read_all(&mut stream), "pong");
}

#[test]
fn a_server_may_decline_to_switch() {
    let server = Server::http(HELLO);
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    stream.write_all(ask(server.port(), "websocket").as_bytes()).unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200 OK"));
}

#[test]
fn other_protocols_are_not_switched_to() {
    let server = Server::http(HELLO);
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    stream.write_all(ask(server.port(), "h2c").as_bytes()).unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200 OK"));
    assert!(!server.heads()[0].to_lowercase().contains("upgrade"), "{:?}", server.heads());
}
