//! Official synonyms: a rule that objects to one name of a command applies to all its names.

use std::path::PathBuf;

use proptest::prelude::*;
use ringfence_core::program::{Catalogue, WordRole};
use ringfence_guard::case::{Case, Cases};
use ringfence_manifest::catalogue::{self, BuiltIn};
use serde_json::{Value, json};

/// A pair of spellings: the denied one, and the one that is run.
struct Pair {
    program: String,
    denied: String,
    run: String,
}

/// Returns the pairs in `tests/corpus/aliases.txt`.
fn listed() -> Vec<Pair> {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "../../tests/corpus/aliases.txt"].iter().collect();
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut pairs = Vec::new();
    for line in lines {
        let (program, rest) = line.split_once(": ").unwrap();
        let mut add = |denied: &str, run: &str| {
            let [program, denied, run] = [program, denied, run].map(str::to_owned);
            pairs.push(Pair { program, denied, run });
        };
        if let Some((run, denied)) = rest.split_once(" > ") {
            add(denied, run);
            continue;
        }
        let (first, others) = rest.split_once(" = ").unwrap();
        for other in others.split(" = ") {
            add(first, other);
            add(other, first);
        }
    }
    pairs
}

fn escaped(word: &str) -> String {
    word.replace(':', "\\:").replace('[', "\\[").replace('*', "\\*")
}

/// Returns a policy that allows everything of the program except `denied`.
fn policy(program: &str, denied: Option<&str>) -> Value {
    let pattern = |denied: &str| {
        let words = denied.split(' ').map(escaped).collect::<Vec<_>>().join(":");
        match denied.starts_with("--") {
            true => format!("cmd:{program}:*:{words}"),
            false => format!("cmd:{program}:{words}:*"),
        }
    };
    let any = format!("cmd:{}:*", escaped(program));
    json!({
        "allow": [any, "fs:rw:@root/**", "net:*", "sock:@docker"],
        "danger": [any, "sock:@docker"],
        "deny": denied.map(pattern).into_iter().collect::<Vec<_>>(),
    })
}

fn case(program: &str, denied: Option<&str>, run: &str, accept: &[&str]) -> Case {
    let action = json!({ "tool": "terminal", "command": format!("{program} {run}") });
    let policy = policy(program, denied);
    Case::read(&json!({ "policy": policy, "action": action, "accept": accept })).unwrap()
}

