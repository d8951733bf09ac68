//! What the egress reads: requests to the proxy, the first words of tunnels, queries of DNS.

use ringfence_core::net::HostName;
use ringfence_egress::readers::{
    Begins, dns_query, http_request, http_response, socks_request, tunnel,
};

/// A request to the proxy: what is sent on is for the host that was judged, and reads the same at
/// the other end.
pub fn http_head(data: &[u8]) {
    let _ = http_response(data, b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n");
    let Some(request) = http_request(data, None) else { return };
    assert!(request.length <= data.len());
    let head = data.get(..request.length).unwrap_or_default();
    assert_eq!(http_request(head, None).as_ref(), Some(&request), "what follows changes nothing");
    if request.is_tunnel {
        return;
    }
    let sent = http_request(&request.head, Some((&request.host, request.port)));
    let sent = sent.expect("what is sent on can be read");
    assert_eq!((&sent.host, sent.port), (&request.host, request.port));
    assert_eq!(sent.length, request.head.len(), "what is sent on is one head");
    assert_eq!(sent.head, request.head, "what is written anew stays as it is");
}

/// A request of SOCKS5: it ends where it says, and what follows changes nothing.
pub fn socks(data: &[u8]) {
    let read = socks_request(data);
    if let Ok(Some((wanted, length))) = &read {
        let whole = data.get(..*length).expect("it is no longer than what there is");
        assert_eq!(socks_request(whole), Ok(Some((wanted.clone(), *length))));
        let part = whole.get(..length - 1).unwrap_or_default();
        assert_eq!(socks_request(part), Ok(None), "a part is not whole");
    }
}

/// A query of DNS: an answer has its number and its question, and is no query itself.
pub fn dns_message(data: &[u8]) {
    match dns_query(data) {
        Ok((name, answer)) => {
            assert_eq!(answer.get(..2), data.get(..2));
            let question = data.get(12..).unwrap_or_default();
            assert!(question.starts_with(answer.get(12..).unwrap_or_default()));
            assert!(name.len() <= 3 * 255, "{name}");
            assert_eq!(dns_query(&answer), Err(None), "nobody answers an answer");
            let _ = HostName::parse(&name);
        }
        Err(Some(answer)) => {
            assert_eq!(answer.get(..2), data.get(..2));
            assert_eq!(dns_query(&answer), Err(None), "nobody answers an answer");
        }
        Err(None) => {}
    }
}

/// The first words of a tunnel: once it is told what they are, more of them change nothing.
pub fn tls_hello(data: &[u8]) {
    let told = tunnel(data);
    for end in [data.len() / 4, data.len() / 2, data.len().saturating_sub(1)] {
        let before = tunnel(data.get(..end).unwrap_or_default());
        assert!(before == Begins::More || before == told, "{before:?}, then {told:?}");
    }
    if let Begins::Tls(Some(name)) = told {
        let bytes = name.as_bytes();
        let stands = bytes.is_empty() || data.windows(bytes.len()).any(|part| part == bytes);
        // A name that is spread over two records stands nowhere as a whole.
        assert!(stands || data.iter().filter(|byte| **byte == 22).count() > 1, "{name}");
    }
}
