//! Clients over streamable HTTP: the SDK's, the inspector's command line, and those that should not
//! be listened to.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{OPEN, Peer, installed, refusal, same};

/// A program that serves at an address, and ends with this.
pub(super) struct Serving {
    pub(super) child: Child,
    pub(super) url: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A gateway that serves a peer over HTTP.
pub(super) fn gateway(peer: &Peer, policy: &str) -> Serving {
    let mut words = vec!["--"];
    words.extend(peer.server.iter().map(String::as_str));
    gateway_to(peer, policy, &words)
}

/// A gateway that serves over HTTP what these words name.
pub(super) fn gateway_to(peer: &Peer, policy: &str, words: &[&str]) -> Serving {
    std::fs::write(peer.policy.path(), policy).unwrap();
    let mut gateway = peer.home.ringfence();
    gateway.args(["mcp", "--name", "peer", "--http", "0", "--policy"]).arg(peer.policy.path());
    gateway.args(words).stdin(Stdio::null()).stderr(Stdio::piped());
    let mut child = gateway.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = lines.find_map(|line| {
        let line = line.unwrap();
        line.strip_prefix("ringfence: serving ").map(str::to_owned)
    });
    // What it says later must not fill the pipe.
    std::thread::spawn(move || lines.for_each(drop));
    Serving { child, url: line.unwrap() }
}

pub(super) fn everything() -> Option<Peer> {
    Peer::new("mcp-everything", "server-everything/dist/index.js")
}

#[test]
fn a_client_over_http_hears_what_one_at_a_pipe_hears() {
    let Some(peer) = everything() else { return };
    let wanted = json!([
        ["list"],
        ["prompts"],
        ["call", { "name": "echo", "arguments": { "message": "hé\n\u{2028}" } }],
        ["call", { "name": "trigger-sampling-request", "arguments": { "prompt": "hi", "maxTokens": 5 } }],
        ["call", { "name": "trigger-long-running-operation", "arguments": { "duration": 0.2, "steps": 2 } }],
        ["prompt", { "name": "simple-prompt" }],
        ["read", { "uri": "demo://resource/static/document/architecture.md" }],
        ["ping"],
    ]);
    let direct = peer.hears(&wanted, None);
    let gateway = gateway(&peer, OPEN);
    same(&peer.hears_from(&wanted, &[&gateway.url]), &direct);
    // Another client has servers of its own.
    same(&peer.hears_from(&wanted, &[&gateway.url]), &direct);
}

#[test]
fn calls_over_http_are_judged() {
    let Some(peer) = everything() else { return };
    let gateway = gateway(&peer, "allow = [\"mcp:peer/*\"]\ndeny = [\"mcp:peer/echo\"]\n");
    let wanted = json!([["list"], ["call", { "name": "echo", "arguments": { "message": "x" } }]]);
    let heard = peer.hears_from(&wanted, &[&gateway.url]);
    assert!(!heard[0].to_string().contains("\"echo\""));
    assert_eq!(refusal(&heard[1])["code"], "denied");
}

/// The status of a request that `curl` makes.
fn status(url: &str, words: &[&str]) -> String {
    let mut curl = Command::new("curl");
    curl.args(["-s", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20"]).args(words);
    if !words.iter().any(|word| word.starts_with("Content-Type:")) {
        curl.args(["-H", "Content-Type: application/json"]);
    }
    curl.arg(url);
    String::from_utf8(curl.output().unwrap().stdout).unwrap()
}

#[test]
fn what_is_not_meant_for_the_endpoint_is_refused() {
    let Some(peer) = everything() else { return };
    let gateway = gateway(&peer, OPEN);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let url = gateway.url.as_str();
    for (words, expected) in [
        (&["-d", ping, "-H", "Host: evil.example"][..], "403"),
        (&["-d", ping, "-H", "Origin: http://evil.example"], "403"),
        (&["-d", ping, "--request-target", "http://evil.example/mcp"], "403"),
        // What a page of any site can send without asking.
        (&["-d", ping, "-H", "Content-Type: text/plain"], "415"),
        (&["-d", ping, "-H", "Content-Type:"], "415"),
        (&["-d", ping], "400"),
        (&["-d", ping, "-H", "Mcp-Session-Id: 0000"], "404"),
        (&["-d", "no JSON"], "400"),
        (&["-X", "GET"], "400"),
        (&["-X", "DELETE"], "400"),
        (&["-X", "PUT", "-d", ping], "405"),
    ] {
        assert_eq!(status(url, words), expected, "{words:?}");
    }
    assert_eq!(status(&url.replace("/mcp", "/other"), &["-d", ping]), "404");
    for address in ["0.0.0.0:0", "192.0.2.1:80", "nonsense"] {
        let words = ["mcp", "--http", address, "--name", "peer", "--", "/bin/true"];
        let said = peer.home.ringfence().args(words).stdin(Stdio::null()).output().unwrap();
        assert_eq!(said.status.code(), Some(2), "{address}");
    }
}

#[test]
fn the_inspector_sees_the_same_through_the_gateway() {
    let (Some(peer), Some(_)) = (Peer::files(), installed("mcp-inspector", "inspector")) else {
        return;
    };
    let inspector = installed("mcp-inspector", "inspector-cli/build/cli.js").unwrap();
    let path = format!("path={}", peer.path("a.txt"));
    std::fs::write(peer.policy.path(), OPEN).unwrap();
    let policy = peer.policy.path().to_str().unwrap();
    // The inspector takes `--` for its own.
    let through = peer.home.path().join("through.sh");
    let line = format!(
        "exec {} mcp --name peer --policy {policy} -- {}\n",
        env!("CARGO_BIN_EXE_ringfence"),
        peer.server.join(" ")
    );
    std::fs::write(&through, line).unwrap();
    let servers = json!({ "mcpServers": {
        "direct": { "command": peer.server[0], "args": peer.server[1..] },
        "through": { "command": "sh", "args": [through] },
    } });
    let config = peer.home.path().join("servers.json");
    std::fs::write(&config, servers.to_string()).unwrap();
    for words in [
        &["--method", "tools/list"][..],
        &["--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", &path],
    ] {
        let [direct, through] = ["direct", "through"].map(|server| {
            let mut inspect = peer.home.command("timeout");
            inspect.args(["60", "node"]).arg(&inspector).args(["--cli", "--config"]).arg(&config);
            inspect.args(["--server", server]).args(words).stdin(Stdio::null());
            let said = inspect.output().unwrap();
            assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
            serde_json::from_slice::<Value>(&said.stdout).unwrap()
        });
        assert_eq!(through, direct, "{words:?}");
    }
}

/// The server itself, over HTTP.
pub(super) fn directly(peer: &Peer) -> Serving {
    listening(peer, |server, port| {
        server.arg("streamableHttp").env("PORT", port);
    })
}

/// A server that is told its port, once it listens there.
pub(super) fn listening(peer: &Peer, tell: impl FnOnce(&mut Command, &str)) -> Serving {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = Command::new(&peer.server[0]);
    server.args(&peer.server[1..]);
    tell(&mut server, &port.to_string());
    server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let serving =
        Serving { child: server.spawn().unwrap(), url: format!("http://127.0.0.1:{port}/mcp") };
    let begun = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(30), "the server does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    serving
}

/// A server that tells a lot about each call before it answers, and who it is.
const TALKATIVE: &str = r#"
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message: continue
    result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}, "process": os.getpid()}
    if message["method"] == "tools/call":
        progress = {"progressToken": "t", "progress": 1, "message": "x" * 8000}
        told = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress})
        sys.stdout.write((told + "\n") * 2000)
        result = {"content": []}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