#[test]
fn a_denial_meets_every_documented_synonym() {
    let pairs = listed();
    let mut cases = Cases::default();
    let mut wrong = Vec::new();
    for Pair { program, denied, run } in &pairs {
        if cases.mismatch(&case(program, Some(denied), run, &["deny"])).is_some() {
            wrong.push(format!("`{program} {run}` passes a denial of `{program} {denied}`"));
        }
    }
    assert!(pairs.len() > 400, "only {} pairs", pairs.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}

/// Subcommands that share a catalogue entry without being the same.
#[test]
fn a_grant_of_a_subcommand_does_not_cover_others_with_the_same_entry() {
    let alike = [
        ("brew", "list", "uninstall x"),
        ("systemctl", "start", "poweroff"),
        ("apt-get", "show", "moo"),
        ("apt", "remove", "clean"),
        ("ip", "addr", "route del x"),
        ("tmux", "list-sessions", "list-keys"),
        ("pass", "ls", "rm x"),
        ("openssl", "version", "passwd x"),
        ("7z", "l", "t x"),
    ];
    let mut cases = Cases::default();
    for (program, granted, run) in alike {
        let policy = json!({
            "allow": [format!("cmd:{program}:{granted}:*"), "fs:rw:@root/**", "net:*"],
            "danger": [format!("cmd:{program}:*")],
        });
        let action = json!({ "tool": "terminal", "command": format!("{program} {run}") });
        let case = json!({ "policy": policy, "action": action, "accept": ["deny", "ask"] });
        let mismatch = cases.mismatch(&Case::read(&case).unwrap());
        assert_eq!(mismatch, None, "{program} {run} by a grant of {granted}");
    }
}

/// Every command that an alias stands for has a catalogue entry.
#[test]
fn aliases_name_commands_with_a_catalogue_entry() {
    let mut said = 0;
    for name in catalogue::names() {
        let entry = BuiltIn::shared().entry(name).unwrap();
        let whens = entry.when.iter().flat_map(|when| &when.always);
        for given in entry.always.iter().chain(whens).filter(|own| own.role == WordRole::Is) {
            said += 1;
            let words = given.text.split(' ').take_while(|word| !word.starts_with('-'));
            let words: Vec<&str> = words.collect();
            let known = BuiltIn::shared().entry(&words.join(" ")).is_some();
            // A subcommand may be listed under another name.
            let program = BuiltIn::shared().entry(words[0]);
            let by_name = program
                .is_some_and(|own| words.get(1).is_none_or(|sub| own.subs.named(sub).is_some()));
            assert!(known || by_name, "`{name}` is said to be `{}`", given.text);
        }
    }
    assert!(said > 100, "only {said}");
}

/// A rule on one name of a program applies to all its names, for deny and ask rules.
#[test]
fn a_rule_meets_every_name_of_a_program() {
    let release = |name: &str| name.contains(|c: char| c.is_ascii_digit());
    let mut cases = Cases::default();
    let (mut pairs, mut wrong) = (0, Vec::new());
    for name in catalogue::names().filter(|name| !name.contains(' ')) {
        let entry = BuiltIn::shared().entry(name).unwrap();
        if entry.builtin {
            continue;
        }
        let all = std::iter::once(&entry.name).chain(&entry.names).filter(|own| !release(own));
        let all: Vec<&str> = all.map(|own| &**own).collect();
        let each = all.iter().flat_map(|one| all.iter().map(move |other| (one, other)));
        for (one, other) in each.filter(|(one, other)| one != other) {
            for (effect, accept) in [("deny", "deny"), ("ask", "ask")] {
                let mut policy = policy(one, None);
                policy["allow"] = json!(["cmd:*", "fs:rw:**", "net:*", "env:*"]);
                policy["danger"] = json!(["cmd:*", "fs:rw:**"]);
                policy["deny"] = json!([]);
                policy[effect] = json!([format!("cmd:{one}:*")]);
                let action = json!({ "tool": "terminal", "command": format!("{other} x") });
                let accept =
                    if accept == "deny" { json!(["deny"]) } else { json!(["ask", "deny"]) };
                let case = json!({ "policy": policy, "action": action, "accept": accept });
                pairs += 1;
                if cases.mismatch(&Case::read(&case).unwrap()).is_some() {
                    wrong.push(format!("`{other}` passes a rule that {effect}s `{one}`"));
                }
            }
        }
    }
    assert!(pairs > 200, "only {pairs}");
    assert!(wrong.is_empty(), "{} of {pairs}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Draws a subcommand with several names, and two of the names.
fn names() -> impl Strategy<Value = (String, String, String)> {
    let mut all = Vec::new();
    for name in catalogue::names().filter(|name| !name.contains(' ')) {
        let entry = BuiltIn::shared().entry(name).unwrap();
        // Words that a shell or an option parser reads in another way.
        if entry.builtin || matches!(name, "git" | "ringfence") {
            continue;
        }
        for sub in entry.subs.iter().filter(|sub| sub.names.len() > 1) {
            let plain = |own: &&str| own.starts_with(|c: char| c.is_ascii_alphabetic());
            let names: Vec<String> =
                sub.names.iter().map(|own| &**own).filter(plain).map(str::to_owned).collect();
            for one in &names {
                for other in names.iter().filter(|other| *other != one) {
                    all.push((name.to_owned(), one.clone(), other.clone()));
                }
            }
        }
    }
    proptest::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_denial_meets_every_name_of_a_subcommand((program, denied, run) in names()) {
        let case = case(&program, Some(&denied), &run, &["deny"]);
        prop_assert_eq!(Cases::default().mismatch(&case), None, "{} {} as {}", program, denied, run);
    }

    /// Property: an unknown program's argument with a path outside the grant is found wherever in
    /// the word the path stands.
    #[test]
    fn a_path_outside_is_seen_in_any_word_of_an_unknown_program(
        before in "(--?[a-z]{1,8}[=@:]{1,2}|[a-z]{1,6}[:@=,({<|\"]|'|)",
        path in proptest::sample::select(vec![
            "/home/u/.ssh/id_rsa", "/etc/shadow", "../other/secret.txt", "/home/u/other/x",
        ]),
        behind in "(|[})>\"|,;:][a-z]{0,4})",
    ) {
        let word = format!("{before}{path}{behind}").replace('\'', "'\\''");
        let line = format!("unheardof run '{word}'");
        let policy = json!({ "allow": ["cmd:*", "fs:rw:@root/**"] });
        let action = json!({ "tool": "terminal", "command": line });
        let case = json!({ "policy": policy, "action": action, "accept": ["deny", "ask"] });
        let case = Case::read(&case).unwrap();
        prop_assert_eq!(Cases::default().mismatch(&case), None, "{}", line);
    }
}
