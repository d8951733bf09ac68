use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use super::fence::{Plan, read_exactly};
use super::server::Server;

/// A fence with a listener at another address of loopback, at the server's own port: inside a
/// namespace both would be `127.0.0.1`.
fn carrying(policy: &str, port: u16) -> (super::fence::Fence, TcpStream) {
    let mut plan = Plan::new(policy);
    plan.inside.carried = vec![TcpListener::bind(("127.0.0.8", port)).unwrap()];
    let fence = plan.start();
    let stream = TcpStream::connect(("127.0.0.8", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    (fence, stream)
}

#[test]
fn a_granted_port_of_loopback_is_carried_to_the_host() {
    let server = Server::echo();
    let policy = format!("allow = [\"net:localhost:{}\"]", server.port());
    let (fence, mut stream) = carrying(&policy, server.port());
    stream.write_all(b"GET / HTTP/1.1\r\nHost: whatever.test\r\n\r\n").unwrap();
    assert_eq!(read_exactly(&mut stream, 5), b"GET /");
    assert_eq!(fence.running.counts().passed, 1);
}

#[test]
fn a_port_of_loopback_that_is_not_granted_is_reset() {
    let server = Server::echo();
    let (fence, mut stream) = carrying("allow = [\"net:*\"]", server.port());
    let error = stream.read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    let refused = fence.refusal();
    assert_eq!(refused.grant, Some(format!("net:localhost:{}", server.port())));
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_server_that_is_not_there_is_a_reset() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (fence, mut stream) = carrying("allow = [\"net:localhost\"]", port);
    let error = stream.read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    assert_eq!(fence.running.counts().failed, 1);
}
