//! A policy exported to another program's format and imported again grants nothing more.

use proptest::prelude::*;
use ringfence_core::{Document, Effect, Role};
use ringfence_guard::Guard;
use ringfence_manifest::export::{Operands, Policy, Target, export};
use ringfence_manifest::import::{Foreign, Place, import};
use ringfence_manifest::{Format, NoLibrary, Source, read};
use serde_json::{Value, json};

use super::super::support::{decide, guard};

const PATTERNS: [&str; 26] = [
    "cmd:git:*",
    "cmd:git:status",
    "cmd:git:push:*",
    "cmd:git:push:*:--force",
    "cmd:npm:run:test:*",
    "cmd:npm:*:test",
    "cmd:{ls,cat}:*",
    "cmd:ls",
    "cmd:ls:",
    "cmd:*",
    "sh",
    "fs:r:@root/**",
    "fs:r:@root/src/**",
    "fs:w:@root/src/**",
    "fs:w:@root/docs/*.md",
    "fs:r:**/.env",
    "fs:rw:~/other/**",
    "fs:w:@tmp/**",
    "fs:r:@system/**",
    "net:*",
    "net:*.example.com",
    "net:api.example.com:443",
    "net:evil.example.com",
    "mcp:github/get_*",
    "mcp:github/delete",
    "tool:WebSearch",
];

fn policy() -> impl Strategy<Value = String> {
    let list = || prop::collection::vec(prop::sample::select(PATTERNS.to_vec()), 0..5);
    let default = prop::sample::select(vec!["ask", "deny"]);
    (default, list(), list(), list()).prop_map(|(default, allow, ask, deny)| {
        format!(
            "default = \"{default}\"\nallow = {}\nask = {}\ndeny = {}\n",
            json!(allow),
            json!(ask),
            json!(deny)
        )
    })
}

/// Returns calls that match the patterns, in each agent's own form.
fn calls(to: Target) -> Vec<Value> {
    let lines = [
        "git status",
        "git push",
        "git push origin main",
        "git -C x push --force",
        "git log -1",
        "npm run test",
        "npm run test:unit",
        "npm run build",
        "npm x test",
        "ls",
        "ls -la",
        "ls src",
        "cat src/a.rs",
        "cat .env",
        "cat /home/u/.ssh/id_rsa",
        "sh x.sh",
        "make",
        "echo a",
    ];
    let paths = [
        "/home/u/proj/src/a.rs",
        "/home/u/proj/docs/a.md",
        "/home/u/proj/docs/x/a.md",
        "/home/u/proj/.env",
        "/home/u/proj/src/.env",
        "/home/u/other/x",
        "/etc/hosts",
        "/home/u/proj/ringfence.toml",
        "/home/u/.ssh/id_rsa",
    ];
    let hosts = ["example.com", "api.example.com", "evil.example.com", "other.org"];
    let (read, write, fetch, key) = match to {
        Target::Claude | Target::Codex => ("Read", "Write", "WebFetch", "file_path"),
        Target::Gemini => ("read_file", "write_file", "web_fetch", "file_path"),
        Target::Opencode => ("read", "write", "webfetch", "filePath"),
    };
    let lines = lines.map(|line| json!({ "tool": "terminal", "command": line }));
    let reads = paths.map(|path| json!({ "tool": read, "input": { key: path } }));
    let writes = paths.map(|path| json!({ "tool": write, "input": { key: path, "content": "x" } }));
    let fetches = hosts.map(|host| {
        json!({ "tool": fetch, "input": { "url": format!("https://{host}/x"), "prompt": "x" } })
    });
    let tools = ["mcp__github__get_issue", "mcp__github__delete", "WebSearch", "other_tool"]
        .map(|name| json!({ "tool": name, "input": {} }));
    lines.into_iter().chain(reads).chain(writes).chain(fetches).chain(tools).collect()
}

