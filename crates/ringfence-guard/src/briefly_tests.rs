use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Date, Role};
use ringfence_manifest::{Format, NoLibrary, Source, read_with_gaps};
use serde_json::{Value, json};

use super::*;
use crate::call::Action;
use crate::case::{Case, PolicyText, described_guard};

/// Every profile, and rules that hardly any line meets.
fn crowded() -> PolicyText {
    let mut allow = Vec::new();
    for number in 0..40 {
        allow.push(format!("cmd:tool{number}:run:*"));
        allow.push(format!("fs:r:/srv/data{number}/**"));
        allow.push(format!("fs:w:@root/out{number}/**"));
        allow.push(format!("net:host{number}.example"));
        allow.push(format!("env:SETTING_{number}"));
    }
    let extends = ["@workspace", "@git", "@rust", "@node", "@python", "@go", "@docker"];
    let policy = json!({ "extends": extends, "default": "ask", "allow": allow });
    PolicyText { text: policy.to_string(), ..PolicyText::default() }
}

fn corpus() -> impl Iterator<Item = Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let texts = ["benign.jsonl", "attacks.jsonl"]
        .map(|name| fs::read_to_string(folder.join(name)).unwrap());
    let lines = texts.iter().flat_map(|text| text.lines());
    let cases: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    cases.into_iter()
}

/// What the whole policy and a few of its rules say of a call.
struct Both {
    whole: Judgement,
    brief: Option<Judgement>,
}

fn judge(
    policy: &PolicyText,
    call: &Call,
    (host, context): (MemoryHost, Context),
) -> Result<Both, String> {
    let source = Source::new(policy.name.as_str(), policy.format, policy.text.as_str());
    let source = source.map_err(|errors| errors.to_string())?;
    let loaded = read_with_gaps(&source, Role::Named, &NoLibrary);
    let found = Documents::of(source, loaded.map_err(|errors| errors.to_string())?);
    let host = Arc::new(host);
    let brief = consider_briefly(call, &found, &host, &context);
    let guard = described_guard(policy, context, host);
    match guard {
        Ok(guard) => Ok(Both { whole: guard.consider(call), brief }),
        // A policy that cannot be compiled decides nothing.
        Err(error) => {
            assert!(brief.is_none(), "{error}: {policy:?} {call:?}");
            Err(error)
        }
    }
}

impl Both {
    /// A yes is the yes of the whole policy: for the same accesses, for reasons that it has too.
    fn check(&self, what: &str) {
        let Some(brief) = &self.brief else { return };
        let whole = &self.whole;
        assert_eq!(whole.verdict.effect, Effect::Allow, "{what}: {:?}", whole.verdict.grounds);
        assert!(brief.doubts.is_empty() == whole.doubts.is_empty(), "{what}");
        let described = |judgement: &Judgement| -> Vec<String> {
            judgement.parts().map(|part| format!("{:?}", part.access)).collect()
        };
        assert_eq!(described(brief), described(whole), "{what}");
        for (brief, whole) in brief.parts().zip(whole.parts()) {
            let grounds = |part: crate::guard::Part<'_>| -> BTreeSet<String> {
                part.verdict.grounds.iter().map(ToString::to_string).collect()
            };
            let (few, all) = (grounds(brief), grounds(whole));
            assert!(few.is_subset(&all), "{what}: {few:?} {all:?}");
            assert!(!few.is_empty(), "{what}");
        }
    }
}

#[test]
fn in_the_corpus_a_yes_by_few_rules_is_the_yes_of_all() {
    check_corpus(|value| Case::read(value).ok());
}

#[test]
fn with_many_rules_a_yes_by_few_is_the_yes_of_all_and_nearly_every_yes_is_found_so() {
    check_corpus(|value| Case::read_for(value, crowded()).ok());
}

/// Compares the two ways; a yes that is not found by few rules must be rare.
fn check_corpus(read: impl Fn(&Value) -> Option<Case>) {
    let (mut allowed, mut brief) = (0, 0);
    for case in corpus().filter_map(|value| read(&value)) {
        let Ok(both) = judge(case.policy(), &case.call, case.described()) else { continue };
        both.check(&case.id.to_string());
        allowed += usize::from(both.whole.verdict.effect == Effect::Allow);
        brief += usize::from(both.brief.is_some());
    }
    assert!(allowed > 50, "{allowed} calls were allowed");
    assert!(brief * 100 >= allowed * 95, "{brief} of {allowed} calls were allowed by few rules");
}

