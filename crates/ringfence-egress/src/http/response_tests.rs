use super::super::request;
use super::*;

fn answer(text: &str) -> Result<Response, Fault> {
    let asked = b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n";
    read(text.as_bytes(), &request::read(asked, None).unwrap())
}

#[test]
fn a_length_beside_chunks_is_left_out() {
    let own = answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    assert!(!own.reusable && own.keep_alive);
    let head = String::from_utf8(own.head).unwrap();
    assert_eq!(head, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
}

#[test]
fn whether_the_server_goes_on_is_known() {
    assert!(answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap().reusable);
    assert!(
        !answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .unwrap()
            .reusable
    );
    assert!(!answer("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap().reusable);
    assert!(!answer("HTTP/1.1 200 OK\r\n\r\n").unwrap().reusable);
}

#[test]
fn first_lines_are_read_kindly() {
    assert_eq!(answer("HTTP/1.1 204\r\n\r\n").unwrap().status, 204);
    assert_eq!(answer("HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n").unwrap().status, 404);
    for bad in
        ["HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.3 200 OK", "ICY 200 OK", "HTTP/1.1 099 x"]
    {
        assert!(answer(&format!("{bad}\r\n\r\n")).is_err(), "{bad}");
    }
}
