//! Servers over HTTPS: the everything server behind TLS, with a certificate of an authority that
//! only this test knows.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::http::{Serving, directly, everything};
use super::{Peer, same};

/// Takes TLS off what comes, and passes it on to a port.
const TERMINATOR: &str = r#"
const [key, cert, port] = process.argv.slice(1);
const { readFileSync: read } = require("node:fs");
const server = require("node:tls").createServer({ key: read(key), cert: read(cert) }, (outer) => {
  const inner = require("node:net").connect(Number(port), "127.0.0.1");
  outer.on("error", () => inner.destroy());
  inner.on("error", () => outer.destroy());
  outer.pipe(inner).pipe(outer);
});
server.on("tlsClientError", () => {});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"#;

/// An authority, and the certificate of a server that it vouches for.
struct Authority {
    folder: tempfile::TempDir,
}

impl Authority {
    fn new(authority: &str, names: &str) -> Authority {
        let own = Authority { folder: tempfile::tempdir().unwrap() };
        std::fs::write(own.file("names"), format!("subjectAltName={names}\n")).unwrap();
        own.openssl(&format!("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN={authority}"));
        own.openssl("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out request.pem -subj /CN=peer");
        own.openssl("x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem");
        own
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn openssl(&self, words: &str) {
        let mut openssl = Command::new("openssl");
        openssl.args(words.split(' ')).current_dir(self.folder.path()).stdin(Stdio::null());
        let said = openssl.output().unwrap();
        assert!(said.status.success(), "{words}: {}", String::from_utf8_lossy(&said.stderr));
    }

    /// A server with this certificate, in front of another one.
    fn before(&self, inner: &Serving) -> Serving {
        let port = inner.url.rsplit(':').next().unwrap().trim_end_matches("/mcp");
        let mut node = Command::new("node");
        node.args(["-e", TERMINATOR]).arg(self.file("key.pem")).arg(self.file("cert.pem"));
        let mut child = node.arg(port).stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Serving { child, url: format!("https://127.0.0.1:{}/mcp", port.trim()) }
    }
}

/// The words of a gateway to a server, on a system that trusts one authority.
fn gateway(peer: &Peer, outer: &Serving, trusted: &Path) -> Vec<String> {
    let port = outer.url.rsplit(':').next().unwrap().trim_end_matches("/mcp");
    let calls =
        r#""mcp:peer/*", "mcp:peer/method:**", "mcp:peer/resource:**", "mcp:peer/prompt:*""#;
    let policy = format!("allow = [{calls}, \"net:127.0.0.1:{port}\"]\n");
    std::fs::write(peer.policy.path(), policy).unwrap();
    let trusts = format!("SSL_CERT_FILE={}", trusted.display());
    let policy = peer.policy.path().to_str().unwrap();
    let ringfence = env!("CARGO_BIN_EXE_ringfence");
    ["env", &trusts, ringfence, "mcp", "--name", "peer", "--policy", policy, "--url", &outer.url]
        .map(str::to_owned)
        .to_vec()
}

/// How the gateway answers the first message, where the server cannot be relied on.
fn refused(peer: &Peer, outer: &Serving, trusted: &Path) -> String {
    let words = gateway(peer, outer, trusted);
    let mut gateway = peer.home.command(&words[0]);
    gateway.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut gateway = gateway.spawn().unwrap();
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    let mut input = gateway.stdin.take().unwrap();
    writeln!(input, "{hello}").unwrap();
    let mut line = String::new();
    BufReader::new(gateway.stdout.take().unwrap()).read_line(&mut line).unwrap();
    drop(input);
    gateway.wait().unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["error"]["code"], -32000, "{answer}");
    answer["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_server_over_https_answers_as_it_does_directly() {
    let Some(peer) = everything() else { return };
    let (inner, authority) = (directly(&peer), Authority::new("own", "IP:127.0.0.1"));
    let outer = authority.before(&inner);
    let wanted = json!([
        ["list"],
        ["call", { "name": "echo", "arguments": { "message": "hé" } }],
        ["call", { "name": "trigger-sampling-request", "arguments": { "prompt": "hi", "maxTokens": 5 } }],
        ["ping"],
    ]);
    let words = gateway(&peer, &outer, &authority.file("ca.pem"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    same(&peer.hears_from(&wanted, &words), &peer.hears_from(&wanted, &[&inner.url]));
}

#[test]
fn a_server_that_nobody_vouches_for_is_refused() {
    let Some(peer) = everything() else { return };
    let (inner, authority) = (directly(&peer), Authority::new("own", "IP:127.0.0.1"));
    let outer = authority.before(&inner);
    let other = Authority::new("other", "IP:127.0.0.1");
    let said = refused(&peer, &outer, &other.file("ca.pem"));
    assert!(said.contains("it is not trusted") && said.contains("UnknownIssuer"), "{said}");
}

#[test]
fn a_certificate_for_another_name_is_refused() {
    let Some(peer) = everything() else { return };
    let (inner, authority) =
        (directly(&peer), Authority::new("own", "DNS:other.example,IP:127.0.0.2"));
    let outer = authority.before(&inner);
    let said = refused(&peer, &outer, &authority.file("ca.pem"));
    assert!(said.contains("it is not trusted") && said.contains("not valid for name"), "{said}");
}
