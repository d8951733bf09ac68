//! Servers over HTTP that die, lie, flood or forget: each call is answered, and the gateway goes on.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::home::Home;

/// A server that does what the method of a message says, and tells what it met on its output.
const SERVER: &str = r#"
import json, sys, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
sessions, held = set(), {}
def event(text, id=None): return (f"id: {id}\n" if id else "").encode() + b"data: " + text + b"\n\n"
class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def note(self, text): print(text, flush=True)
    def reply(self, status, body=b"", kind="application/json", **head):
        self.send_response(status)
        for name, value in head.items(): self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", kind); self.send_header("Content-Length", str(len(body))); self.end_headers()
        self.wfile.write(body)
    def stream(self, *pieces):
        self.send_response(200); self.send_header("Content-Type", "text/event-stream"); self.send_header("Connection", "close"); self.end_headers()
        self.close_connection = True
        for piece in pieces: self.wfile.write(piece)
    def do_DELETE(self):
        self.note("deleted"); sessions.discard(self.headers["mcp-session-id"]); self.reply(200)
    def do_GET(self):
        after = self.headers["last-event-id"]
        if after in held: self.stream(event(held.pop(after), "e9"))
        else: self.reply(405)
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, id = message.get("method", ""), message.get("id")
        good = json.dumps({"jsonrpc": "2.0", "id": id, "result": {}}).encode()
        if method == "initialize":
            name = uuid.uuid4().hex; sessions.add(name); self.note("begun")
            result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "r", "version": "1"}}
            return self.reply(200, json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode(), mcp_session_id=name)
        if self.headers["mcp-session-id"] not in sessions: return self.reply(404)
        if self.headers["mcp-protocol-version"] != "2025-06-18": return self.reply(400)
        if id is None: return self.reply(202)
        if method == "x/forget":
            sessions.clear()
            return self.reply(200, good)
        if method == "x/die": self.close_connection = True; self.connection.close(); return
        if method == "x/part": return self.stream(event(good)[:20])
        if method == "x/twice": return self.stream(event(good), event(good))
        if method == "x/other": return self.stream(event(good.replace(str(id).encode(), b"77777")))
        if method == "x/resume": held["e7"] = good; return self.stream(b"retry: 10\nid: e7\ndata:\n\n")
        if method == "x/html": return self.reply(200, b"<html>", "text/html")
        if method == "x/status": return self.reply(500, b"secret stack")
        if method == "x/moved": return self.reply(307, Location="http://192.0.2.1/")
        if method == "x/error": return self.reply(400, json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32055, "message": "so"}}).encode())
        if method == "x/bytes": return self.reply(200, b"\xff\xfe")
        if method == "x/bytes-stream": return self.stream(b"data: \xff\xfe\n\n")
        if method == "x/doubled": return self.reply(200, good.replace(b'"id"', b'"jsonrpc": "2.0", "id"'))
        if method == "x/deep": return self.reply(200, b'{"jsonrpc":"2.0","id":%d,"result":%s%s}' % (id, b"[" * 9999, b"]" * 9999))
        if method == "x/lines": return self.reply(200, good.replace(b", ", b",\r\n"))
        if method == "x/flood":
            noise = event(b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"' + b"x" * 2000 + b'"}}')
            return self.stream(*[noise] * 5000, event(good))
        if method == "x/huge": return self.stream(b"data: ", *[b"x" * (1 << 20)] * 70, b"\n\n")
        self.reply(200, good)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Server).serve_forever()
"#;

/// A gateway in front of such a server.
struct Rough {
    gateway: Child,
    answers: BufReader<std::process::ChildStdout>,
    server: Child,
    _home: Home,
}

