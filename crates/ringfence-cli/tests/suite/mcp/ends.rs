//! How it ends: servers that die, clients that vanish, and what must not be left behind.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::home::Home;

/// A server that says who it is, answers pings, and does what the other methods say.
const SERVER: &str = r#"
import json, os, sys, time
open(sys.argv[1], "w").write(str(os.getpid()))
held, cancelled = [], []
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "notifications/cancelled":
        cancelled.append(message["params"]["requestId"])
        continue
    if message["method"] == "x/die": sys.exit(3)
    if message["method"] == "x/sleep": time.sleep(1000)
    if message["method"] == "x/hold":
        held.append(message["id"])
        continue
    if message["method"] == "x/release":
        for id in reversed(held): print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {}}), flush=True)
    if message["method"] == "x/flood": sys.stderr.write("noise\n" * 500000)
    if message["method"] == "x/babble": print("no JSON\n{}\n[]", flush=True)
    result = {"cancelled": cancelled} if message["method"] == "x/cancelled" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
while True: time.sleep(1)
"#;

pub(super) struct Line {
    home: Home,
    pub(super) gateway: Child,
}

impl Line {
    pub(super) fn open() -> Line {
        Line::patient_for("600")
    }

    /// A line on which calls are given up after so many seconds of silence.
    pub(super) fn patient_for(seconds: &str) -> Line {
        let home = Home::new();
        let policy = home.path().join("policy.toml");
        std::fs::write(&policy, "allow = [\"mcp:peer/method:**\"]\n").unwrap();
        let gateway = home
            .ringfence()
            .args(["mcp", "--name", "peer", "--silence", seconds, "--policy"])
            .arg(&policy)
            .args(["--", "/usr/bin/python3", "-c", SERVER])
            .arg(home.path().join("pid"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Line { home, gateway }
    }

    pub(super) fn say(&mut self, bytes: &[u8]) {
        self.gateway.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(super) fn ask(&mut self, id: u32, method: &str) {
        self.say(
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\"}}\n").as_bytes(),
        );
    }

    pub(super) fn hear(&mut self, count: usize) -> Vec<Value> {
        let mut reader = BufReader::new(self.gateway.stdout.as_mut().unwrap());
        let mut lines = Vec::new();
        while lines.len() < count {
            let mut line = String::new();
            assert_ne!(reader.read_line(&mut line).unwrap(), 0, "it ended after {lines:?}");
            lines.push(serde_json::from_str(&line).unwrap());
        }
        lines
    }

    /// Waits until the server is no more.
    fn server_ends(&self) {
        let pid = std::fs::read_to_string(self.home.path().join("pid")).unwrap();
        let begun = Instant::now();
        while Path::new("/proc").join(&pid).join("cwd").read_link().is_ok() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the server is still there");
            sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_server_that_dies_leaves_no_call_without_an_answer() {
    let mut line = Line::open();
    line.ask(1, "ping");
    assert_eq!(line.hear(1)[0]["result"], serde_json::json!({}));
    line.ask(2, "x/die");
    line.ask(3, "ping");
    for answer in line.hear(2) {
        assert_eq!(answer["error"]["code"], -32000, "{answer}");
    }
    assert_eq!(line.gateway.wait().unwrap().code(), Some(1));
}

#[test]
fn noise_of_a_server_stops_nothing() {
    let mut line = Line::open();
    line.ask(1, "x/flood");
    line.ask(2, "x/babble");
    line.ask(3, "ping");
    let ids: Vec<Value> = line.hear(3).into_iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, [1, 2, 3]);
}

#[test]
fn what_is_no_message_is_answered_and_not_passed_on() {
    let mut line = Line::open();
    line.say(b"\xff\xfe\n{\"jsonrpc\":\"2.0\",\"id\":1\nnull\n");
    line.ask(2, "ping");
    // The server knows no other answer than `{}`; the gateway's own may come before or after it.
    let answers = line.hear(4);
    assert_eq!(answers.iter().filter(|own| own["error"]["code"] == -32700).count(), 2);
    assert_eq!(answers.iter().filter(|own| own["error"]["code"] == -32600).count(), 1);
    assert_eq!(answers.iter().filter(|own| own["id"] == 2).count(), 1);
}

#[test]
fn a_server_does_not_outlive_its_client() {
    let mut line = Line::open();
    line.ask(1, "ping");
    line.hear(1);
    drop(line.gateway.stdin.take());
    assert_eq!(line.gateway.wait().unwrap().code(), Some(0));
    line.server_ends();
}

#[test]
fn a_server_does_not_outlive_a_gateway_that_is_killed() {
    let mut line = Line::open();
    line.ask(1, "ping");
    line.hear(1);
    line.gateway.kill().unwrap();
    line.gateway.wait().unwrap();
    line.server_ends();
}
