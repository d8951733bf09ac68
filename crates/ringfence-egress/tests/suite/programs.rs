//! Programs that people use: curl and openssl, where they are installed.

use std::net::SocketAddr;
use std::process::{Command, Output, Stdio};

use super::fence::Fence;
use super::server::{HELLO, Server};
use super::skip::skip;

fn is_there(program: &str) -> bool {
    let there = Command::new(program).arg("version").output().is_ok();
    if !there {
        skip(format!("there is no {program} here"));
    }
    there
}

fn curl(proxy: &str, address: SocketAddr, arguments: &[&str]) -> Output {
    Command::new("curl")
        .env_clear()
        .args(["-sS", "--max-time", "20", "--noproxy", "", "-x"])
        .arg(format!("{proxy}://{address}"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn curl_goes_through_every_door() {
    if !is_there("curl") {
        return;
    }
    let server = Server::http(HELLO);
    let fence = Fence::allowing(&["net:a.test"]);
    let url = format!("http://a.test:{}/", server.port());
    let tunnel = ["-p", url.as_str()];
    for (proxy, arguments) in
        [("http", &tunnel[1..]), ("http", &tunnel[..]), ("socks5h", &tunnel[1..])]
    {
        let output = curl(proxy, fence.address, arguments);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "hello", "{proxy}: {output:?}");
    }
}

#[test]
fn curl_shows_why_it_was_refused() {
    if !is_there("curl") {
        return;
    }
    let fence = Fence::allowing(&["net:a.test"]);
    let output = curl("http", fence.address, &["-v", "https://evil.test/"]);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(talk.contains("403 Refused by ringfence; net:evil.test:443 would allow it"), "{talk}");
}

#[test]
fn the_hello_of_openssl_is_read() {
    if !is_there("openssl") {
        return;
    }
    for (name, alert) in [("a.test", false), ("evil.test", true)] {
        // It hears a hello and says nothing that openssl could mistake for an alert.
        let server = Server::start(|stream| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            drop(stream);
        });
        let fence = Fence::allowing(&["net:a.test"]);
        let output = Command::new("openssl")
            .args(["s_client", "-servername", name, "-proxy"])
            .arg(fence.address.to_string())
            .args(["-connect", &format!("a.test:{}", server.port())])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert_eq!(talk.contains("alert access denied"), alert, "{name}: {talk}");
        assert_eq!(fence.running.counts().refused, u64::from(alert));
    }
}
