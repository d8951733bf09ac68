//! In a network namespace of its own: names that stand for addresses, as `ringfence run` has them.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::Command;
use std::time::Duration;

use super::fence::{Plan, read_all};
use super::server::{HELLO, Server};
use super::skip::skip;

/// Set where a test runs in a namespace.
const INSIDE: &str = "RINGFENCE_TEST_NAMESPACE";

/// Runs a test of this program in a namespace, where one can be made.
///
/// Without an address beside loopback, lookups that ask for configured families fail in libc.
fn in_namespace(test: &str) {
    let own = std::env::current_exe().unwrap();
    let setup = "ip link set lo up && ip addr add 198.18.0.0/32 dev lo && ip route add local 198.18.0.0/15 dev lo && \
                 echo 'nameserver 127.0.0.1' >/tmp/egress-resolv.$$ && \
                 mount --bind /tmp/egress-resolv.$$ /etc/resolv.conf && \
                 rm /tmp/egress-resolv.$$ && exec \"$0\" \"$@\"";
    let ready = Command::new("unshare")
        .args(["-rnm", "sh", "-c", setup, "true"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !ready {
        return skip("no namespaces can be made here");
    }
    let output = Command::new("unshare")
        .args(["-rnm", "sh", "-c", setup])
        .arg(own)
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}

#[test]
fn programs_that_know_no_proxy_reach_granted_names() {
    in_namespace("suite::namespace::inner_carried");
}

#[test]
fn inner_carried() {
    // In a namespace only, where the test above runs it.
    if std::env::var_os(INSIDE).is_none() {
        return;
    }
    // The same namespace is inside and outside here: the server has another address.
    let server = Server::http_at("127.0.0.2:8080", HELLO);
    let mut plan = Plan::new("allow = [\"net:db.test:8080\", \"net:other.test:1\"]")
        .pin("db.test", &["127.0.0.2"]);
    plan.inside.resolver = Some(UdpSocket::bind("127.0.0.1:53").unwrap());
    plan.inside.carried = ["198.18.0.1:8080", "198.18.0.2:8080", "198.18.7.7:8080"]
        .map(|address| TcpListener::bind(address).unwrap())
        .into();
    let fence = plan.start();

    let found = Command::new("getent").args(["ahostsv4", "DB.test"]).output().unwrap();
    assert!(String::from_utf8_lossy(&found.stdout).starts_with("198.18.0.1"), "{found:?}");
    let found = Command::new("getent").args(["ahosts", "evil.test"]).output().unwrap();
    assert!(!found.status.success(), "{found:?}");
    assert_eq!(fence.refusal().grant.as_deref(), Some("net:evil.test"));

    // The system's own resolver, then the address that it gave.
    let mut stream = TcpStream::connect("db.test:8080").unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: db.test:8080\r\nConnection: close\r\n\r\n").unwrap();
    assert!(read_all(&mut stream).ends_with("hello"));
    let mut stream = TcpStream::connect("db.test:8080").unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n").unwrap();
    assert!(read_all(&mut stream).starts_with("HTTP/1.1 403 "));
    assert_eq!(server.heads().len(), 1);

    // A name whose port is not granted, and an address that nobody was given.
    for target in ["other.test:8080", "198.18.7.7:8080"] {
        let mut stream = TcpStream::connect(target).unwrap();
        let error = stream.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{target}");
    }
    let (_, head) = fence.connect("198.18.0.1:8080");
    assert!(head.starts_with("HTTP/1.1 200 "), "an address through the proxy: {head}");
}
