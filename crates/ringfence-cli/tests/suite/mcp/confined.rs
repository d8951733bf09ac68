//! Servers in the fence: what a server's section does not grant, its own code does not reach.

use std::path::Path;

use serde_json::{Value, json};

use super::{OPEN, Peer};

/// What the server's own process may do: run from where it is installed, list what
/// the folder has, and work in one part of it.
fn section(peer: &Peer, folder: &str) -> String {
    let script = Path::new(&peer.server[1]);
    let installed = script.ancestors().find(|path| path.ends_with("node_modules")).unwrap();
    format!(
        "{OPEN}[mcp.servers.peer]\nallow = [\"fs:r:{}/**\", \"fs:r:{}\", \"fs:rw:{folder}/**\"]\n",
        installed.display(),
        peer.path("").trim_end_matches('/')
    )
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_server_reads_what_its_section_grants_and_nothing_else() {
    let Some(peer) = Peer::files() else { return };
    std::fs::create_dir(peer.folder.path().join("granted")).unwrap();
    peer.write("granted/b.txt", "mine\n");
    let call = |name: &str, path: String| json!(["call", { "name": name, "arguments": { "path": path, "content": "new" } }]);
    let wanted = json!([
        call("read_text_file", peer.path("granted/b.txt")),
        call("read_text_file", peer.path("a.txt")),
        call("write_file", peer.path("granted/new.txt")),
        call("write_file", peer.path("out/new.txt")),
    ]);
    // The gateway lets every call pass: the server itself is held.
    let unconfined = peer.hears(&wanted, Some(OPEN));
    assert_eq!(text(&unconfined[1]), "hello\n");
    std::fs::remove_file(peer.folder.path().join("out/new.txt")).unwrap();
    std::fs::remove_file(peer.folder.path().join("granted/new.txt")).unwrap();

    let confined = peer.hears(&wanted, Some(&section(&peer, &peer.path("granted"))));
    assert_eq!(text(&confined[0]), "mine\n");
    for position in [1, 3] {
        assert_eq!(confined[position]["result"]["isError"], true, "{}", confined[position]);
        assert!(text(&confined[position]).contains("EACCES"), "{}", confined[position]);
    }
    assert!(peer.folder.path().join("granted/new.txt").exists(), "{}", confined[2]);
    assert!(!peer.folder.path().join("out/new.txt").exists());
}

#[test]
fn a_server_sees_the_variables_that_its_section_grants() {
    let Some(peer) = Peer::new("mcp-everything", "server-everything/dist/index.js") else { return };
    let wanted = json!([["call", { "name": "get-env", "arguments": {} }]]);
    let policy = section(&peer, &peer.path("")) + "ask = [\"env:RF_NEVER\"]\n";
    let policy = policy.replace("allow = [\"fs:r", "allow = [\"env:RF_GRANTED\", \"fs:r");
    let seen = peer.hears(&wanted, Some(&policy));
    let seen: Value = serde_json::from_str(text(&seen[0])).unwrap();
    assert_eq!(seen["RF_GRANTED"], "yes");
    assert_eq!(seen["RF_SECRET"], Value::Null);
}
