use proptest::prelude::*;

use super::*;

fn host(text: &str) -> HostName {
    HostName::parse(text).unwrap()
}

#[track_caller]
fn sent(request: &str, expected: &str) {
    let request = read(request.as_bytes(), None).unwrap();
    assert_eq!(String::from_utf8(request.head).unwrap(), expected);
}

#[test]
fn what_is_sent_on_is_written_anew() {
    sent(
        "GET http://A.Example HTTP/1.1\r\nhost:a.example.\r\nX:  1 \r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a.example\r\nX: 1\r\n\r\n",
    );
    sent(
        "GET http://a.example?q HTTP/1.1\r\nHost: a.example:80\r\n\r\n",
        "GET /?q HTTP/1.1\r\nHost: a.example\r\n\r\n",
    );
    sent(
        "GET http://[2001:DB8::1]:8080/ HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\n\r\n",
    );
    sent(
        "POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: content-length\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\n\r\n",
    );
    sent(
        "POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\ntransfer-encoding: CHUNKED\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
}

#[test]
fn c042_fields_that_may_name_another_host_stay_behind() {
    for name in [
        "X-Original-Host",
        "X-Host",
        "X-HTTP-Host-Override",
        "X-Forwarded-Server",
        "X_Forwarded_Host",
        "x-forwarded_host",
        "X-Real-Host",
        "X-Backend-Hostname",
        "X-Authority",
        "Host_",
        "X-ProxyMesh-Vhost",
    ] {
        for value in ["b.example", "a.example, b.example", "a.example:81", "", "x y"] {
            sent(
                &format!(
                    "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n{name}: {value}\r\nX: 1\r\n\r\n"
                ),
                "GET / HTTP/1.1\r\nHost: a.example\r\nX: 1\r\n\r\n",
            );
        }
    }
    // What agrees, and what names no host, is sent on.
    for field in [
        "X-Original-Host: A.example",
        "X-Forwarded-For: 1.2.3.4",
        "X-Forwarded-Proto: https",
        "X-Ghost: b",
    ] {
        let head = format!(" HTTP/1.1\r\nHost: a.example\r\n{field}\r\n\r\n");
        sent(&format!("GET http://a.example/{head}"), &format!("GET /{head}"));
    }
}

#[test]
fn what_was_sent_on_reads_the_same_at_the_other_end() {
    let first = read(b"POST http://a.example:81/p HTTP/1.1\r\nHost: a.example:81\r\nContent-Length: 2\r\nA: b\r\n\r\n", None).unwrap();
    let again = read(&first.head, Some((&host("a.example"), 81))).unwrap();
    assert_eq!((first.target, first.body, first.head), (again.target, again.body, again.head));
}

#[test]
fn whether_the_client_goes_on_is_known() {
    let keeps = |version: &str, field: &str| {
        let text =
            format!("GET http://a.example/ HTTP/{version}\r\nHost: a.example\r\n{field}\r\n\r\n");
        read(text.as_bytes(), None).unwrap().keep_alive
    };
    assert!(keeps("1.1", "X: 1"));
    assert!(!keeps("1.1", "Connection: a, Close"));
    assert!(!keeps("1.1", "Proxy-Connection: close"));
    assert!(!keeps("1.0", "Connection: keep-alive"));
}

proptest! {
    #[test]
    fn any_head_is_read(text in "(GET|POST|CONNECT) (http://)?[a-b:/@\\.0-9]{0,12} HTTP/1.[01]\r\n((Host|X|Content-Length|Connection): ?[a-b0-9:, ]{0,9}\r\n){0,3}\r\n") {
        let one = host("a");
        let _ = read(text.as_bytes(), None);
        if let Ok(request) = read(text.as_bytes(), Some((&one, 80))) {
            prop_assert!(matches!(request.target, Target::Plain(own, 80) | Target::Tunnel(own, 80) if own == one));
        }
    }
}
