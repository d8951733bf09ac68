//! The name that TLS asks for, inside a tunnel.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use super::fence::{Fence, Plan, read_exactly};
use super::server::Server;

/// A client hello for this name, in records of at most so many bytes.
pub(crate) fn hello(name: Option<&str>, record: usize) -> Vec<u8> {
    let mut extensions = vec![0, 23, 0, 0];
    if let Some(name) = name {
        let length = u16::try_from(name.len()).unwrap();
        extensions.extend((0_u16).to_be_bytes());
        extensions.extend((length + 5).to_be_bytes());
        extensions.extend((length + 3).to_be_bytes());
        extensions.push(0);
        extensions.extend(length.to_be_bytes());
        extensions.extend(name.as_bytes());
    }
    let mut body = vec![3, 3];
    body.extend([7; 32]);
    body.extend([0, 0, 2, 0x13, 1, 1, 0]);
    body.extend(u16::try_from(extensions.len()).unwrap().to_be_bytes());
    body.extend(extensions);
    let mut message = vec![1, 0];
    message.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
    message.extend(body);
    let mut bytes = Vec::new();
    for part in message.chunks(record) {
        bytes.extend([22, 3, 1]);
        bytes.extend(u16::try_from(part.len()).unwrap().to_be_bytes());
        bytes.extend(part);
    }
    bytes
}

const DENIED: [u8; 7] = [21, 3, 1, 0, 2, 2, 49];

fn tunnel(fence: &Fence, server: &Server) -> TcpStream {
    let (stream, head) = fence.connect(&format!("a.test:{}", server.port()));
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    stream
}

#[track_caller]
fn passes(bytes: &[u8]) {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = tunnel(&fence, &server);
    stream.write_all(bytes).unwrap();
    assert_eq!(read_exactly(&mut stream, bytes.len()), bytes);
    assert_eq!(fence.running.counts().refused, 0);
}

#[track_caller]
fn stopped(bytes: &[u8]) {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:a.test", "net:other.test"]);
    let mut stream = tunnel(&fence, &server);
    stream.write_all(bytes).unwrap();
    assert_eq!(read_exactly(&mut stream, 7), DENIED);
    let refused = fence.refusal();
    assert_eq!((refused.host.as_str(), refused.grant), ("a.test", None));
}

#[test]
fn the_granted_name_passes_in_every_spelling() {
    for name in ["a.test", "A.Test", "a.test."] {
        passes(&hello(Some(name), 1 << 14));
    }
}

#[test]
fn fronting_another_name_is_refused_even_a_granted_one() {
    stopped(&hello(Some("other.test"), 1 << 14));
    stopped(&hello(Some("evil.test"), 1 << 14));
    stopped(&hello(Some("xa.test"), 1 << 14));
    stopped(&hello(Some("a.test\0.evil"), 1 << 14));
    stopped(&hello(Some(""), 1 << 14));
}

#[test]
fn an_outer_name_of_an_encrypted_hello_is_a_name_like_any_other() {
    stopped(&hello(Some("cloudflare-ech.com"), 1 << 14));
}

#[test]
fn a_hello_without_a_name_passes() {
    passes(&hello(None, 1 << 14));
}

#[test]
fn a_hello_in_many_records_is_put_together() {
    passes(&hello(Some("a.test"), 5));
    stopped(&hello(Some("evil.test"), 5));
    stopped(&hello(Some("evil.test"), 1));
}

#[test]
fn a_hello_in_many_segments_is_put_together() {
    for name in ["a.test", "evil.test"] {
        let server = Server::echo();
        let fence = Fence::allowing(&["net:a.test"]);
        let mut stream = tunnel(&fence, &server);
        stream.set_nodelay(true).unwrap();
        for byte in hello(Some(name), 40) {
            stream.write_all(&[byte]).unwrap();
            std::thread::sleep(Duration::from_micros(200));
        }
        let first = read_exactly(&mut stream, 1)[0];
        assert_eq!(first, if name == "a.test" { 22 } else { 21 });
    }
}

#[test]
fn a_hello_that_cannot_be_read_is_refused() {
    let good = hello(Some("a.test"), 1 << 14);
    let mut twice = hello(Some("a.test"), 1 << 14);
    // A second name: the extension is there again, and all lengths fit.
    let extension: Vec<u8> = twice[twice.len() - 18..].to_vec();
    twice.extend(&extension);
    for at in [4, 8, 51] {
        twice[at] += 18;
    }
    stopped(&twice);
    let mut length = good.clone();
    length[51] += 1;
    stopped(&length);
    let mut other = good.clone();
    other[5] = 2;
    stopped(&other);
    stopped(&[22, 3, 1, 0, 0]);
    stopped(&[22, 3, 1, 0xff, 0xff]);
    let mut between = hello(Some("a.test"), 10);
    between[15] = 23;
    stopped(&between);
}

