//! Questions: to the client, and to people who come later.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{Peer, refusal};

const ASK: &str = "allow = [\"mcp:peer/get-sum\"]\nask = [\"mcp:peer/echo\"]\n";

fn everything() -> Option<Peer> {
    Peer::new("mcp-everything", "server-everything/dist/index.js")
}

fn echo() -> Value {
    json!([["call", { "name": "echo", "arguments": { "message": "x" } }]])
}

#[test]
fn a_call_that_nobody_answered_passes_once_it_was_approved() {
    let Some(peer) = everything() else { return };
    let said = refusal(&peer.hears(&echo(), Some(ASK))[0]);
    assert_eq!(said["code"], "approval_required");
    let id = said["approval"].as_str().unwrap();

    let line = format!("{} approve {id}", env!("CARGO_BIN_EXE_ringfence"));
    let mut script = peer.home.command("script");
    script.args(["-qec", &line, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut script = script.spawn().unwrap();
    script.stdin.take().unwrap().write_all(b"\n").unwrap();
    let said = script.wait_with_output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));

    let heard = peer.hears(&echo(), Some(ASK));
    assert_eq!(heard[0]["result"]["content"][0]["text"], "Echo: x");
    // Once was once.
    assert_eq!(refusal(&peer.hears(&echo(), Some(ASK))[0])["code"], "approval_required");

    let mut log = peer.home.command(env!("CARGO_BIN_EXE_ringfence"));
    let log = log.args(["log", "--json"]).output().unwrap();
    let log: Value = serde_json::from_slice(&log.stdout).unwrap();
    let refused = log.as_array().unwrap().iter().filter(|own| own["at"] == "mcp");
    let refused: Vec<&Value> = refused.collect();
    assert_eq!(refused.len(), 2, "{log}");
    assert!(refused[0]["who"].as_str().unwrap().contains("peer"), "{log}");
}

#[test]
fn the_client_is_asked_where_the_policy_allows_that() {
    let Some(peer) = everything() else { return };
    let policy = format!("{ASK}[mcp]\nelicitation = true\n");
    // This client declines whatever it is asked.
    let said = refusal(&peer.hears(&echo(), Some(&policy))[0]);
    assert_eq!(said["code"], "declined");
    let accepts = json!([
        ["answers", { "action": "accept", "content": { "answer": "once" } }],
        ["call", { "name": "echo", "arguments": { "message": "x" } }],
    ]);
    let heard = peer.hears(&accepts, Some(&policy));
    assert_eq!(heard[1]["result"]["content"][0]["text"], "Echo: x");
}
