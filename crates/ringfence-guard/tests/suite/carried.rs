//! Imported rules of other programs decide as those programs document, or differ in the direction
//! that the import reports.

mod models;
mod round_trip;

use std::path::PathBuf;

use proptest::prelude::*;
use ringfence_core::Effect;
use ringfence_guard::Guard;
use ringfence_manifest::import::{Foreign, Imported, Place, Way, import};
use serde_json::{Value, json};

use super::support::{decide, guard};
use models::Model;

const ALLOW: Effect = Effect::Allow;
const ASK: Effect = Effect::Ask;
const DENY: Effect = Effect::Deny;

fn carry(from: Foreign, name: &str, text: &str) -> (Imported, Guard) {
    let imported = import(from, name, text.as_bytes(), &Place::default())
        .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let guard = guard(&imported.text);
    (imported, guard)
}

fn line(guard: &Guard, line: &str) -> Effect {
    decide(guard, &json!({ "tool": "terminal", "command": line }))
}

fn tool(guard: &Guard, name: &str, input: Value) -> Effect {
    decide(guard, &json!({ "tool": name, "input": input }))
}

/// Returns whether a line has only plain words, which both sides read alike.
fn plain(line: &str) -> bool {
    const WRAPPERS: [&str; 12] = [
        "env", "timeout", "nice", "nohup", "time", "setsid", "command", "stdbuf", "xargs", "exec",
        "builtin", "cd",
    ];
    let first = line.split(' ').next().unwrap_or("");
    !line.contains(|c: char| "|&;<>$`\"'\\(){}*?[]#!\n\t".contains(c))
        && !line.contains("  ")
        && line.trim() == line
        && !WRAPPERS.contains(&first)
        && !first.contains('=')
}

/// Returns the corpus's command lines of plain words.
fn corpus_lines() -> Vec<String> {
    let read = |name: &str| {
        let path: PathBuf =
            [env!("CARGO_MANIFEST_DIR"), "../../tests/corpus", name].iter().collect();
        std::fs::read_to_string(path).unwrap()
    };
    let texts = [read("benign.jsonl"), read("attacks.jsonl")];
    let cases = texts.iter().flat_map(|text| text.lines());
    let values = cases.map(|case| serde_json::from_str::<Value>(case).unwrap());
    let lines = values.filter_map(|case| Some(case["action"]["command"].as_str()?.to_owned()));
    let mut lines: Vec<String> = lines.filter(|line| plain(line)).collect();
    lines.sort();
    lines.dedup();
    lines
}

/// Compares the imported policy with the model of the other program.
///
/// If a policy that grants every command allows a line, both must agree. Otherwise the import may
/// be stricter, as it reports.
fn compare<'l>(
    model: &dyn Model,
    text: &str,
    lines: impl IntoIterator<Item = &'l str>,
) -> Result<usize, String> {
    let (imported, guard) = carry(model.format(), model.name(), text);
    let exact = imported.differences.iter().all(|own| own.line == 0 || own.way == Way::Same);
    let everything = self::guard("default = \"ask\"\nallow = [\"cmd:*\"]\n");
    let mut alike = 0;
    for words in lines {
        let (ours, theirs) = (line(&guard, words), model.decide(words));
        // Ask and deny rules understand options in any spelling, so these lines are not comparable.
        let comparable = line(&everything, words) == ALLOW && !words.contains(" -");
        if comparable && exact && ours != theirs {
            return Err(format!("`{words}`: {ours}, there {theirs}\n{text}\n{}", imported.text));
        }
        // The import reports options before a subcommand: `git -v status` is `git status`.
        let told = words.split(' ').nth(1).is_some_and(|word| word.starts_with('-'));
        if ours < theirs && !told {
            return Err(format!("`{words}` is wider: {ours}, there {theirs}\n{text}"));
        }
        alike += usize::from(comparable);
    }
    Ok(alike)
}

