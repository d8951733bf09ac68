//! Ends and limits.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use ringfence_egress::{Counts, Egress, Inside};

use super::fence::{Fence, Plan, guard, read_all};
use super::server::{HELLO, Server};

#[test]
fn stopping_closes_everything() {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:a.test"]);
    let (mut stream, _) = fence.connect(&format!("a.test:{}", server.port()));
    let address = fence.address;
    let begun = Instant::now();
    fence.running.stop();
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn without_a_socket_nothing_is_started() {
    let egress = Egress::new(Arc::new(guard("allow = []")));
    let running = egress.start(Inside::default(), None).unwrap();
    assert_eq!(running.proxy(), None);
    assert_eq!(running.stop(), Counts::default());
}

#[test]
fn a_head_that_takes_too_long_is_given_up() {
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.head_time = Duration::from_millis(200);
    let fence = plan.start();
    let mut stream = fence.dial();
    stream.write_all(b"GET http://a.test/ HTTP/1.1\r\n").unwrap();
    assert!(read_all(&mut stream).starts_with("HTTP/1.1 408 "));
    let mut socks = fence.dial();
    socks.write_all(&[5, 1]).unwrap();
    assert_eq!(socks.read(&mut [0]).unwrap(), 0);
}

#[test]
fn a_silent_client_is_let_go() {
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.keep_alive = Duration::from_millis(200);
    let fence = plan.start();
    assert_eq!(fence.dial().read(&mut [0]).unwrap(), 0);
}

#[test]
fn a_silent_server_is_a_504() {
    let server = Server::start(|_stream| std::thread::sleep(Duration::from_secs(5)));
    let silent = Server::start(|mut stream| {
        super::fence::read_head(&mut stream);
        std::thread::sleep(Duration::from_secs(5));
    });
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.response = Duration::from_millis(200);
    plan.limits.tunnel_idle = Duration::from_millis(300);
    let fence = plan.start();
    let answer = fence
        .send(format!("GET http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\n\r\n", silent.port()));
    assert!(answer.starts_with("HTTP/1.1 504 "), "{answer}");
    let (mut stream, _) = fence.connect(&format!("a.test:{}", server.port()));
    stream.write_all(b"\x01").unwrap();
    assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
}

#[test]
fn beyond_the_limit_connections_wait_their_turn() {
    let server = Server::http(HELLO);
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.connections = 1;
    let fence = plan.start();
    let first = fence.dial();
    let mut second = fence.dial();
    write!(
        second,
        "GET http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
        server.port()
    )
    .unwrap();
    second.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    assert!(second.read(&mut [0]).is_err(), "served beyond the limit");
    drop(first);
    second.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    assert!(read_all(&mut second).starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_client_that_leaves_takes_its_request_along() {
    let (told, heard) = std::sync::mpsc::channel();
    let server = Server::start(move |mut stream| {
        super::fence::read_head(&mut stream);
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        told.send(stream.read(&mut [0]).is_ok_and(|count| count == 0)).unwrap();
    });
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    write!(stream, "GET http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\n\r\n", server.port())
        .unwrap();
    std::thread::sleep(Duration::from_millis(100));
    drop(stream);
    assert!(heard.recv_timeout(Duration::from_secs(15)).unwrap());
}

#[test]
fn any_bytes_leave_the_proxy_standing() {
    let mut plan = Plan::new("allow = [\"net:a.test\"]");
    plan.limits.head_time = Duration::from_millis(30);
    let fence = plan.start();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(150));
    let start = prop::sample::select(vec![
        &b""[..],
        b"\x05\x01\x00",
        b"\x05\x01\x00\x05\x01\x00\x03",
        b"GET http://a.test/ HTTP/1.1\r\n",
        b"CONNECT a.test:443 HTTP/1.1\r\n",
    ]);
    let bytes = (start, prop::collection::vec(any::<u8>(), 0..200));
    runner
        .run(&bytes, |(start, rest)| {
            let mut stream = fence.dial();
            stream.write_all(start).unwrap();
            let _ = stream.write_all(&rest);
            let _ = stream.shutdown(std::net::Shutdown::Write);
            read_all(&mut stream);
            Ok(())
        })
        .unwrap();
    assert!(fence.connect("b.test:1").1.starts_with("HTTP/1.1 403 "));
}
