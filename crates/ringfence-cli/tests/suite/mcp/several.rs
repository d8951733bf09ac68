//! Several real servers at one endpoint.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Peer, refusal, same};

/// Two servers and the file that lists them.
struct Several {
    files: Peer,
    everything: Peer,
}

impl Several {
    fn new() -> Option<Several> {
        let everything = Peer::new("mcp-everything", "server-everything/dist/index.js")?;
        Some(Several { files: Peer::files()?, everything })
    }

    fn hears(&self, wanted: &Value, policy: &str) -> Vec<Value> {
        let config = self.files.home.path().join("gateway.toml");
        let mut text = String::new();
        for (name, peer) in [("files", &self.files), ("every", &self.everything)] {
            writeln!(text, "[servers.{name}]\ncommand = {:?}", peer.server).unwrap();
        }
        std::fs::write(&config, text).unwrap();
        self.files.hears_by(wanted, policy, &["--config", config.to_str().unwrap()], &[])
    }
}

const OPEN: &str =
    "allow = [\"mcp:*/*\", \"mcp:*/method:**\", \"mcp:*/resource:**\", \"mcp:*/prompt:*\"]\n";

/// Names as the endpoint has them.
fn named(answer: &Value, list: &str, server: &str) -> Vec<Value> {
    let mut all = answer["result"][list].as_array().unwrap().clone();
    for entry in &mut all {
        entry["name"] = format!("{server}__{}", entry["name"].as_str().unwrap()).into();
    }
    all
}

#[test]
fn several_servers_are_one_endpoint() {
    let Some(several) = Several::new() else { return };
    let path = several.files.path("a.txt");
    let document = "demo://resource/static/document/architecture.md";
    let sampling = json!({ "prompt": "hi", "maxTokens": 5 });
    let wanted = |files: &str, every: &str| {
        let name = |server: &str, name: &str| format!("{server}{name}");
        (
            json!([
                ["call", { "name": name(files, "read_text_file"), "arguments": { "path": path } }],
                ["call", { "name": name(files, "get_file_info"), "arguments": { "path": "/nowhere" } }],
            ]),
            json!([
                ["resources"],
                ["call", { "name": name(every, "echo"), "arguments": { "message": "hé" } }],
                ["call", { "name": name(every, "trigger-sampling-request"), "arguments": sampling }],
                ["prompt", { "name": name(every, "simple-prompt") }],
                ["read", { "uri": document }],
                ["complete", { "ref": { "type": "ref/prompt", "name": name(every, "completable-prompt") }, "argument": { "name": "department", "value": "" } }],
                ["ping"],
            ]),
        )
    };
    let lists = json!([["list"], ["prompts"]]);
    let (of_files, of_every) = wanted("", "");
    let files = several.files.hears(&of_files, None);
    let every = several.everything.hears(&of_every, None);
    let (of_files, of_every) = wanted("files__", "every__");
    let all = [lists.clone(), of_files, of_every];
    let all: Vec<Value> = all.iter().flat_map(|own| own.as_array().unwrap().clone()).collect();
    let heard = several.hears(&Value::Array(all), OPEN);
    let (listed, heard) = heard.split_at(2);
    same(heard, &[files, every].concat());
    assert!(heard.iter().any(|answer| answer.to_string().contains("sampled")), "{heard:?}");

    let own =
        [&several.everything, &several.files].map(|peer| peer.hears(&json!([["list"]]), None));
    let expected = [named(&own[0][0], "tools", "every"), named(&own[1][0], "tools", "files")];
    assert_eq!(*listed[0]["result"]["tools"].as_array().unwrap(), expected.concat());
    let own = several.everything.hears(&json!([["prompts"]]), None);
    assert_eq!(
        *listed[1]["result"]["prompts"].as_array().unwrap(),
        named(&own[0], "prompts", "every")
    );
}

#[test]
fn each_server_of_an_endpoint_is_judged_by_its_own_name() {
    let Some(several) = Several::new() else { return };
    let wanted = json!([
        ["list"],
        ["call", { "name": "every__echo", "arguments": { "message": "x" } }],
        ["call", { "name": "every__get-sum", "arguments": { "a": 1, "b": 2 } }],
        ["call", { "name": "files__read_text_file", "arguments": { "path": several.files.path("a.txt") } }],
    ]);
    let policy = "allow = [\"mcp:every/*\"]\ndeny = [\"mcp:every/get-sum\", \"mcp:files/*\"]\n";
    let heard = several.hears(&wanted, policy);
    let tools: Vec<&str> = heard[0]["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(tools.contains(&"every__echo") && !tools.contains(&"every__get-sum"), "{tools:?}");
    assert!(!tools.iter().any(|name| name.starts_with("files__")), "{tools:?}");
    assert_eq!(heard[1]["result"]["content"][0]["text"], "Echo: x");
    for answer in &heard[2..] {
        assert_eq!(refusal(answer)["code"], "denied");
    }
}