#[test]
fn the_corpus_is_decided_as_there() {
    let lines = corpus_lines();
    assert!(lines.len() > 40, "{} lines", lines.len());
    for (model, text) in models::samples() {
        let alike = compare(&*model, &text, lines.iter().map(String::as_str));
        let alike = alike.unwrap_or_else(|wrong| panic!("{}: {wrong}", model.name()));
        assert!(alike > 10, "{}: {alike} lines could be compared", model.name());
    }
}

const WORDS: [&str; 8] = ["git", "npm", "status", "push", "origin", "main", "-v", "--all"];

fn command() -> impl Strategy<Value = String> {
    let program = prop::sample::select(vec!["git", "npm", "ls"]);
    let rest = prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..4);
    (program, rest).prop_map(|(program, rest)| {
        std::iter::once(program).chain(rest).collect::<Vec<_>>().join(" ")
    })
}

/// Draws a text pattern: words, some with stars.
fn pattern() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
        1 => Just("*".to_owned()),
        1 => Just("st*".to_owned()),
        1 => Just("*in".to_owned()),
        1 => Just("p*h".to_owned()),
    ];
    let program = prop::sample::select(vec!["git", "npm", "ls", "*", "g*"]);
    (program, prop::collection::vec(word, 0..3), any::<bool>()).prop_map(|(program, rest, open)| {
        let mut words: Vec<String> = std::iter::once(program.to_owned()).chain(rest).collect();
        if open {
            words.push("*".to_owned());
        }
        words.join(" ")
    })
}

fn effect() -> impl Strategy<Value = Effect> {
    prop::sample::select(vec![ALLOW, ASK, DENY])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn drawn_rules_decide_as_there(
        rules in prop::collection::vec((pattern(), effect()), 1..6),
        lines in prop::collection::vec(command(), 12),
    ) {
        for model in models::of_patterns(&rules) {
            let text = model.text();
            let compared = compare(&*model, &text, lines.iter().map(String::as_str));
            prop_assert!(compared.is_ok(), "{}: {}", model.name(), compared.unwrap_err());
        }
    }

    #[test]
    fn drawn_prefixes_decide_as_there(
        rules in prop::collection::vec((prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..4), effect()), 1..6),
        lines in prop::collection::vec(command(), 12),
    ) {
        for model in models::of_prefixes(&rules) {
            let text = model.text();
            let compared = compare(&*model, &text, lines.iter().map(String::as_str));
            prop_assert!(compared.is_ok(), "{}: {}", model.name(), compared.unwrap_err());
        }
    }
}

/// A counterexample found earlier: for rules that object, `git git` is the program `git-git`, so a
/// grant of `git` must cover it.
#[test]
fn a_subcommand_that_is_a_program_is_decided_as_there() {
    let drawn = [
        vec![("g*", ASK), ("git git *", ALLOW)],
        vec![("g*", ASK), ("git *", ALLOW)],
        vec![("g*", DENY), ("git *", ALLOW)],
        vec![("*", ASK), ("git *", ALLOW)],
    ];
    for rules in drawn {
        let rules: Vec<_> = rules.into_iter().map(|(text, own)| (text.to_owned(), own)).collect();
        for model in models::of_patterns(&rules) {
            let compared = compare(&*model, &model.text(), ["git", "git git", "git foo x", "gitk"]);
            assert!(compared.is_ok(), "{}: {}", model.name(), compared.unwrap_err());
        }
    }
}