const RULES: [&str; 40] = [
    "cmd:git:*",
    "cmd:git:status",
    "cmd:{git,ls}:*",
    "cmd:g*:*",
    "cmd:*",
    "cmd:ls:-la",
    "cmd:/usr/bin/git:*",
    "cmd:/opt/**:*",
    "cmd:cat:*",
    "cmd:cat:@root/**",
    "cmd:xargs:cat:*",
    "cmd:rm:*",
    "cmd:tee:*",
    "sh",
    "fs:r:@root/**",
    "fs:rw:@root/**",
    "fs:r:@root/a",
    "fs:r:@root/a/**",
    "fs:w:@root/b/**",
    "fs:r:~/**",
    "fs:r:~/.ssh/**",
    "fs:r:~/secret/**",
    "fs:rw:/srv/**",
    "fs:rw:/srv/x/*.txt",
    "fs:r:**/.env",
    "fs:r:**/*.pem",
    "fs:r:{/etc,/usr}/**",
    "fs:d:@root/**",
    "fs:rw:@tmp/**",
    "fs:r:/**",
    "env:FOO",
    "env:*",
    "env:LD_*",
    "net:example.com",
    "net:*.example.com:443",
    "net:*",
    "tool:Read",
    "tool:*",
    "mcp:files/*",
    "mcp:*/read",
];

const LINES: [&str; 24] = [
    "git status",
    "git status && ls -la",
    "cat a",
    "cat a/b ~/.ssh/id_rsa",
    "cat /srv/x/one.txt",
    "cat secret",
    "/usr/bin/git log",
    "./git status",
    "FOO=1 git diff",
    "LD_PRELOAD=/x git diff",
    "echo $FOO",
    "cat $PLACE/b",
    "ls | xargs cat",
    "find . -name '*.rs'",
    "grep -r word .",
    "rm -rf a",
    "rm b/c",
    "cp a b/c",
    "curl https://example.com/x",
    "wget http://api.example.com",
    "bash -c 'cat a'",
    "env git status",
    "sudo ls",
    "echo hi > b/out",
];

/// Where links may lead.
const LINKS: [(&str, &str); 7] = [
    ("/home/u/proj/secret", "/home/u/secret/key"),
    ("/home/u/secret", "/home/u/proj/a"),
    ("/home/u/.ssh", "/srv/x"),
    ("/srv/x", "/home/u/proj/b"),
    ("/home/u/proj/a", "/etc"),
    ("/home/u/proj/b", "../../../srv"),
    ("/usr/bin/git", "/opt/git/bin/git"),
];

fn rule() -> impl Strategy<Value = Value> {
    let scope = select(vec![
        json!({}),
        json!({}),
        json!({}),
        json!({ "command": ["git:*"] }),
        json!({ "tool": "terminal" }),
        json!({ "agent": "claude-code" }),
        json!({ "agent": "other" }),
        json!({ "until": "2020-01-01" }),
    ]);
    (select(RULES.to_vec()), scope).prop_map(|(pattern, mut table)| {
        table.as_object_mut().unwrap().insert("pattern".to_owned(), pattern.into());
        table
    })
}

fn document() -> impl Strategy<Value = Value> {
    let profiles =
        subsequence(vec!["@workspace", "@git", "@docker", "@claude", "@readonly", "@strict"], 0..3);
    let list = || vec(rule(), 0..5);
    let default = select(vec!["ask", "deny"]);
    let lists = (list(), list(), list(), list(), list(), list());
    (profiles, default, lists, any::<bool>()).prop_map(|(profiles, default, lists, ceiling)| {
        let (allow, more, ask, deny, danger, dangerous) = lists;
        let allow = [allow, more].concat();
        let mut document = json!({
            "extends": profiles, "default": default, "allow": allow, "ask": ask, "deny": deny,
            "danger": danger, "danger_list": dangerous,
        });
        if ceiling {
            document["ceiling"] = json!([{ "pattern": "cmd:*" }, { "pattern": "fs:rw:@root/**" }]);
        }
        document
    })
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
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_yes_by_few_rules_is_the_yes_of_all(
        document in document(),
        links in subsequence(LINKS.to_vec(), 0..4),
        lines in vec(select(LINES.to_vec()), 1..4),
    ) {
        let policy = PolicyText { text: document.to_string(), ..PolicyText::default() };
        for line in lines {
            let action = Action::Line { line: line.to_owned(), shell: None };
            let call = Call { agent: Some("claude-code".into()), ..Call::new(action) };
            let both = judge(&policy, &call, world(&links));
            if let Ok(both) = both {
                both.check(&format!("{line}: {document} {links:?}"));
            }
        }
    }
}

#[test]
fn a_deny_rule_without_a_place_stops_everything() {
    let policy = json!({ "allow": ["cmd:*", "fs:rw:/**"], "deny": ["fs:r:${UNSET}/x"] });
    let policy = PolicyText { text: policy.to_string(), format: Format::Json, ..crowded() };
    let call = Call::new(Action::Line { line: "ls".to_owned(), shell: None });
    assert!(judge(&policy, &call, world(&[])).is_err());
}
