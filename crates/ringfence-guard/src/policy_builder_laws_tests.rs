//! Property: a policy with compiled-in tables decides like one that compiles every rule on this
//! host.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use ringfence_core::access::{Access, AccessKind, FileOp};
use ringfence_core::host::{Host, MemoryHost};
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Policy, Role};
use ringfence_manifest::{Format, NoLibrary, Source, builtin, profiles, read_with_tables};
use serde_json::{Value, json};

use super::PolicyBuilder;
use crate::call::{Action, Call};
use crate::case::{Case, PolicyText};
use crate::guard::{Guard, Judgement};

/// Two guards with the same documents.
struct Pair {
    /// Uses the compiled-in tables.
    by_tables: Guard,
    /// Compiled every rule on this host.
    compiled: Guard,
}

impl Pair {
    /// Compiles the policy both ways; `None` if it cannot be compiled.
    fn new(policy: &PolicyText, (host, context): (MemoryHost, Context)) -> Option<Pair> {
        let source =
            Source::new(policy.name.as_str(), policy.format, policy.text.as_str()).unwrap();
        let loaded = read_with_tables(&source, Role::Named, &NoLibrary).ok()?;
        let builder = PolicyBuilder::new().loaded(loaded);
        let documents = builder.documents();
        assert!(documents.iter().all(|document| document.tables.is_empty()));
        let compiled = Policy::compile(documents, builtin::danger_rules(), &context, &host);
        let by_tables = builder.build(&context, &host);
        assert_eq!(by_tables.is_ok(), compiled.is_ok(), "{}", policy.text);
        let host: Arc<dyn Host> = Arc::new(host);
        let guard = |policy| Guard::new(policy, Arc::clone(&host), context.clone());
        Some(Pair { by_tables: guard(by_tables.ok()?.policy), compiled: guard(compiled.ok()?) })
    }

    /// Asserts that both guards decide the call alike, with the same grounds. Returns the
    /// judgement.
    fn check(&self, call: &Call, what: &str) -> Judgement {
        let (tables, compiled) = (self.by_tables.consider(call), self.compiled.consider(call));
        assert_eq!(tables.verdict.effect, compiled.verdict.effect, "{what}");
        assert_eq!(tables.doubts, compiled.doubts, "{what}");
        let parts = |judgement: &Judgement| -> Vec<(String, BTreeSet<String>)> {
            let grounds = |own: &ringfence_core::Verdict| {
                own.grounds.iter().map(|ground| format!("{ground} {:?}", ground.effect())).collect()
            };
            let parts = judgement.parts();
            parts.map(|part| (format!("{:?}", part.access), grounds(part.verdict))).collect()
        };
        assert_eq!(parts(&tables), parts(&compiled), "{what}");
        tables.parts().for_each(|part| self.check_questions(part.access, what));
        tables
    }

    /// Asserts that both guards answer questions about paths and programs alike.
    fn check_questions(&self, access: &Access, what: &str) {
        let (tables, compiled) = (self.by_tables.policy(), self.compiled.policy());
        let places = |policy: &Policy| -> BTreeSet<String> {
            let places = policy.file_places(access);
            let text = |own: ringfence_core::judge::RulePlace<'_>| {
                let origin = &own.rule.origin;
                format!(
                    "{:?} {:?} {} {:?} {:?} {origin}",
                    own.kind, own.role, own.literal, own.rest, own.rights
                )
            };
            places.map(text).collect()
        };
        assert_eq!(places(&tables), places(&compiled), "{what}");
        let stands = |policy: &Policy| -> BTreeSet<String> {
            policy.rules_with_kind(access).map(|own| format!("{own:?}")).collect()
        };
        assert_eq!(stands(&tables), stands(&compiled), "{what}");
        assert_eq!(tables.has_stance(access), compiled.has_stance(access), "{what}");
        assert_eq!(tables.lacks_grant(access), compiled.lacks_grant(access), "{what}");
        assert_eq!(
            tables.allows_every_command(access),
            compiled.allows_every_command(access),
            "{what}"
        );
        for op in [FileOp::Read, FileOp::Write, FileOp::Delete] {
            for with_danger in [false, true] {
                assert_eq!(tables.floats(op, with_danger), compiled.floats(op, with_danger));
            }
        }
        let AccessKind::Exec(exec) = &access.what else { return };
        for name in exec.program.names() {
            assert_eq!(tables.objects_to_program(name), compiled.objects_to_program(name));
            assert_eq!(tables.narrows_program(name), compiled.narrows_program(name));
        }
    }
}

