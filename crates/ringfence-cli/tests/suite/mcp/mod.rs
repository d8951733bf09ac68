//! Real MCP servers from the npm registry behind the gateway, with a client of the official SDK.
//!
//! `cargo xtask test` installs them; where one is not there, its test is skipped.

mod asks;
mod confined;
mod conformance;
mod ends;
mod home;
mod http;
mod instructions;
mod pins;
mod remote;
mod rough;
mod rough_remote;
mod several;
mod silent;
mod tls;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use super::skip::skip;
use home::Home;

/// Where `cargo xtask test` installs what comes from the npm registry.
fn agents() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("agents")
}

/// A file of a package, where `cargo xtask test` has installed it.
fn installed(folder: &str, file: &str) -> Option<PathBuf> {
    let path = agents().join(folder).join("node_modules/@modelcontextprotocol");
    let path = path.join(file);
    if !path.exists() {
        skip(format!("{folder}/{file} is not installed; `cargo xtask test` does that"));
        return None;
    }
    Some(path.canonicalize().unwrap())
}

/// A folder that is no place for temporary files: those are a confined server's own.
fn lasting_folder() -> tempfile::TempDir {
    let above =
        if home::uid() == 0 { PathBuf::from("/home") } else { std::env::home_dir().unwrap() };
    tempfile::Builder::new().prefix("ringfence-mcp-").tempdir_in(above).unwrap()
}

/// A server, and the folder that it serves.
struct Peer {
    sdk: PathBuf,
    server: Vec<String>,
    folder: tempfile::TempDir,
    policy: tempfile::NamedTempFile,
    home: Home,
}

impl Peer {
    fn new(folder: &str, file: &str) -> Option<Peer> {
        let sdk = installed("mcp-sdk", "sdk")?;
        let file = installed(folder, file)?;
        let folder = lasting_folder();
        let policy = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
        let server = vec!["node".to_owned(), file.to_str().unwrap().to_owned()];
        Some(Peer { sdk, server, folder, policy, home: Home::new() })
    }

    fn files() -> Option<Peer> {
        let mut peer = Peer::new("mcp-filesystem", "server-filesystem/dist/index.js")?;
        std::fs::create_dir(peer.folder.path().join("out")).unwrap();
        peer.write("a.txt", "hello\n");
        peer.write(".env", "KEY=planted\n");
        std::os::unix::fs::symlink("/etc/hostname", peer.folder.path().join("link")).unwrap();
        let root = peer.path("");
        peer.server.push(root);
        Some(peer)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().canonicalize().unwrap().join(name).to_str().unwrap().to_owned()
    }

    /// What the client hears: directly, or through the gateway with a policy.
    fn hears(&self, wanted: &Value, policy: Option<&str>) -> Vec<Value> {
        let server: Vec<&str> = self.server.iter().map(String::as_str).collect();
        match policy {
            Some(policy) => self.hears_by(wanted, policy, &["--name", "peer"], &server),
            None => self.hears_from(wanted, &server),
        }
    }

    /// What the client hears through a gateway that is started so.
    fn hears_by(&self, wanted: &Value, policy: &str, how: &[&str], server: &[&str]) -> Vec<Value> {
        std::fs::write(self.policy.path(), policy).unwrap();
        let policy = self.policy.path().to_str().unwrap();
        let mut words = vec![env!("CARGO_BIN_EXE_ringfence"), "mcp", "--policy", policy];
        words.extend(how);
        if !server.is_empty() {
            words.push("--");
            words.extend(server);
        }
        self.hears_from(wanted, &words)
    }

