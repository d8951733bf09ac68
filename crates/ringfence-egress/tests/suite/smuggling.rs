//! Requests that two readers could part differently: none of them reaches a server.

use super::fence::Fence;
use super::server::{HELLO, Server};

#[track_caller]
fn refused(request: &[u8]) {
    let server = Server::http(HELLO);
    let fence = Fence::allowing(&["net:a.test"]);
    let url = format!("http://a.test:{}", server.port());
    let mut bytes = Vec::new();
    for part in request.split(|byte| *byte == b'@') {
        if !bytes.is_empty() {
            bytes.extend_from_slice(url.as_bytes());
        }
        bytes.extend_from_slice(part);
    }
    let answer = fence.send(&bytes);
    let status = answer.get(9..12).unwrap_or_default();
    assert!(matches!(status, "400" | "431" | "501" | "505"), "{answer:?}");
    assert_eq!(server.heads(), Vec::<String>::new());
}

#[test]
fn a_length_beside_chunks() {
    refused(b"POST @/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    refused(b"POST @/ HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n");
}

#[test]
fn two_lengths() {
    refused(
        b"POST @/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    );
    refused(
        b"POST @/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
    );
    refused(b"POST @/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4, 4\r\n\r\nabcd");
}

#[test]
fn lengths_that_are_no_numbers() {
    for length in ["+4", "-1", "0x4", "4 4", "", "4\t5", "9999999999999999999999", "\u{664}"] {
        refused(
            format!("POST @/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: {length}\r\n\r\nabcd")
                .as_bytes(),
        );
    }
}

#[test]
fn encodings_other_than_chunked() {
    for encoding in [
        "gzip",
        "chunked, gzip",
        "gzip, chunked",
        "chunked, chunked",
        "xchunked",
        "\"chunked\"",
        "chunked;x",
        "identity",
    ] {
        refused(
            format!(
                "POST @/ HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: {encoding}\r\n\r\n0\r\n\r\n"
            )
            .as_bytes(),
        );
    }
    refused(b"POST @/ HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    refused(b"POST @/ HTTP/1.0\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
}

#[test]
fn fields_that_are_none() {
    for field in [
        "X : 1",
        " X: 1",
        "X",
        ": 1",
        "X\u{b}: 1",
        "X: a\0b",
        "X: a\rb",
        "(X): 1",
        "Content-Length : 4",
        "Transfer-Encoding\t: chunked",
    ] {
        refused(format!("GET @/ HTTP/1.1\r\nHost: a.test\r\n{field}\r\n\r\n").as_bytes());
    }
    refused(b"GET @/ HTTP/1.1\r\nHost: a.test\r\nX: 1\r\n folded\r\n\r\n");
    refused(b"GET @/ HTTP/1.1\r\nHost: a.test\r\nX: 1\r\n\tfolded\r\n\r\n");
    refused(b"GET @/ HTTP/1.1\r\n Host: a.test\r\n\r\n");
}

#[test]
fn lines_that_end_otherwise() {
    refused(b"GET @/ HTTP/1.1\nHost: a.test\n\n");
    refused(b"GET @/ HTTP/1.1\r\nHost: a.test\nX: 1\r\n\r\n");
    refused(b"GET @/ HTTP/1.1\r\nHost: a.test\rX: 1\r\n\r\n");
    refused(b"GET @/ HTTP/1.1\r\r\nHost: a.test\r\n\r\n");
    refused(b"GET @/ HTTP/1.1\r\nHost: a.test\r\n\n");
}

#[test]
fn first_lines_that_are_none() {
    for line in [
        "GET @/ HTTP/1.1 ",
        "GET  @/ HTTP/1.1",
        "GET\t@/\tHTTP/1.1",
        "GET @/ HTTP/1.2",
        "GET @/ HTTP/2.0",
        "GET @/ http/1.1",
        "GET @/",
        "GET @/ x HTTP/1.1",
        " GET @/ HTTP/1.1",
        "GET @/\u{1} HTTP/1.1",
    ] {
        refused(format!("{line}\r\nHost: a.test\r\n\r\n").as_bytes());
    }
}

#[test]
fn a_head_without_measure() {
    let many: String = (0..200).map(|n| format!("X-{n}: 1\r\n")).collect();
    refused(format!("GET @/ HTTP/1.1\r\nHost: a.test\r\n{many}\r\n").as_bytes());
    let long = "x".repeat(70_000);
    refused(format!("GET @/ HTTP/1.1\r\nHost: a.test\r\nX: {long}\r\n\r\n").as_bytes());
}

#[test]
fn chunks_that_cannot_be_read() {
    let server = Server::start(|mut stream| {
        super::fence::read_all(&mut stream);
    });
    let fence = Fence::allowing(&["net:a.test"]);
    for chunks in [
        "5\nhello\r\n0\r\n\r\n",
        "5;x=1\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
        "5\r\nhelloX0\r\n\r\n",
        "5\r\nhello\r\n0\r\nX: 1\r\n\r\n",
        "fffffffffffffffff\r\n",
        "\r\n\r\n",
        "-1\r\n\r\n",
    ] {
        let answer = fence.send(format!("POST http://a.test:{}/ HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}", server.port()));
        assert!(answer.starts_with("HTTP/1.1 400 "), "{chunks:?}: {answer}");
    }
}