fn corpus() -> impl Iterator<Item = Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let texts = ["benign.jsonl", "attacks.jsonl"]
        .map(|name| fs::read_to_string(folder.join(name)).unwrap());
    let lines = texts.iter().flat_map(|text| text.lines());
    let cases: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    cases.into_iter()
}

/// Returns a policy that extends every profile.
fn every_profile() -> PolicyText {
    let extends: Vec<String> = profiles::names().map(|name| format!("@{name}")).collect();
    let policy = json!({ "extends": extends, "default": "ask" });
    PolicyText { text: policy.to_string(), format: Format::Json, ..PolicyText::default() }
}

#[test]
fn the_corpus_is_decided_alike() {
    for crowded in [false, true] {
        let mut decided = 0;
        let read = |value: Value| match crowded {
            true => Case::read_for(&value, every_profile()).ok(),
            false => Case::read(&value).ok(),
        };
        for case in corpus().filter_map(read).step_by(if crowded { 4 } else { 1 }) {
            let Some(pair) = Pair::new(case.policy(), case.described()) else { continue };
            pair.check(&case.call, &case.id.to_string());
            decided += 1;
        }
        assert!(decided > 40, "{decided} calls were decided");
    }
}

#[test]
fn calls_that_match_built_in_rules_are_decided_alike() {
    let mut patterns: BTreeSet<String> = builtin::danger_entries()
        .chain(builtin::protected_entries())
        .flat_map(|entry| [entry.pattern()].into_iter().chain(entry.except()).collect::<Vec<_>>())
        .map(str::to_owned)
        .collect();
    for profile in profiles::names().filter_map(profiles::get) {
        let rules = profile.document(Role::User).rules;
        patterns.extend(rules.iter().map(|rule| rule.pattern.to_string()));
    }
    let pair = Pair::new(&every_profile(), world(&[])).unwrap();
    let linked = Pair::new(&every_profile(), world(&LINKS[..4])).unwrap();
    let calls: Vec<Call> = patterns.iter().flat_map(|pattern| calls_about(pattern)).collect();
    assert!(calls.len() > 1000, "{}", calls.len());
    for call in &calls {
        pair.check(call, &format!("{call:?}"));
        linked.check(call, &format!("{call:?} with links"));
    }
}

/// Returns calls that match a pattern: its text with the wildcards filled in.
fn calls_about(pattern: &str) -> Vec<Call> {
    let mut text = pattern.replace("**", "some/where").replace('*', "one").replace('?', "x");
    for (anchor, path) in [
        ("@root", "/home/u/proj"),
        ("@tmp", "/tmp"),
        ("@cwd", "/home/u/proj"),
        ("@system", "/usr"),
        ("~", "/home/u"),
    ] {
        text = text.replace(anchor, path);
    }
    let action = match text.split_once(':') {
        Some(("cmd", words)) => {
            let argv = words.split(':').map(str::to_owned).collect();
            vec![Action::Argv { argv, env: Vec::new() }]
        }
        Some(("fs", rest)) => {
            let path = rest.split_once(':').map_or(rest, |(_, path)| path);
            let path = path.trim_start_matches("some/where/");
            let path = if path.starts_with('/') { path.to_owned() } else { format!("/srv/{path}") };
            let text = |right| format!("fs:{right}:{path}");
            ["r", "w", "d"].map(|right| Action::Access { text: text(right) }).into()
        }
        _ => vec![Action::Access { text }],
    };
    action.into_iter().map(Call::new).collect()
}

const LINES: [&str; 28] = [
    "git status && ls -la",
    "git push --force",
    "git -c core.pager=x log",
    "cat a/b ~/.ssh/id_rsa",
    "cat /srv/x/one.txt",
    "cat secret",
    "/usr/bin/git log",
    "./git status",
    "FOO=1 git diff",
    "LD_PRELOAD=/x git diff",
    "echo $FOO $AWS_SECRET_ACCESS_KEY",
    "cat $PLACE/b",
    "ls | xargs cat",
    "find . -name '*.rs'",
    "grep -r word .",
    "rm -rf a",
    "rm -rf ~ /",
    "cp a b/c",
    "curl https://example.com/x",
    "wget http://api.example.com",
    "bash -c 'cat a'",
    "env git status",
    "sudo ls",
    "echo hi > b/out",
    "echo x >> ~/.bashrc",
    "touch .git/hooks/pre-commit .vscode/tasks.json",
    "docker run -v /:/host x",
    "cargo build && npm install && pip install y",
];

