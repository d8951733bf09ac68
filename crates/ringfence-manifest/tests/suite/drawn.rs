//! Laws over drawn documents: three formats are one document, `fmt` and `canonical` keep meaning.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use ringfence_manifest::Format;
use serde_json::{Value, json};

use super::support::{load, say_all};

/// Patterns, also ones with characters that formats quote.
const PATTERNS: [&str; 14] = [
    "cmd:git:*",
    "cmd:git:push:*:--force",
    "cmd:{a,b}:\\:x",
    "cmd:npm run 'a b' *",
    "sh",
    "fs:r:@root/**",
    "fs:w:~/a b/#c/*",
    "fs:d:${HOME}/x",
    "net:*.example.com:443",
    "listen:8080",
    "env:A_*",
    "tool:web_*",
    "mcp:github/resource:x://y",
    "@keychain",
];

fn rule() -> impl Strategy<Value = Value> {
    let table = (select(&PATTERNS[..]), 0..4u8).prop_map(|(pattern, sort)| match sort {
        0 => json!({ "pattern": pattern, "why": "it's \"so\" # or: so\n", "until": "2027-03-01" }),
        1 => json!({ "pattern": pattern, "agent": "ops-*", "tool": "mcp__x__*", "owner": "ä" }),
        2 => json!({ "pattern": pattern, "command": ["git:*", "cmd:x"], "within": "src" }),
        _ => json!({ "pattern": pattern, "tool": "terminal", "unless": "b:*", "id": "i" }),
    });
    prop_oneof![select(&PATTERNS[..]).prop_map(Value::from), table]
}

fn rules() -> impl Strategy<Value = Value> {
    proptest::collection::vec(rule(), 0..6).prop_map(Value::from)
}

/// A document's keys, each with a few values that it may have.
fn document() -> impl Strategy<Value = Value> {
    let lists = vec!["allow", "ask", "danger", "deny", "danger_list"];
    let flat = (subsequence(lists, 0..=5), proptest::collection::vec(rules(), 5))
        .prop_map(|(keys, lists)| keys.into_iter().zip(lists).collect::<Vec<_>>());
    let others = subsequence(others(), 0..=9);
    (flat, others, rules(), any::<bool>()).prop_map(|(flat, others, ceiling, apart)| {
        let mut map = serde_json::Map::new();
        map.extend(flat.into_iter().map(|(key, list)| (key.to_owned(), list)));
        let ceiling = if apart { json!([ceiling, ["net:a.example"]]) } else { ceiling };
        map.insert("ceiling".to_owned(), ceiling);
        for (key, value) in others {
            map.entry(key).or_insert(value);
        }
        Value::Object(map)
    })
}

fn others() -> Vec<(String, Value)> {
    let all = json!({
        "name": "x: # \"y\"",
        "default": "ask",
        "capabilities": {
            "allow": {
                "additional_directories": ["../lib"],
                "read": { "default_files": ["*.rs"], "paths": ["src/**", { "path": "a", "prompt": true }] },
                "commands": { "default_domains": ["@crates"], "patterns": ["cargo:*", { "command": "cargo x", "env_vars": ["A"] }] },
            },
            "deny": { "sh": true, "read": { "default_files": [".env"] } },
        },
        "security": { "universal_deny_domains": ["e.example"], "unanalysable": "ask", "reveal_roots": false },
        "permissions": { "default": "ask", "tools": { "bash": "deny", "mcp__a__*": "ask", "x.y": "allow" } },
        "tools": { "terminal": { "enabled": true, "allowed_paths": ["~/a"], "allow_metacharacters": true }, "mcp__fs__*": { "enabled": false } },
        "keychain": { "projectname": "p*", "allow": ["{projectname}/*"] },
        "env": { "tools": ["Bash"], "mcps": [] },
        "agents": { "a b": { "deny": ["fs:w:**"], "allow": [{ "closed": "net" }], "tools": { "file": { "allowed_write_paths": [] } } } },
        "test": [{ "call": "a 'b' \"c\"", "expect": "deny" }, { "tool": "t", "input": { "x y": [1, 2.5, true, {}] }, "expect": "ask" }],
    });
    let Value::Object(map) = all else { return Vec::new() };
    map.into_iter().collect()
}

#[test]
fn drawn_documents_mean_the_same_in_every_format() {
    proptest!(ProptestConfig::with_cases(24), |(document in document())| {
        let said = |format: Format, text: &str| {
            say_all(&load(format, text)).replace(".yaml", ".toml").replace(".json", ".toml")
        };
        let toml = said(Format::Toml, &toml::to_string(&document).unwrap());
        prop_assert_eq!(&said(Format::Json, &document.to_string()), &toml);
        prop_assert_eq!(&said(Format::Json, &format!("{document:#}")), &toml);
        // JSON is YAML.
        prop_assert_eq!(&said(Format::Yaml, &document.to_string()), &toml);
        prop_assert_eq!(&said(Format::Yaml, &format!("{document:#}")), &toml);
    });
}