#[test]
fn claude_files_fetches_and_tools() {
    let (_, guard) = carry(
        Foreign::Claude,
        "settings.json",
        r#"{"permissions": {
            "allow": ["Edit(/docs/**)", "Read(//etc/hosts)", "WebFetch(domain:example.com)",
                      "mcp__github__get_*", "WebSearch"],
            "ask": ["Edit(/docs/api/**)", "WebFetch(domain:example.org)"],
            "deny": ["Read(.env)", "mcp__github__delete", "Edit(/docs/frozen.md)"] }}"#,
    );
    let edit = |path: &str| {
        tool(&guard, "Edit", json!({ "file_path": path, "old_string": "a", "new_string": "b" }))
    };
    let read = |path: &str| tool(&guard, "Read", json!({ "file_path": path }));
    let fetch = |url: &str| tool(&guard, "WebFetch", json!({ "url": url, "prompt": "x" }));
    assert_eq!(edit("/home/u/proj/docs/a.md"), ALLOW);
    assert_eq!(edit("/home/u/proj/docs/api/a.md"), ASK);
    assert_eq!(edit("/home/u/proj/docs/frozen.md"), DENY);
    assert_eq!(edit("/home/u/proj/src/a.rs"), ASK);
    assert_eq!(read("/home/u/proj/src/a.rs"), ALLOW);
    assert_eq!(read("/home/u/proj/.env"), DENY);
    assert_eq!(read("/home/u/proj/a/b/.env"), DENY);
    assert_eq!(read("/etc/hosts"), ALLOW);
    assert_eq!(read("/etc/passwd"), ASK);
    assert_eq!(fetch("https://example.com/x"), ALLOW);
    assert_eq!(fetch("https://example.org/x"), ASK);
    assert_eq!(tool(&guard, "mcp__github__get_issue", json!({})), ALLOW);
    assert_eq!(tool(&guard, "mcp__github__delete", json!({})), DENY);
    assert_eq!(tool(&guard, "WebSearch", json!({ "query": "x" })), ALLOW);
}

#[test]
fn opencode_files_are_decided_by_the_last_rule() {
    let (_, guard) = carry(
        Foreign::Opencode,
        "opencode.json",
        r#"{"permission": {"edit": {"*": "deny", "docs/*.md": "allow", "docs/secret*": "deny"},
                          "read": "allow", "webfetch": "ask"}}"#,
    );
    let write = |path: &str| tool(&guard, "write", json!({ "filePath": path, "content": "x" }));
    let read = |path: &str| tool(&guard, "read", json!({ "filePath": path }));
    assert_eq!(write("/home/u/proj/docs/a/b.md"), ALLOW);
    assert_eq!(write("/home/u/proj/docs/secret.md"), DENY);
    assert_eq!(write("/home/u/proj/src/a.rs"), DENY);
    assert_eq!(read("/home/u/proj/src/a.rs"), ALLOW);
    assert_ne!(read("/etc/shadow"), ALLOW, "paths outside the project are asked about");
}

#[test]
fn srt_opens_and_closes_by_depth() {
    let (_, guard) = carry(
        Foreign::Srt,
        "srt-settings.json",
        r#"{"filesystem": {"denyRead": ["/home"], "allowRead": ["."], "allowWrite": [".", "/srv/out"],
                          "denyWrite": ["config/production.json"]},
            "network": {"allowedDomains": ["example.com"], "deniedDomains": ["bad.example.com"]}}"#,
    );
    assert_eq!(line(&guard, "cat src/a.rs"), ALLOW);
    assert_eq!(line(&guard, "cat /home/u/other/x"), DENY);
    assert_eq!(line(&guard, "cat /usr/share/x"), ALLOW);
    assert_eq!(line(&guard, "touch src/new"), ALLOW);
    assert_eq!(line(&guard, "touch /srv/out/new"), ALLOW);
    assert_eq!(line(&guard, "touch /srv/new"), DENY);
    assert_eq!(line(&guard, "touch config/production.json"), DENY);
    assert_eq!(line(&guard, "touch .git/hooks/x"), DENY);
    assert_eq!(line(&guard, "curl https://example.com/x"), ALLOW);
    assert_eq!(line(&guard, "curl https://bad.example.com/x"), DENY);
    assert_eq!(line(&guard, "curl https://other.org/x"), DENY);
}

