use std::io::Write;

use super::fence::{Fence, Plan, read_all, read_exactly};
use super::server::Server;

#[test]
fn a_granted_tunnel_carries_bytes_both_ways() {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:echo.test"]);
    let (mut stream, head) = fence.connect(&format!("echo.test:{}", server.port()));
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    let large: Vec<u8> = (0..2_000_000_u32).map(|n| (n % 251) as u8).collect();
    let mut writer = stream.try_clone().unwrap();
    let sent = large.clone();
    let sending = std::thread::spawn(move || writer.write_all(&sent).unwrap());
    assert!(read_exactly(&mut stream, large.len()) == large);
    sending.join().unwrap();
    let counts = fence.running.counts();
    assert_eq!((counts.passed, counts.refused), (1, 0));
}

#[test]
fn a_refused_tunnel_says_what_would_grant_it() {
    let fence = Fence::allowing(&["net:good.test"]);
    let answer = fence.send("CONNECT api.github.com:443 HTTP/1.1\r\nHost: api.github.com\r\n\r\n");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with(
            "HTTP/1.1 403 Refused by ringfence; net:api.github.com:443 would allow it\r\n"
        ),
        "{head}"
    );
    let envelope: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(envelope["code"], "host_not_granted");
    assert_eq!(envelope["would_grant"], "net:api.github.com:443");
    let refused = fence.refusal();
    assert_eq!((refused.host.as_str(), refused.port), ("api.github.com", Some(443)));
    assert_eq!(refused.grant.as_deref(), Some("net:api.github.com:443"));
    assert!(refused.enforced && refused.client.is_some());
}

#[test]
fn c040_a_refused_name_is_neither_looked_up_nor_dialled() {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:good.test"]);
    let port = server.port();
    let (_, head) = fence.connect(&format!("evil.test:{port}"));
    assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
    fence.send(format!("GET http://evil.test:{port}/ HTTP/1.1\r\nHost: evil.test:{port}\r\n\r\n"));
    assert_eq!(fence.lookups(), Vec::<String>::new());
    assert_eq!(server.connections(), 0);
}

#[test]
fn only_the_granted_port_is_open() {
    let server = Server::echo();
    let port = server.port();
    let fence = Fence::allowing(&[&format!("net:a.test:{port}")]);
    assert!(fence.connect(&format!("a.test:{port}")).1.starts_with("HTTP/1.1 200 "));
    assert!(fence.connect("a.test:22").1.starts_with("HTTP/1.1 403 "));
}

#[test]
fn c042_names_are_compared_in_their_normal_form() {
    let server = Server::echo();
    let port = server.port();
    let fence = Fence::allowing(&["net:bücher.test"]);
    for name in ["bücher.test", "BÜCHER.test.", "xn--bcher-kva.test", "XN--BCHER-KVA.Test."] {
        let (_, head) = fence.connect(&format!("{name}:{port}"));
        assert!(head.starts_with("HTTP/1.1 200 "), "{name}: {head}");
    }
    assert_eq!(fence.lookups(), ["xn--bcher-kva.test"]);
}

#[test]
fn odd_spellings_of_loopback_are_loopback() {
    let server = Server::echo();
    let port = server.port();
    let granted = Fence::allowing(&[&format!("net:localhost:{port}")]);
    let wild = Fence::allowing(&["net:*"]);
    for host in [
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "localhost",
        "a.localhost",
        "0.0.0.0",
    ] {
        let endpoint = format!("{host}:{port}");
        let (mut stream, head) = granted.connect(&endpoint);
        assert!(head.starts_with("HTTP/1.1 200 "), "{host}: {head}");
        stream.write_all(b"ping").unwrap();
        assert_eq!(read_exactly(&mut stream, 4), b"ping");
        assert!(wild.connect(&endpoint).1.starts_with("HTTP/1.1 403 "), "{host}");
    }
}

#[test]
fn hosts_that_programs_read_differently_are_refused() {
    let fence = Fence::allowing(&["net:*"]);
    for host in [
        "good.test\0.evil.test",
        "good.test%00",
        "good.test@evil.test",
        "a b.test",
        "-a.test",
        "good..test",
        "010.8.8.8",
        "[::1%lo]",
        "good.test:443:80",
    ] {
        let answer = fence.send(format!("CONNECT {host}:443 HTTP/1.1\r\nHost: x\r\n\r\n"));
        let refused = answer.starts_with("HTTP/1.1 403 ") || answer.starts_with("HTTP/1.1 400 ");
        assert!(refused, "{host:?}: {answer}");
    }
    assert_eq!(fence.lookups(), Vec::<String>::new());
}

