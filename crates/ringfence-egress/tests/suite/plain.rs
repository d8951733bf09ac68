use std::io::{Read, Write};

use super::fence::{Fence, Plan, read_all, read_exactly, read_head};
use super::server::{HELLO, Server};

fn get(port: u16, more: &str) -> String {
    format!("GET http://a.test:{port}/x?y=1 HTTP/1.1\r\nHost: a.test:{port}\r\n{more}\r\n")
}

#[test]
fn a_request_is_sent_on_in_origin_form() {
    let server = Server::http(HELLO);
    let port = server.port();
    let fence = Fence::allowing(&["net:a.test"]);
    let answer = fence.send(get(port, "X-Own: 1\r\nConnection: close\r\n"));
    assert_eq!(answer, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
    assert_eq!(
        server.heads(),
        [format!("GET /x?y=1 HTTP/1.1\r\nHost: a.test:{port}\r\nX-Own: 1\r\n\r\n")]
    );
}

#[test]
fn fields_for_the_next_station_stay_behind() {
    let server = Server::http(
        "HTTP/1.1 200 OK\r\nConnection: X-Secret\r\nX-Secret: 1\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: x\r\nX-Kept: 1\r\nContent-Length: 0\r\n\r\n",
    );
    let fence = Fence::allowing(&["net:a.test"]);
    let answer = fence.send(get(server.port(), "Connection: close, X-Gone\r\nX-Gone: 1\r\nProxy-Authorization: Basic eDp5\r\nProxy-Connection: keep-alive\r\nKeep-Alive: 1\r\nTE: trailers\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\nX-Kept: 1\r\n"));
    let head = server.heads().remove(0);
    let names: Vec<&str> = head.lines().skip(1).filter_map(|line| line.split(':').next()).collect();
    assert_eq!(names, ["Host", "X-Kept", ""]);
    assert_eq!(
        answer,
        "HTTP/1.1 200 OK\r\nX-Kept: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
}

#[test]
fn connections_are_kept_on_both_sides() {
    let server = Server::http(HELLO);
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    for _ in 0..5 {
        stream.write_all(get(server.port(), "").as_bytes()).unwrap();
        let head = read_head(&mut stream);
        assert_eq!(head, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        assert_eq!(read_exactly(&mut stream, 5), b"hello");
    }
    assert_eq!(server.connections(), 1);
    assert_eq!(fence.lookups(), ["a.test"]);
    assert_eq!(fence.running.counts().passed, 5);
}

#[test]
fn requests_sent_at_once_are_answered_in_order() {
    let server = Server::start(|mut stream| {
        loop {
            let head = read_head(&mut stream);
            let Some(path) = head.split(' ').nth(1) else { return };
            let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{path}", path.len());
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    let port = server.port();
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    let one = |path: &str| {
        format!("GET http://a.test:{port}/{path} HTTP/1.1\r\nHost: a.test:{port}\r\n\r\n")
    };
    let post = format!(
        "POST http://a.test:{port}/b HTTP/1.1\r\nHost: a.test:{port}\r\nContent-Length: 3\r\n\r\n"
    );
    // The body of the second could be read as the beginning of a request.
    stream.write_all([one("a"), post, "GET".to_owned(), one("c")].concat().as_bytes()).unwrap();
    read_head(&mut stream);
    assert_eq!(read_exactly(&mut stream, 2), b"/a");
    read_head(&mut stream);
    assert_eq!(read_exactly(&mut stream, 2), b"/b");
}

#[test]
fn each_request_on_a_kept_connection_is_judged() {
    let server = Server::http(HELLO);
    let port = server.port();
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    stream.write_all(get(port, "").as_bytes()).unwrap();
    read_head(&mut stream);
    read_exactly(&mut stream, 5);
    write!(stream, "GET http://b.test:{port}/ HTTP/1.1\r\nHost: b.test:{port}\r\n\r\n").unwrap();
    assert!(read_all(&mut stream).starts_with("HTTP/1.1 403 "));
    assert_eq!(server.heads().len(), 1);
}

#[test]
fn host_must_agree_with_the_url() {
    let server = Server::http(HELLO);
    let port = server.port();
    let fence = Fence::allowing(&["net:a.test", "net:b.test"]);
    for (fields, status) in [
        (format!("Host: b.test:{port}"), 403),
        ("Host: a.test:1".to_owned(), 403),
        (format!("Host: a.test:{port}\r\nHost: a.test:{port}"), 400),
        (format!("Host: a.test:{port}\r\nX-Forwarded-Host: b.test"), 403),
        (format!("Host: a.test:{port}\r\nForwarded: host=b.test"), 403),
        ("Host:".to_owned(), 403),
        ("X-None: 1".to_owned(), 400),
        (format!("Host: A.TEST.:{port}"), 200),
        ("Host: a.test".to_owned(), 200),
    ] {
        let answer = fence.send(format!(
            "GET http://a.test:{port}/ HTTP/1.1\r\n{fields}\r\nConnection: close\r\n\r\n"
        ));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{fields:?}: {answer}");
    }
}

#[test]
fn c042_urls_that_two_readers_read_differently_are_refused() {
    let server = Server::http(HELLO);
    let port = server.port();
    let fence = Fence::allowing(&["net:a.test"]);
    for url in [
        format!("http://a.test:{port}@evil.test/"),
        format!("http://user@a.test:{port}/"),
        format!("http://a.test:{port}\\@evil.test/"),
        "http://a.test:/".to_owned(),
        "http:///a.test/".to_owned(),
        "http:a.test/".to_owned(),
        "https://a.test/".to_owned(),
        "ftp://a.test/".to_owned(),
        "/x".to_owned(),
        "*".to_owned(),
        format!("http://a.test:{port}/#x"),
        format!("http://a%2etest:{port}/"),
    ] {
        let answer = fence.send(format!("GET {url} HTTP/1.1\r\nHost: a.test:{port}\r\n\r\n"));
        let refused = answer.starts_with("HTTP/1.1 400 ") || answer.starts_with("HTTP/1.1 403 ");
        assert!(refused, "{url}: {answer}");
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn bodies_go_both_ways_with_lengths_and_chunks() {
    let server = Server::start(|mut stream| {
        let head = read_head(&mut stream);
        let mut body = Vec::new();
        if head.contains("Transfer-Encoding: chunked") {
            while !body.ends_with(b"0\r\n\r\n") {
                body.extend(read_exactly(&mut stream, 1));
            }
        } else {
            body = read_exactly(&mut stream, 100_000);
        }
        let text = format!("{}", body.len());
        let answer = format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{text}\r\n0\r\nX-Sum: 1\r\n\r\n",
            text.len()
        );
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let fence = Fence::allowing(&["net:a.test"]);
    let start = |framing: &str| {
        format!(
            "POST http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n{framing}\r\n\r\n",
            server.port()
        )
    };
    let answer = fence.send(start("Content-Length: 100000") + &"x".repeat(100_000));
    assert!(answer.ends_with("\r\n\r\n6\r\n100000\r\n0\r\nX-Sum: 1\r\n\r\n"), "{answer}");
    let answer = fence.send(start("Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n");
    assert!(answer.ends_with("\r\n\r\n2\r\n15\r\n0\r\nX-Sum: 1\r\n\r\n"), "{answer}");
}

#[test]
fn a_client_that_waits_to_be_told_to_go_on_is_told() {
    let server = Server::start(|mut stream| {
        assert!(read_head(&mut stream).contains("Expect: 100-continue"));
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap();
        assert_eq!(read_exactly(&mut stream, 4), b"body");
        stream.write_all(HELLO.as_bytes()).unwrap();
    });
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    write!(stream, "PUT http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n", server.port()).unwrap();
    assert_eq!(read_head(&mut stream), "HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"body").unwrap();
    assert!(read_head(&mut stream).starts_with("HTTP/1.1 200 OK"));
}

#[test]
fn an_early_answer_reaches_a_client_that_is_still_sending() {
    let server = Server::start(|mut stream| {
        read_head(&mut stream);
        stream.write_all(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n").unwrap();
        let mut rest = [0; 1 << 16];
        while let Ok(1..) = stream.read(&mut rest) {}
    });
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    write!(
        stream,
        "PUT http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1000000\r\n\r\nsome",
        server.port()
    )
    .unwrap();
    let answer = read_all(&mut stream);
    assert!(answer.starts_with("HTTP/1.1 413 Too Large\r\n"), "{answer}");
}

#[test]
fn answers_without_a_length_end_with_the_connection() {
    let server = Server::start(|mut stream| {
        read_head(&mut stream);
        stream.write_all(b"HTTP/1.0 200 OK\nX-A: 1\n\nuntil the end").unwrap();
    });
    let fence = Fence::allowing(&["net:a.test"]);
    let answer = fence.send(get(server.port(), ""));
    assert_eq!(answer, "HTTP/1.1 200 OK\r\nX-A: 1\r\nConnection: close\r\n\r\nuntil the end");
}

#[test]
fn answers_that_have_no_body_are_known() {
    for (method, answer) in [
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"),
    ] {
        let server = Server::http(answer);
        let fence = Fence::allowing(&["net:a.test"]);
        let mut stream = fence.dial();
        for _ in 0..2 {
            write!(
                stream,
                "{method} http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
                server.port()
            )
            .unwrap();
            assert_eq!(read_head(&mut stream), answer);
        }
        assert_eq!(server.connections(), 1);
    }
}

#[test]
fn answers_that_cannot_be_read_are_a_502() {
    for answer in [
        "nonsense\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: 1\r\n folded\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
        "",
    ] {
        let server = Server::start(move |mut stream| {
            read_head(&mut stream);
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let fence = Fence::allowing(&["net:a.test"]);
        let told = fence.send(get(server.port(), ""));
        assert!(told.starts_with("HTTP/1.1 502 "), "{answer:?}: {told}");
    }
}

#[test]
fn a_kept_connection_that_the_server_closed_is_replaced() {
    let server = Server::start(|mut stream| {
        read_head(&mut stream);
        stream.write_all(HELLO.as_bytes()).unwrap();
    });
    let fence = Fence::allowing(&["net:a.test"]);
    let mut stream = fence.dial();
    for _ in 0..4 {
        stream.write_all(get(server.port(), "").as_bytes()).unwrap();
        assert!(read_head(&mut stream).starts_with("HTTP/1.1 200 OK"));
        read_exactly(&mut stream, 5);
    }
    assert_eq!(server.connections(), 4);
}

#[test]
fn old_clients_are_served() {
    let server = Server::http(HELLO);
    let fence = Fence::allowing(&["net:a.test"]);
    let answer = fence.send(format!("GET http://a.test:{}/ HTTP/1.0\r\n\r\n", server.port()));
    assert_eq!(answer, "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
    assert!(server.heads()[0].starts_with("GET / HTTP/1.0\r\n"), "{:?}", server.heads());
}

#[test]
fn a_name_that_cannot_be_looked_up_is_a_502() {
    let fence = Plan::new("allow = [\"net:none.test\"]").pin("none.test", &[]).start();
    let answer = fence.send("GET http://none.test/ HTTP/1.1\r\nHost: none.test\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
}
