//! Runs the example lines of every entry in the program catalogue.

use ringfence_core::program::Catalogue;
use ringfence_guard::case::{Case, Cases};
use ringfence_manifest::catalogue::{self, BuiltIn, Lines};
use serde_json::{Value, json};

/// Returns the policy for an entry's lines: the program with any arguments, the project, `/tmp` and
/// one host. Deleting with `rm` is denied.
fn policy(name: &str, lines: &Lines) -> Value {
    let program = name.split(' ').next().unwrap();
    let entry = BuiltIn::shared().entry(program).unwrap();
    let others = entry.names.iter().map(|name| &**name);
    // Programs that share the entry, if its lines use them.
    let words = lines.benign.iter().chain(&lines.hostile).flat_map(|line| line.split([' ', '\'']));
    let is_alike = |word: &&str| {
        *word != program && BuiltIn::shared().entry(word).is_some_and(|own| own.name == entry.name)
    };
    let names = others.chain(words.filter(is_alike)).chain([program, "echo", "cat", "head"]);
    let mut allow: Vec<String> = names.map(pattern).collect();
    let usual = ["fs:r:@root/**", "fs:w:@root/**", "fs:w:/tmp/**", "net:api.example.com"];
    allow.extend(usual.iter().map(ToString::to_string));
    let own = catalogue::lines(program).unwrap().grants;
    allow.extend(lines.grants.iter().cloned().chain(own));
    json!({ "allow": allow, "deny": ["cmd:rm:*"] })
}

#[test]
fn every_entry_decides_its_own_lines() {
    let mut cases = Cases::default();
    let (mut tried, mut wrong) = (0, Vec::new());
    for name in catalogue::names() {
        let lines = catalogue::lines(name).unwrap();
        let policy = policy(name, &lines);
        // Benign lines of programs on the danger list need an opt-in.
        let program = name.split(' ').next().unwrap();
        let mut opted_in = policy.clone();
        opted_in["danger"] = json!([pattern(program)]);
        let benign = lines.benign.iter().map(|line| (line, vec!["allow"], &opted_in));
        let hostile = lines.hostile.iter().map(|line| (line, vec!["ask", "deny"], &policy));
        for (line, accept, policy) in benign.chain(hostile) {
            let action = json!({ "tool": "terminal", "command": line });
            let setup = json!({ "files": {
                "/home/u/proj/scripts/build.sh": "echo built\n",
                "/home/u/proj/scripts/env.sh": "echo set\n",
            } });
            let case = json!({
                "policy": policy, "action": action, "accept": accept, "setup": setup,
            });
            let case = Case::read(&case).unwrap();
            tried += 1;
            if let Some(mismatch) = cases.mismatch(&case) {
                wrong.push(format!("{name}: {line}\n    {mismatch}"));
            }
        }
    }
    assert!(tried > 400, "only {tried} lines");
    assert!(wrong.is_empty(), "{} of {tried} lines:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the pattern of a program with any arguments.
fn pattern(program: &str) -> String {
    format!("cmd:{}:*", program.replace(':', "\\:").replace('[', "\\["))
}