    fn hears_from(&self, wanted: &Value, words: &[&str]) -> Vec<Value> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mcp/client.mjs");
        let mut client = self.home.command("timeout");
        client.args(["120", "node"]).arg(script).arg(&self.sdk).arg(wanted.to_string());
        client.args(words).stdin(Stdio::null()).stderr(Stdio::piped());
        client.env("RF_GRANTED", "yes").env("RF_SECRET", "planted");
        let output = client.output().unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {complaints}", output.status);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// All that a server can do is granted.
const OPEN: &str = "allow = [\"mcp:peer/*\", \"mcp:peer/method:**\", \"mcp:peer/resource:**\", \"mcp:peer/prompt:*\"]\n";

/// Every answer is the same, in every byte that the client makes of it.
fn same(through: &[Value], direct: &[Value]) {
    assert_eq!(through.len(), direct.len());
    for (through, direct) in through.iter().zip(direct) {
        assert_eq!(through.to_string(), direct.to_string());
    }
}

#[test]
fn a_permissive_policy_changes_nothing_of_the_filesystem_server() {
    let Some(peer) = Peer::files() else { return };
    let wanted = json!([
        ["list"],
        ["ping"],
        ["call", { "name": "read_text_file", "arguments": { "path": peer.path("a.txt") } }],
        ["call", { "name": "list_directory", "arguments": { "path": peer.path("") } }],
        ["call", { "name": "get_file_info", "arguments": { "path": peer.path("missing") } }],
        ["call", { "name": "no_such_tool", "arguments": {} }],
        ["call", { "name": "write_file", "arguments": { "path": peer.path("out/x"), "content": "1" } }],
    ]);
    same(&peer.hears(&wanted, Some(OPEN)), &peer.hears(&wanted, None));
}

#[test]
fn a_permissive_policy_changes_nothing_of_the_everything_server() {
    let Some(peer) = Peer::new("mcp-everything", "server-everything/dist/index.js") else { return };
    let wanted = json!([
        ["list"],
        ["prompts"],
        ["resources"],
        ["call", { "name": "echo", "arguments": { "message": "hé \u{1f600} \u{202e}" } }],
        ["call", { "name": "get-sum", "arguments": { "a": 2, "b": 3.5 } }],
        ["call", { "name": "get-tiny-image", "arguments": {} }],
        ["call", { "name": "trigger-sampling-request", "arguments": { "prompt": "hi", "maxTokens": 5 } }],
        ["prompt", { "name": "simple-prompt" }],
        ["read", { "uri": "demo://resource/static/document/architecture.md" }],
        ["ping"],
    ]);
    let direct = peer.hears(&wanted, None);
    assert!(direct.iter().any(|answer| answer.to_string().contains("sampled")), "{direct:?}");
    same(&peer.hears(&wanted, Some(OPEN)), &direct);
}

#[test]
fn a_permissive_policy_changes_nothing_of_the_memory_server() {
    let Some(peer) = Peer::new("mcp-memory", "server-memory/dist/index.js") else { return };
    let wanted = json!([
        ["list"],
        ["call", { "name": "search_nodes", "arguments": { "query": "nothing of this name" } }],
    ]);
    same(&peer.hears(&wanted, Some(OPEN)), &peer.hears(&wanted, None));
}

/// Reading the folder and writing below `out` is granted.
fn scoped(peer: &Peer) -> String {
    format!(
        "allow = [\"mcp:peer/*\", \"fs:r:{0}\", \"fs:r:{0}/**\", \"fs:w:{0}/out/**\"]\n\
         deny = [\"fs:r:**/.env\", \"mcp:peer/edit_file\"]\n",
        peer.path("").trim_end_matches('/')
    )
}

/// The refusal that stands in place of a tool's result.
fn refusal(answer: &Value) -> Value {
    let result = &answer["result"];
    assert_eq!(result["isError"], true, "{answer}");
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[test]
fn c143_c144_c145_c146_a_scope_holds_for_the_filesystem_server() {
    let Some(peer) = Peer::files() else { return };
    let ends =
        |from: &str, to: &str| json!({ "source": peer.path(from), "destination": peer.path(to) });
    let call =
        |name: &str, arguments: Value| json!(["call", { "name": name, "arguments": arguments }]);
    let wanted = json!([
        call("read_text_file", json!({ "path": peer.path("a.txt") })),
        call("write_file", json!({ "path": peer.path("out/x"), "content": "1" })),
        call("move_file", ends("out/x", "out/y")),
        call("read_text_file", json!({ "path": peer.path(".env") })),
        call("read_text_file", json!({ "path": peer.path("link") })),
        call("read_multiple_files", json!({ "paths": [peer.path("a.txt"), peer.path(".env")] })),
        call("write_file", json!({ "path": peer.path("x"), "content": "1" })),
        call("move_file", ends("out/y", "z")),
        call("move_file", ends("a.txt", "out/z")),
        call("edit_file", json!({ "path": peer.path("out/y"), "edits": [] })),
        call("frobnicate", json!({ "path": peer.path("a.txt") })),
    ]);
    let answers = peer.hears(&wanted, Some(&scoped(&peer)));
    let (granted, refused) = answers.split_at(3);
    for answer in granted {
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    for answer in refused {
        let envelope = refusal(answer);
        assert!(envelope["code"].is_string() && envelope["hint"].is_string(), "{envelope}");
    }
    assert!(!format!("{answers:?}").contains("planted"));
    assert!(peer.folder.path().join("out/y").exists() && peer.folder.path().join("a.txt").exists());
    assert!(!peer.folder.path().join("x").exists() && !peer.folder.path().join("z").exists());
}

#[test]
fn c149_a_scope_hides_denied_tools_and_leaves_the_others_alone() {
    let Some(peer) = Peer::files() else { return };
    let direct = peer.hears(&json!([["list"]]), None);
    let through = peer.hears(&json!([["list"]]), Some(&scoped(&peer)));
    let tools = |answer: &Value| answer["result"]["tools"].as_array().unwrap().clone();
    let mut expected = tools(&direct[0]);
    expected.retain(|tool| tool["name"] != "edit_file");
    assert_eq!(tools(&through[0]), expected);
}