/// What `curl` hears from an endpoint.
fn curl(url: &str, words: &[&str]) -> String {
    let mut curl = Command::new("curl");
    curl.args(["-s", "--max-time", "60", "--limit-rate", "16M"]).args(words);
    curl.args(["-H", "Content-Type: application/json"]);
    let said = curl.args(["-H", "Accept: application/json, text/event-stream"]).arg(url);
    String::from_utf8(said.output().unwrap().stdout).unwrap()
}

/// Begins a session; the field of the head that names it.
fn session(url: &str) -> String {
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    let head = curl(url, &["-d", hello, "-D", "-", "-o", "/dev/null"]);
    head.lines().find(|line| line.starts_with("mcp-session-id:")).unwrap().to_owned()
}

/// A gateway in front of the talkative server.
fn talkative() -> Option<(Peer, Serving)> {
    let mut peer = everything()?;
    peer.server = ["/usr/bin/python3", "-c", TALKATIVE].map(str::to_owned).to_vec();
    let gateway = gateway(&peer, OPEN);
    Some((peer, gateway))
}

#[test]
fn a_client_that_reads_slowly_hears_everything() {
    let Some((_peer, gateway)) = talkative() else { return };
    let session = session(&gateway.url);
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"t"}}}"#;
    let told = curl(&gateway.url, &["-d", call, "-H", &session]);
    assert_eq!(told.matches("notifications/progress").count(), 2000);
    assert_eq!(told.matches("\"result\"").count(), 1);
}

#[test]
fn a_session_outlives_a_pause() {
    let Some((_peer, gateway)) = talkative() else { return };
    let session = session(&gateway.url);
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let alone = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let head = ["-H", "Mcp-Protocol-Version: 2026-07-28", "-H", "Mcp-Method: tools/list"];
    let processes = || {
        let asked = [vec!["-d", ping, "-H", &session], [&head[..], &["-d", alone]].concat()];
        asked.map(|words| {
            let told = curl(&gateway.url, &words);
            told.split("\"process\":").nth(1).expect(&told).to_owned()
        })
    };
    let before = processes();
    // Longer than a thread of the runtime stays that has nothing to do.
    std::thread::sleep(Duration::from_secs(13));
    assert_eq!(processes(), before);
}