#[test]
fn an_srt_file_without_domains_reaches_nothing() {
    let (_, guard) =
        carry(Foreign::Srt, "s.json", r#"{"network": {"allowedDomains": []}, "filesystem": {}}"#);
    assert_eq!(line(&guard, "curl https://example.com/x"), DENY);
    assert_eq!(line(&guard, "touch x"), DENY);
    assert_eq!(line(&guard, "cat x"), ALLOW);
}

#[test]
fn codex_settings_confine_commands() {
    let (_, guard) = carry(
        Foreign::Codex,
        "config.toml",
        "sandbox_mode = \"workspace-write\"\n[sandbox_workspace_write]\nwritable_roots = [\"/srv/c\"]\n",
    );
    assert_eq!(line(&guard, "touch src/new"), ALLOW);
    assert_eq!(line(&guard, "touch /srv/c/new"), ALLOW);
    assert_eq!(line(&guard, "touch /srv/new"), ASK);
    assert_eq!(line(&guard, "touch .git/x"), ASK);
    assert_eq!(line(&guard, "curl https://example.com/x"), ASK);
    let never = "sandbox_mode = \"read-only\"\napproval_policy = \"never\"\n";
    let (_, guard) = carry(Foreign::Codex, "config.toml", never);
    assert_eq!(line(&guard, "cat x"), ALLOW);
    assert_eq!(line(&guard, "touch x"), DENY);
    assert_eq!(line(&guard, "curl https://example.com/x"), DENY);
}

#[test]
fn cursor_denies_come_first() {
    let (_, guard) = carry(
        Foreign::Cursor,
        "cli.json",
        r#"{"permissions": {"allow": ["Shell(git)", "Shell(npm:run test*)", "Read(src/**)"],
                           "deny": ["Shell(git:push*)", "Read(src/secret/**)"]}}"#,
    );
    assert_eq!(line(&guard, "git status"), ALLOW);
    assert_eq!(line(&guard, "git push origin"), DENY);
    assert_eq!(line(&guard, "npm run test --all"), ALLOW);
    assert_eq!(line(&guard, "npm run build"), ASK);
    assert_eq!(tool(&guard, "read_file", json!({ "path": "src/a.rs" })), ALLOW);
    assert_eq!(tool(&guard, "read_file", json!({ "path": "src/secret/a" })), DENY);
}

#[test]
fn the_examples_of_other_programs_decide_as_documented() {
    let (_, guard) = carry(
        Foreign::Hermes,
        "config.yaml",
        "model: x\ntools:\n  terminal:\n    enabled: true\n    allowed_paths: ['/srv/a']\n    timeout: 3\n",
    );
    assert_eq!(line(&guard, "cat /srv/a/x"), ALLOW);
    assert_eq!(line(&guard, "cat /srv/b/x"), DENY);
    let (_, guard) = carry(
        Foreign::Seal,
        "seal.toml",
        "schema_version = 1\n[model]\nname = \"x\"\n[capabilities.allow.commands]\npatterns = [\"cargo test:*\"]\n[security]\nallow_runtime_expansion = false\n",
    );
    assert_eq!(line(&guard, "cargo test --all"), ALLOW);
    assert_eq!(line(&guard, "cargo build"), DENY);
    let (imported, guard) = carry(
        Foreign::Mlld,
        "p.mld",
        "var @c = {\n  allow: [\"cmd:git:*\", \"fs:r:**/*.md\"],\n  deny: { sh: true },\n}\npolicy @p = union(@c)\n",
    );
    assert_eq!(line(&guard, "git status"), ALLOW);
    assert_eq!(line(&guard, "sh x.sh"), DENY);
    assert!(imported.text.contains("fs:r:@root/**/*.md"), "{}", imported.text);
    assert_eq!(tool(&guard, "read_file", json!({ "path": "/etc/motd.md" })), DENY);
}

#[test]
fn every_difference_has_its_place() {
    let text =
        "{\"permissions\": {\n  \"deny\": [\"Bash(curl * | sh)\",\n    \"Agent(Explore)\"]}}";
    let (imported, _) = carry(Foreign::Claude, "settings.json", text);
    let places: Vec<(u32, u32, &str, Way)> = imported
        .differences
        .iter()
        .filter(|own| own.line > 0)
        .map(|own| (own.line, own.column, own.rule.as_str(), own.way))
        .collect();
    let expected = [(2, 12, "Bash(curl * | sh)", Way::Wider), (3, 5, "Agent(Explore)", Way::Wider)];
    assert_eq!(places, expected);
}
