//! Servers that are reached over streamable HTTP, beside others that are processes.

use serde_json::{Value, json};

use super::http::{Serving, directly, everything};
use super::{Peer, refusal, same};

/// The everything server over HTTP, and the filesystem server as a process, at one endpoint.
struct Mixed {
    files: Peer,
    every: Peer,
    serving: Serving,
}

impl Mixed {
    fn new() -> Option<Mixed> {
        let every = everything()?;
        let serving = directly(&every);
        Some(Mixed { files: Peer::files()?, every, serving })
    }

    fn port(&self) -> &str {
        self.serving.url.rsplit(':').next().unwrap().trim_end_matches("/mcp")
    }

    /// A policy that grants all that both can do, and the way to the remote one.
    fn open(&self) -> String {
        let calls = r#""mcp:*/*", "mcp:*/method:**", "mcp:*/resource:**", "mcp:*/prompt:*""#;
        format!("allow = [{calls}, \"net:127.0.0.1:{}\"]\n", self.port())
    }

    fn hears(&self, wanted: &Value, policy: &str) -> Vec<Value> {
        let config = self.files.home.path().join("gateway.toml");
        let text = format!(
            "[servers.files]\ncommand = {:?}\n[servers.every]\nurl = {:?}\nheaders = {{ X-Key = \"${{RF_GRANTED}}\" }}\n",
            self.files.server, self.serving.url
        );
        std::fs::write(&config, text).unwrap();
        self.files.hears_by(wanted, policy, &["--config", config.to_str().unwrap()], &[])
    }
}

/// What is asked of the everything server, with this before names.
fn asked(prefix: &str) -> Value {
    let name = |own: &str| format!("{prefix}{own}");
    json!([
        ["resources"],
        ["call", { "name": name("echo"), "arguments": { "message": "hé\n\u{2028}" } }],
        ["call", { "name": name("get-sum"), "arguments": { "a": 2, "b": 3.5 } }],
        ["call", { "name": name("get-tiny-image"), "arguments": {} }],
        ["call", { "name": name("trigger-sampling-request"), "arguments": { "prompt": "hi", "maxTokens": 5 } }],
        ["call", { "name": name("trigger-long-running-operation"), "arguments": { "duration": 0.2, "steps": 2 } }],
        ["prompt", { "name": name("simple-prompt") }],
        ["read", { "uri": "demo://resource/static/document/architecture.md" }],
        ["ping"],
    ])
}

#[test]
fn a_server_over_http_answers_as_it_does_directly() {
    let Some(mixed) = Mixed::new() else { return };
    let direct = mixed.every.hears_from(&asked(""), &[&mixed.serving.url]);
    assert!(direct.iter().any(|answer| answer.to_string().contains("sampled")), "{direct:?}");
    let path = mixed.files.path("a.txt");
    let mut all = asked("every__").as_array().unwrap().clone();
    all.push(json!(["call", { "name": "files__read_text_file", "arguments": { "path": path } }]));
    let heard = mixed.hears(&Value::Array(all), &mixed.open());
    let (read, heard) = heard.split_last().unwrap();
    same(heard, &direct);
    assert_eq!(read["result"]["content"][0]["text"], "hello\n");
}

#[test]
fn the_way_to_a_server_is_judged() {
    let Some(mixed) = Mixed::new() else { return };
    let wanted =
        json!([["list"], ["call", { "name": "every__echo", "arguments": { "message": "x" } }]]);
    for policy in [
        "allow = [\"mcp:*/*\"]\n".to_owned(),
        "allow = [\"mcp:*/*\", \"net:127.0.0.1:1\"]\n".to_owned(),
        format!("{}[mcp.servers.every]\nallow = []\n", mixed.open()),
        format!("{}deny = [\"net:localhost\"]\n", mixed.open()),
    ] {
        let heard = mixed.hears(&wanted, &policy);
        assert!(
            heard[0].to_string().contains("files__") && !heard[0].to_string().contains("every__")
        );
        assert_eq!(refusal(&heard[1])["tool_name"], "connect");
    }
    let section = format!("[mcp.servers.every]\nallow = [\"net:127.0.0.1:{}\"]\n", mixed.port());
    let heard = mixed.hears(&wanted, &format!("allow = [\"mcp:*/*\"]\n{section}"));
    assert_eq!(heard[1]["result"]["content"][0]["text"], "Echo: x");
}