#[test]
fn a_hello_that_does_not_end_is_refused() {
    let server = Server::echo();
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.opening_time = Duration::from_millis(200);
    let fence = plan.start();
    let mut stream = tunnel(&fence, &server);
    let good = hello(Some("a.test"), 1 << 14);
    stream.write_all(&good[..20]).unwrap();
    assert_eq!(read_exactly(&mut stream, 7), DENIED);
}

#[test]
fn what_is_no_tls_passes_at_any_port() {
    passes(b"SSH-2.0-OpenSSH_9.2\r\n");
    passes(b"\x00\x00\x00\x08\x04\xd2\x16\x2f");
    passes(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    passes(b"EHLO there\r\n");
    passes(&[22, 9, 9, 9, 9, 9]);
}

#[test]
fn what_servers_pass_over_before_a_hello_is_refused() {
    let evil = hello(Some("evil.test"), 1 << 14);
    // A warning, a change of ciphers, an empty record of data: the first of them passed over by Go.
    for before in [&[21, 3, 1, 0, 2, 1, 100][..], &[20, 3, 3, 0, 1, 1], &[23, 3, 3, 0, 0]] {
        stopped(&[before, &evil].concat());
        stopped(before);
    }
    // Versions of records that do not exist.
    for version in [[3, 9], [0, 0], [9, 9]] {
        let mut odd = evil.clone();
        odd[1..3].copy_from_slice(&version);
        stopped(&odd);
        stopped(&[&[21, version[0], version[1], 0, 2, 1, 100], &evil[..]].concat());
    }
}

#[test]
fn requests_that_only_some_servers_take_reach_none() {
    let server = Server::http("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.opening_time = Duration::from_millis(100);
    plan.limits.opening_bytes = 1000;
    let fence = plan.start();
    let field = "Host: evil.test\r\n\r\n";
    let long = format!("GET /{} HTTP/1.1\r\n", "a".repeat(2000));
    for (start, rest) in [
        ("", "\r\nGET / HTTP/1.1\r\n"),
        ("", "\nGET / HTTP/1.1\r\n"),
        ("", " GET / HTTP/1.1\r\n"),
        ("", "GET\t/\tHTTP/1.1\r\n"),
        ("", "GET / HTTP/1.2\r\n"),
        ("", "GET / HTTP/1.1\x0b\r\n"),
        ("", "get / HTTP/1.1\r\n"),
        ("", "M-SEARCH / HTTP/1.1\r\n"),
        ("", "GET / RTSP/1.0\r\n"),
        ("", "PROXY TCP4 1.2.3.4 1.2.3.4 5 80\r\nGET / HTTP/1.1\r\n"),
        ("", &long),
        ("GE", "T / HTTP/1.1\r\n"),
    ] {
        let mut stream = tunnel(&fence, &server);
        stream.write_all(start.as_bytes()).unwrap();
        if !start.is_empty() {
            std::thread::sleep(Duration::from_millis(400));
        }
        stream.write_all(format!("{rest}{field}").as_bytes()).unwrap();
        let head = super::fence::read_head(&mut stream);
        let refused = ["400", "403", "505"].iter().any(|own| head.contains(&format!(" {own} ")));
        assert!(refused, "{rest:?}: {head}");
    }
    assert_eq!(server.heads().len(), 0);
}

#[test]
fn plain_http_in_a_tunnel_must_name_the_granted_host_in_every_request() {
    let server = Server::http("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let fence = Fence::allowing(&["net:a.test", "net:b.test"]);
    let mut stream = tunnel(&fence, &server);
    let port = server.port();
    write!(stream, "GET / HTTP/1.1\r\nHost: a.test:{port}\r\n\r\n").unwrap();
    assert!(super::fence::read_head(&mut stream).starts_with("HTTP/1.1 200 "));
    assert_eq!(read_exactly(&mut stream, 2), b"ok");
    write!(stream, "GET / HTTP/1.1\r\nHost: b.test:{port}\r\n\r\n").unwrap();
    assert!(super::fence::read_head(&mut stream).starts_with("HTTP/1.1 403 "));
    assert_eq!((server.connections(), server.heads().len()), (1, 1));
    for request in [
        "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        "GET http://evil.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n",
    ] {
        let mut stream = tunnel(&fence, &server);
        stream.write_all(request.as_bytes()).unwrap();
        let head = super::fence::read_head(&mut stream);
        assert!(head.starts_with("HTTP/1.1 403 "), "{request:?}: {head}");
    }
}