fn document(text: &str) -> Document {
    let source = Source::new("policy.toml", Format::Toml, text).unwrap();
    read(&source, Role::User, &NoLibrary).unwrap().document
}

fn again(to: Target, text: &str, own: &Guard) -> Guard {
    let document = document(text);
    let verdict = |line: &str| decide(own, &json!({ "tool": "terminal", "command": line }));
    let policy = Policy { document: &document, ceilings: &[], verdict: &verdict };
    let exported = export(to, &policy, Operands::Asked);
    let (from, name) = match to {
        Target::Claude => (Foreign::Claude, "settings.json"),
        Target::Codex => (Foreign::Codex, "default.rules"),
        Target::Gemini => (Foreign::Gemini, "policy.toml"),
        Target::Opencode => (Foreign::Opencode, "opencode.json"),
    };
    let imported = import(from, name, exported.text.as_bytes(), &Place::default())
        .unwrap_or_else(|errors| panic!("{errors}\n{}", exported.text));
    guard(&imported.text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn an_exported_policy_grants_nothing_more(text in policy()) {
        let own = guard(&text);
        for to in Target::ALL {
            let other = again(to, &text, &own);
            for call in calls(to) {
                if decide(&other, &call) == Effect::Allow {
                    prop_assert_eq!(decide(&own, &call), Effect::Allow, "{:?} {}\n{}", to, call, text);
                }
            }
        }
    }
}

/// A counterexample found earlier: an ask on writing also asks about reading, if only an allow on
/// writing would grant the reading.
#[test]
fn reading_that_is_asked_about_is_not_granted() {
    let drawn = [
        (vec!["fs:w:@root/src/**"], vec!["fs:w:@root/src/**"]),
        (vec!["fs:w:@root/**"], vec!["fs:w:@root/src/**"]),
        // Duplicate rules keep their order.
        (vec!["fs:r:**/.env", "fs:w:@root/src/**"], vec!["fs:r:@root/**", "fs:r:**/.env"]),
    ];
    for (allow, ask) in drawn {
        let (allow, ask) = (json!(allow), json!(ask));
        let text = format!("default = \"ask\"\nallow = {allow}\nask = {ask}\n");
        let own = guard(&text);
        for to in Target::ALL {
            let other = again(to, &text, &own);
            for call in calls(to) {
                let granted = decide(&other, &call) == Effect::Allow;
                assert!(!granted || decide(&own, &call) == Effect::Allow, "{to:?} {call}\n{text}");
            }
        }
    }
}

#[test]
fn expressible_rules_survive_the_round_trip() {
    let text = r#"
default = "ask"
allow = ["cmd:git:status", "fs:r:@root/**", "fs:w:@root/docs/**", "net:*.example.com", "mcp:github/get_*"]
deny = ["cmd:rm:*", "fs:w:@root/docs/frozen/**"]
"#;
    let own = guard(text);
    let claude = again(Target::Claude, text, &own);
    let check = |call: Value, expected| assert_eq!(decide(&claude, &call), expected, "{call}");
    let edit =
        |path: &str| json!({ "tool": "Write", "input": { "file_path": path, "content": "x" } });
    check(edit("/home/u/proj/docs/a.md"), Effect::Allow);
    check(edit("/home/u/proj/docs/frozen/a.md"), Effect::Deny);
    check(edit("/home/u/proj/src/a.md"), Effect::Ask);
    check(
        json!({ "tool": "WebFetch", "input": { "url": "https://a.example.com/" } }),
        Effect::Allow,
    );
    check(json!({ "tool": "mcp__github__get_x", "input": {} }), Effect::Allow);
    check(json!({ "tool": "terminal", "command": "rm x" }), Effect::Deny);
    let opencode = again(Target::Opencode, text, &own);
    let status = json!({ "tool": "terminal", "command": "git status" });
    assert_eq!(decide(&opencode, &status), Effect::Allow);
}
