use super::*;

#[test]
fn http_is_told_by_its_first_line() {
    assert_eq!(tell(b"GET / HTTP/1.1\r\n"), Some(Opening::Http));
    assert_eq!(tell(b"X / HTTP/1.0\n"), Some(Opening::Http));
    for more in [&b""[..], b"G", b"GET", b"GET ", b"GET / HTTP/1.1", b"GET / HTTP/1.1\r"] {
        assert_eq!(tell(more), None, "{more:?}");
    }
}

#[test]
fn what_is_no_http_is_told_as_soon_as_can_be() {
    for other in [
        &b"SSH-"[..],
        b"get / HTTP/1.1",
        b"\x00",
        b" GET",
        b"HELO there\r\n",
        b"PRI * HTTP/2.0\r\n",
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    ] {
        assert_eq!(tell(other), Some(Opening::Other), "{other:?}");
    }
}