/// Drawn symlinks and their targets.
const LINKS: [(&str, &str); 9] = [
    ("/home/u/proj/secret", "/home/u/secret/key"),
    ("/home/u/secret", "/home/u/proj/a"),
    ("/home/u/.ssh", "/srv/x"),
    ("/home/u/.config", "/home/u/proj/b"),
    ("/srv/x", "/home/u/proj/b"),
    ("/home/u/proj/a", "/etc"),
    ("/home/u/proj/b", "../../../srv"),
    ("/usr/bin/git", "/opt/git/bin/git"),
    ("/home/u/proj/.git", "/home/u/gits/proj"),
];

const RULES: [&str; 24] = [
    "cmd:git:*",
    "cmd:{git,ls}:*",
    "cmd:g*:*",
    "cmd:*",
    "cmd:/opt/**:*",
    "cmd:cat:@root/**",
    "cmd:rm:*",
    "sh",
    "fs:rw:@root/**",
    "fs:r:@root/a/**",
    "fs:w:@root/b/**",
    "fs:r:~/**",
    "fs:r:~/.ssh/**",
    "fs:rw:/srv/**",
    "fs:r:**/.env",
    "fs:r:**/*.pem",
    "fs:r:{/etc,/usr}/**",
    "fs:d:@root/**",
    "fs:rw:@tmp/**",
    "fs:r:/**",
    "env:*",
    "env:LD_*",
    "net:*",
    "tool:*",
];

fn rule() -> impl Strategy<Value = Value> {
    let scope = select(vec![
        json!({}),
        json!({}),
        json!({ "command": ["git:*"] }),
        json!({ "agent": "claude-code" }),
        json!({ "until": "2020-01-01" }),
    ]);
    (select(RULES.to_vec()), scope).prop_map(|(pattern, mut table)| {
        table.as_object_mut().unwrap().insert("pattern".to_owned(), pattern.into());
        table
    })
}

fn document() -> impl Strategy<Value = Value> {
    let names: Vec<String> = profiles::names().map(|name| format!("@{name}")).collect();
    let list = || vec(rule(), 0..5);
    let default = select(vec!["ask", "deny"]);
    let lists = (list(), list(), list(), list(), list());
    (subsequence(names, 0..4), default, lists, any::<bool>()).prop_map(
        |(profiles, default, (allow, ask, deny, danger, dangerous), ceiling)| {
            let mut document = json!({
                "extends": profiles, "default": default, "allow": allow, "ask": ask,
                "deny": deny, "danger": danger, "danger_list": dangerous,
            });
            if ceiling {
                document["ceiling"] = json!([{ "pattern": "cmd:*" }, "fs:rw:@root/**"]);
            }
            document
        },
    )
}

fn world(links: &[(&str, &str)]) -> (MemoryHost, Context) {
    let path = |text: &str| AbsPath::new(text).unwrap();
    let mut host = MemoryHost::new();
    for file in ["proj/a/b", "proj/b/c", "proj/.env", ".ssh/id_rsa", "secret/key"] {
        host.add_file(&path(&format!("/home/u/{file}")), "");
    }
    for file in ["/srv/x/one.txt", "/etc/hosts", "/opt/git/bin/git"] {
        host.add_file(&path(file), "");
    }
    for program in ["git", "ls", "cat", "grep", "rm", "cp", "find", "bash", "env", "curl", "xargs"]
    {
        host.add_file(&path(&format!("/usr/bin/{program}")), "");
    }
    links.iter().for_each(|(from, to)| host.add_link(&path(from), to));
    let project = path("/home/u/proj");
    let today = Date::new(2026, 11, 15).unwrap();
    (host, Context::new(Some(project.clone()), path("/home/u"), project, today))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn drawn_lines_are_decided_alike(
        document in document(),
        links in subsequence(LINKS.to_vec(), 0..5),
        lines in vec(select(LINES.to_vec()), 1..5),
    ) {
        let policy = PolicyText {
            text: document.to_string(), format: Format::Json, ..PolicyText::default()
        };
        if let Some(pair) = Pair::new(&policy, world(&links)) {
            for line in lines {
                let action = Action::Line { line: line.to_owned(), shell: None };
                let call = Call { agent: Some("claude-code".into()), ..Call::new(action) };
                pair.check(&call, &format!("{line}: {document} {links:?}"));
            }
        }
    }
}

#[test]
fn a_deny_rule_without_a_place_stops_everything() {
    let policy = json!({ "allow": ["cmd:*", "fs:rw:/**"], "deny": ["fs:r:${UNSET}/x"] });
    let policy = PolicyText { text: policy.to_string(), format: Format::Json, ..every_profile() };
    assert!(Pair::new(&policy, world(&[])).is_none());
}
