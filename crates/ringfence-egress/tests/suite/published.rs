use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use ringfence_egress::{Dial, Published};

use super::fence::{Fence, Plan, read_exactly};
use super::server::Server;

/// The way in, which for tests is no way at all.
struct Here;

impl Dial for Here {
    fn dial(&self, port: u16) -> io::Result<TcpStream> {
        TcpStream::connect(("127.0.0.1", port))
    }
}

fn publishing(policy: &str, port: u16) -> (Fence, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut plan = Plan::new(policy);
    plan.published = Some(Published { ports: vec![(listener, port)], dial: Arc::new(Here) });
    let fence = plan.start();
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    (fence, stream)
}

#[test]
fn a_published_port_leads_inside() {
    let server = Server::echo();
    let (_fence, mut stream) =
        publishing(&format!("allow = [\"listen:{}\"]", server.port()), server.port());
    stream.write_all(b"ping").unwrap();
    assert_eq!(read_exactly(&mut stream, 4), b"ping");
}

#[test]
fn a_port_that_is_not_granted_is_reset() {
    let server = Server::echo();
    let (fence, mut stream) = publishing("allow = [\"listen:1\"]", server.port());
    assert!(stream.read(&mut [0]).is_err());
    assert_eq!(fence.refusal().grant, Some(format!("listen:{}", server.port())));
    assert_eq!(server.connections(), 0);
}
