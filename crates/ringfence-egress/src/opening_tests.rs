use super::*;

#[test]
fn http_is_told_by_its_first_line() {
    assert_eq!(tell(b"GET / HTTP/1.1\r\n"), Some(Opening::Http));
    assert_eq!(tell(b"X / HTTP/1.0\n"), Some(Opening::Http));
    assert_eq!(tell(b"0032git-upload-pack /x"), None);
    for more in [&b""[..], b"G", b"GET", b"GET ", b"GET / HTTP/1.1", b"GET / HTTP/1.1\r", b"SSH-"] {
        assert_eq!(tell(more), None, "{more:?}");
    }
}

#[test]
fn what_is_no_http_is_told_as_soon_as_can_be() {
    for other in [
        &b"SSH-2.0-x\r\n"[..],
        b"\x00",
        b"AMQP\x00",
        b"*1\r\n",
        b"0032git-upload-pack /x.git\0host=a\0",
        b"get key\r\n",
        b"set key 0 0 5\r\n",
        b"NICK me\r\n",
        b"PING\r\n",
        b"KEYS *\r\n",
        b"a.b.c 1 2\n",
        b"CONNECT\n",
        b"HELO there\r\n",
        b"INVITE sip:a@b SIP/2.0\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x01\x00\x01\x0d\xa6",
    ] {
        assert_eq!(tell(other), Some(Opening::Other), "{other:?}");
    }
}

#[test]
fn what_some_server_takes_for_a_request_is_http() {
    for odd in [
        &b"\r\nGET / HTTP/1.1\r\n"[..],
        b"\nGET / HTTP/1.1\r\n",
        b" GET / HTTP/1.1\r\n",
        b"GET\t/\tHTTP/1.1\r\n",
        b"GET\xa0/\xa0HTTP/1.1\r\n",
        b"GET\r/\rHTTP/1.1\r\n",
        b"GET /\0 HTTP/1.1\r\n",
        b"GET / HTTP/1.2\r\n",
        b"GET / HTTP/1.1\x0b\r\n",
        b"GET / http/1.1\r\n",
        b"get / HTTP/1.1\r\n",
        b"M-SEARCH / HTTP/1.1\r\n",
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZ / HTTP/1.1\r\n",
        b"GET / RTSP/1.0\r\n",
        b"PRI * HTTP/2.0\r\nHost: b\r\n",
        b"GET /x\r\n",
        b"GET /x\nHost: b\n",
        b"GET\t/x\r\n",
        b"GET x\r\n",
        b"get /x\r\n",
        b"FETCH /x\r\n",
        b"GET http://b/x\r\n",
        b"CONNECT b:443\r\n",
        b"OPTIONS *\r\n",
        b"!GET / HTTP/1.1\r\n",
        b"0GET / HTTP/1.1\r\n",
        b"PROXY TCP4 1.2.3.4 1.2.3.4 5 80\r\n",
        b"\r\n\r\n\0\r\nQUIT\n",
    ] {
        assert_eq!(tell(odd), Some(Opening::Http), "{odd:?}");
    }
}