impl Drop for Rough {
    fn drop(&mut self) {
        for child in [&mut self.gateway, &mut self.server] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Rough {
    fn new() -> Rough {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut server = Command::new("/usr/bin/python3");
        server.args(["-c", SERVER, &port.to_string()]).stdin(Stdio::null()).stdout(Stdio::piped());
        let server = server.spawn().unwrap();
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        let home = Home::new();
        let policy = home.path().join("policy.toml");
        let grants = format!("allow = [\"mcp:*/method:**\", \"net:127.0.0.1:{port}\"]\n");
        std::fs::write(&policy, grants).unwrap();
        let mut gateway = home.ringfence();
        gateway.args(["mcp", "--name", "peer", "--policy"]).arg(&policy);
        gateway.args(["--url", &format!("http://127.0.0.1:{port}/mcp")]);
        gateway.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut gateway = gateway.spawn().unwrap();
        let answers = BufReader::new(gateway.stdout.take().unwrap());
        let mut rough = Rough { gateway, answers, server, _home: home };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        rough.say(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }));
        assert_eq!(rough.hear()["result"]["protocolVersion"], "2025-06-18");
        rough.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        rough
    }

    fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.gateway.stdin.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    }

    /// The next line, which must be one message.
    fn hear(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.answers.read_line(&mut line).unwrap(), 0, "the gateway has ended");
        serde_json::from_str(&line).unwrap()
    }

    /// The next answer.
    fn answer(&mut self) -> Value {
        loop {
            let message = self.hear();
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The answer to a method.
    fn asks(&mut self, id: u32, method: &str) -> Value {
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method }));
        let answer = self.answer();
        assert_eq!(answer["id"], id, "{method}: {answer}");
        answer
    }

    fn is_well(&mut self, id: u32) {
        assert!(self.asks(id, "x/plain")["result"].is_object());
    }
}

#[test]
fn whatever_fails_is_the_answer_to_its_call() {
    let mut rough = Rough::new();
    let methods = [
        "x/die",
        "x/part",
        "x/other",
        "x/html",
        "x/status",
        "x/moved",
        "x/bytes",
        "x/bytes-stream",
        "x/doubled",
        "x/deep",
    ];
    for (id, method) in (1..).zip(methods) {
        let answer = rough.asks(id, method);
        assert_eq!(answer["error"]["code"], -32000, "{method}: {answer}");
        assert!(!answer.to_string().contains("secret stack"), "{answer}");
        rough.is_well(id + 100);
    }
    assert_eq!(rough.asks(50, "x/error")["error"]["code"], -32055);
    // Ends of lines in a body are none on a line.
    assert!(rough.asks(51, "x/lines")["result"].is_object());
    // The second of two answers is nobody's.
    assert!(rough.asks(52, "x/twice")["result"].is_object());
    rough.is_well(53);
}

#[test]
fn a_forgotten_session_is_begun_anew_and_a_broken_stream_is_taken_up() {
    let mut rough = Rough::new();
    assert!(rough.asks(1, "x/resume")["result"].is_object());
    assert!(rough.asks(2, "x/forget")["result"].is_object());
    rough.is_well(3);
    drop(rough.gateway.stdin.take());
    assert_eq!(rough.gateway.wait().unwrap().code(), Some(0));
    rough.server.kill().unwrap();
    let said = BufReader::new(rough.server.stdout.take().unwrap()).lines();
    let said: Vec<String> = said.map(Result::unwrap).collect();
    assert_eq!(said, ["begun", "begun", "deleted"]);
}

#[test]
fn a_flood_fills_no_memory_and_loses_no_answer() {
    let mut rough = Rough::new();
    assert!(rough.asks(1, "x/flood")["result"].is_object());
    assert_eq!(rough.asks(2, "x/huge")["error"]["code"], -32000);
    rough.is_well(3);
    let status = std::fs::read_to_string(format!("/proc/{}/status", rough.gateway.id())).unwrap();
    let most = status.lines().find_map(|own| own.strip_prefix("VmHWM:")).unwrap();
    let most: u64 = most.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(most < 256 << 10, "{most} kB");
}

#[test]
fn a_server_that_is_gone_is_an_answer_too() {
    let mut rough = Rough::new();
    rough.server.kill().unwrap();
    rough.server.wait().unwrap();
    for id in 1..4 {
        assert_eq!(rough.asks(id, "x/plain")["error"]["code"], -32000);
    }
}
