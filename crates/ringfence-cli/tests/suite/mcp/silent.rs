//! Servers that do not answer: a call is not waited for without end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::ends::Line;
use super::http::{directly, everything};
use super::{OPEN, Peer};

/// How long servers may be silent here. They also have to start within this time.
const SECONDS: &str = "6";

/// A call of the everything server that takes twice as long; it tells how far it is only to those
/// who want to know.
fn slow(meta: &Value) -> Value {
    let arguments = json!({ "duration": 12, "steps": 40 });
    json!(["call", { "name": "trigger-long-running-operation", "arguments": arguments, "_meta": meta }])
}

fn hears(peer: &Peer, wanted: &Value) -> Vec<Value> {
    let server: Vec<&str> = peer.server.iter().map(String::as_str).collect();
    peer.hears_by(wanted, OPEN, &["--name", "peer", "--silence", SECONDS], &server)
}

fn is_given_up(answer: &Value) -> bool {
    let said = answer["error"]["message"].as_str().unwrap_or_default();
    answer["error"]["code"] == -32000 && said.contains("does not answer in time")
}

#[test]
fn a_call_is_given_up_when_the_server_says_nothing_about_it() {
    let Some(peer) = everything() else { return };
    let echo = json!(["call", { "name": "echo", "arguments": { "message": "x" } }]);
    let begun = Instant::now();
    let heard = hears(&peer, &json!([slow(&json!({})), echo]));
    assert!(is_given_up(&heard[0]), "{}", heard[0]);
    // The server is not.
    assert_eq!(heard[1]["result"]["content"][0]["text"], "Echo: x");
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_server_that_tells_how_far_it_is_may_take_its_time() {
    let Some(peer) = everything() else { return };
    let heard = hears(&peer, &json!([slow(&json!({ "progressToken": "p" }))]));
    let said = heard[0]["result"]["content"][0]["text"].as_str().unwrap_or_default();
    assert!(said.contains("completed"), "{}", heard[0]);
}

#[test]
fn a_call_over_http_is_given_up_as_well() {
    let Some(peer) = everything() else { return };
    let serving = directly(&peer);
    let port = serving.url.rsplit(':').next().unwrap().trim_end_matches("/mcp");
    let policy = format!("allow = [\"mcp:*/*\", \"net:127.0.0.1:{port}\"]\n");
    let config = peer.home.path().join("gateway.toml");
    let text = format!("[servers.every]\nurl = {:?}\nsilence = {SECONDS}\n", serving.url);
    std::fs::write(&config, text).unwrap();
    let mut wanted = slow(&json!({}));
    wanted[1]["name"] = json!("every__trigger-long-running-operation");
    let how = ["--config", config.to_str().unwrap()];
    let heard = peer.hears_by(&json!([wanted]), &policy, &how, &[]);
    assert!(is_given_up(&heard[0]), "{}", heard[0]);
}

#[test]
fn every_call_that_waits_is_given_up_and_the_server_is_told() {
    let mut line = Line::patient_for("1");
    for id in 1..=3 {
        line.ask(id, "x/hold");
    }
    let answers = line.hear(3);
    assert!(answers.iter().all(is_given_up), "{answers:?}");
    // What comes too late is nobody's answer, and an id that is free can be used again.
    line.ask(1, "x/cancelled");
    let told = line.hear(1);
    assert_eq!(told[0]["result"]["cancelled"], json!([1, 2, 3]), "{told:?}");
}

#[test]
fn a_server_that_does_not_even_read_is_ended() {
    let mut line = Line::patient_for("1");
    line.ask(1, "x/sleep");
    line.ask(2, "ping");
    // More than the pipe to the server has room for.
    let long = "x".repeat(1 << 20);
    let call = json!({ "jsonrpc": "2.0", "id": 3, "method": "x/hold", "params": { "x": long } });
    line.say(format!("{call}\n").as_bytes());
    let answers = line.hear(3);
    let mut ids: Vec<u64> = answers.iter().filter_map(|own| own["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    assert!(answers.iter().all(|own| own["error"]["code"] == -32000), "{answers:?}");
    assert_eq!(line.gateway.wait().unwrap().code(), Some(1));
}
