use std::io::{Read, Write};
use std::net::TcpStream;

use super::fence::{Fence, Plan, read_exactly};
use super::hello::hello;
use super::server::{HELLO, Server};

fn by_name(name: &[u8], port: u16) -> Vec<u8> {
    let mut request = vec![5, 1, 0, 3, u8::try_from(name.len()).unwrap()];
    request.extend(name);
    request.extend(port.to_be_bytes());
    request
}

/// The reply to a request, after the greeting.
fn ask(fence: &Fence, request: &[u8]) -> (TcpStream, u8) {
    let mut stream = fence.dial();
    stream.write_all(&[5, 1, 0]).unwrap();
    assert_eq!(read_exactly(&mut stream, 2), [5, 0]);
    stream.write_all(request).unwrap();
    let reply = read_exactly(&mut stream, 10);
    assert_eq!(reply[0], 5);
    (stream, reply[1])
}

#[test]
fn a_granted_name_is_carried() {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:a.test"]);
    let (mut stream, reply) = ask(&fence, &by_name(b"A.test", server.port()));
    assert_eq!(reply, 0);
    stream.write_all(b"\x01ping").unwrap();
    assert_eq!(read_exactly(&mut stream, 5), b"\x01ping");
}

#[test]
fn greeting_and_request_may_come_at_once_or_byte_by_byte() {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:a.test"]);
    let all = [&[5, 2, 2, 0][..], &by_name(b"a.test", server.port()), b"\x01x"].concat();
    let mut stream = fence.dial();
    stream.write_all(&all).unwrap();
    assert_eq!(read_exactly(&mut stream, 14)[..4], [5, 0, 5, 0]);
    let mut stream = fence.dial();
    stream.set_nodelay(true).unwrap();
    for byte in all {
        stream.write_all(&[byte]).unwrap();
    }
    assert_eq!(read_exactly(&mut stream, 14)[12..], *b"\x01x");
}

#[test]
fn a_name_that_is_not_granted_is_not_allowed_by_the_rules() {
    let fence = Fence::allowing(&["net:a.test"]);
    assert_eq!(ask(&fence, &by_name(b"b.test", 443)).1, 2);
    assert_eq!(fence.refusal().grant.as_deref(), Some("net:b.test:443"));
}

#[test]
fn a_nul_inside_a_name_is_refused() {
    let fence = Fence::allowing(&["net:*.good.test"]);
    assert_eq!(ask(&fence, &by_name(b"evil.test\0.good.test", 443)).1, 2);
    assert_eq!(ask(&fence, &by_name(b"\xff\xfe.good.test", 443)).1, 2);
    assert_eq!(ask(&fence, &by_name(b"", 443)).1, 2);
    assert_eq!(fence.lookups(), Vec::<String>::new());
}

#[test]
fn addresses_are_judged_as_addresses() {
    let server = Server::echo();
    let [high, low] = server.port().to_be_bytes();
    let wild = Fence::allowing(&["net:*"]);
    assert_eq!(ask(&wild, &[5, 1, 0, 1, 127, 0, 0, 1, high, low]).1, 2);
    assert_eq!(ask(&wild, &[5, 1, 0, 1, 169, 254, 169, 254, 0, 80]).1, 2);
    let mut mapped = vec![5, 1, 0, 4];
    mapped.extend([0; 10]);
    mapped.extend([0xff, 0xff, 10, 0, 0, 1, 0, 80]);
    assert_eq!(ask(&wild, &mapped).1, 2);
    let granted = Fence::allowing(&["net:127.0.0.1"]);
    assert_eq!(ask(&granted, &[5, 1, 0, 1, 127, 0, 0, 1, high, low]).1, 0);
}

#[test]
fn other_commands_and_kinds_of_address_are_not_known() {
    let fence = Fence::allowing(&["net:*"]);
    assert_eq!(ask(&fence, &[5, 2, 0, 1, 1, 1, 1, 1, 0, 80]).1, 7);
    assert_eq!(ask(&fence, &[5, 3, 0, 1, 1, 1, 1, 1, 0, 80]).1, 7);
    assert_eq!(ask(&fence, &[5, 1, 0, 9, 1, 1, 1, 1, 0, 80]).1, 8);
    assert_eq!(ask(&fence, &[5, 1, 0, 1, 1, 1, 1, 1, 0, 0]).1, 8);
    assert_eq!(ask(&fence, &[4, 1, 0, 1, 1, 1, 1, 1, 0, 80]).1, 1);
}

#[test]
fn a_client_that_insists_on_a_password_is_turned_away() {
    let fence = Fence::allowing(&["net:*"]);
    let mut stream = fence.dial();
    stream.write_all(&[5, 1, 2]).unwrap();
    assert_eq!(read_exactly(&mut stream, 2), [5, 0xff]);
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
}

#[test]
fn what_cannot_be_reached_is_told_apart() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let plan = Plan::new("allow = [\"net:a.test\", \"net:none.test\"]");
    let fence = plan.pin("none.test", &[]).start();
    assert_eq!(ask(&fence, &by_name(b"a.test", free)).1, 5);
    assert_eq!(ask(&fence, &by_name(b"none.test", free)).1, 4);
}

#[test]
fn tls_and_http_must_agree_here_too() {
    let server = Server::http(HELLO);
    let fence = Fence::allowing(&["net:a.test"]);
    let (mut stream, _) = ask(&fence, &by_name(b"a.test", server.port()));
    stream.write_all(&hello(Some("evil.test"), 1 << 14)).unwrap();
    assert_eq!(read_exactly(&mut stream, 1), [21]);
    let (mut stream, _) = ask(&fence, &by_name(b"a.test", server.port()));
    stream.write_all(b"GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n").unwrap();
    assert_eq!(read_exactly(&mut stream, 12), b"HTTP/1.1 403");
    assert_eq!(server.heads(), Vec::<String>::new());
}