#[test]
fn connect_needs_a_port_and_a_host_that_agrees() {
    let fence = Fence::allowing(&["net:a.test"]);
    let bad = [
        ("CONNECT a.test HTTP/1.1\r\nHost: a.test\r\n\r\n", "400"),
        ("CONNECT a.test:0 HTTP/1.1\r\nHost: a.test\r\n\r\n", "403"),
        ("CONNECT a.test:99999 HTTP/1.1\r\nHost: a.test\r\n\r\n", "403"),
        ("CONNECT a.test:443 HTTP/1.1\r\nHost: b.test\r\n\r\n", "403"),
        ("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:80\r\n\r\n", "403"),
        ("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc", "400"),
        ("CONNECT http://a.test:443/ HTTP/1.1\r\nHost: a.test\r\n\r\n", "403"),
    ];
    for (request, status) in bad {
        let answer = fence.send(request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {answer}");
    }
    assert_eq!(fence.lookups(), Vec::<String>::new());
}

#[test]
fn a_server_that_cannot_be_reached_is_a_502() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let fence = Fence::allowing(&["net:a.test"]);
    let (_, head) = fence.connect(&format!("a.test:{free}"));
    assert!(head.starts_with("HTTP/1.1 502 "), "{head}");
    assert_eq!(fence.running.counts().failed, 1);
}

#[test]
fn the_address_that_answers_is_used() {
    let server = Server::echo();
    let plan =
        Plan::new("allow = [\"net:two.test\"]").pin("two.test", &["127.0.0.99", "127.0.0.1"]);
    let fence = plan.start();
    let (mut stream, head) = fence.connect(&format!("two.test:{}", server.port()));
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    stream.write_all(b"ping").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(read_all(&mut stream), "ping");
}

#[test]
fn a_server_that_speaks_first_is_heard() {
    let server = Server::start(|mut stream| {
        stream.write_all(b"SSH-2.0-test\r\n").unwrap();
        let heard = read_all(&mut stream);
        stream.write_all(format!("heard {heard}").as_bytes()).unwrap();
    });
    let fence = Fence::allowing(&["net:ssh.test"]);
    let (mut stream, _) = fence.connect(&format!("ssh.test:{}", server.port()));
    assert_eq!(read_exactly(&mut stream, 14), b"SSH-2.0-test\r\n");
    stream.write_all(b"SSH-2.0-client\r\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(read_all(&mut stream), "heard SSH-2.0-client\r\n");
}

#[test]
fn bytes_sent_with_the_request_are_carried() {
    let server = Server::echo();
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    write!(stream, "CONNECT a.test:{} HTTP/1.1\r\nHost: a.test\r\n\r\n\x01early", server.port())
        .unwrap();
    let head = super::fence::read_head(&mut stream);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert_eq!(read_exactly(&mut stream, 6), b"\x01early");
}

/// Some servers take such lines for requests, and the fields after them for theirs.
#[test]
fn c043_a_request_without_a_version_is_not_carried_raw() {
    for line in ["GET /x", "get /x", "FETCH /x", "GET http://b.test/x", "!GET / HTTP/1.1"] {
        let server = Server::echo();
        let fence = Fence::allowing(&["net:a.test"]);
        let (mut stream, head) = fence.connect(&format!("a.test:{}", server.port()));
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        stream.write_all(format!("{line}\r\nHost: b.test\r\n\r\n").as_bytes()).unwrap();
        let answer = read_all(&mut stream);
        assert!(answer.starts_with("HTTP/1.1 4"), "{line}: {answer}");
    }
}

#[test]
fn lines_of_other_protocols_are_carried_as_they_are() {
    for line in
        ["get key\r\n", "NICK me\r\n", "a.b.c 1 2\n", "0032git-upload-pack /x.git\0host=a\0"]
    {
        let server = Server::echo();
        let fence = Fence::allowing(&["net:a.test"]);
        let (mut stream, _) = fence.connect(&format!("a.test:{}", server.port()));
        stream.write_all(line.as_bytes()).unwrap();
        assert_eq!(read_exactly(&mut stream, line.len()), line.as_bytes());
    }
}
