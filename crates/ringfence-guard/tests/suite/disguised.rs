//! Rewrites the words of the catalogue's hostile lines: an unknown word must never be milder than
//! the word itself.

use ringfence_core::Effect;
use ringfence_core::program::Catalogue;
use ringfence_guard::case::{Case, Cases};
use ringfence_manifest::catalogue::{self, BuiltIn};
use serde_json::{Value, json};

/// Forms that the line itself computes. `W` is the word; `BEFORE` and `AFTER` are the others.
const COMPUTED: [&str; 14] = [
    "BEFORE $(echo W) AFTER",
    "BEFORE \"$(printf %s W)\" AFTER",
    "BEFORE `printf '%s\\n' W` AFTER",
    "x=W; BEFORE $x AFTER",
    "x=yW; BEFORE \"${x#y}\" AFTER",
    "x=W/z; BEFORE \"${x%/z}\" AFTER",
    "x=yW; BEFORE \"${x:1}\" AFTER",
    "a=(y W); BEFORE \"${a[@]:1}\" AFTER",
    "read -r x <<< W; BEFORE \"$x\" AFTER",
    "printf -v x %s W; BEFORE \"$x\" AFTER",
    "set -- W; BEFORE \"$@\" AFTER",
    "f() { BEFORE \"$1\" AFTER; }; f W",
    "for x in W; do BEFORE \"$x\" AFTER; done",
    "x=$(echo W); BEFORE $x AFTER",
];

/// Forms with an unknown value. They must not be allowed if the word itself is not.
const UNKNOWN: [&str; 4] = [
    "BEFORE $(git config x.y) AFTER",
    "BEFORE \"$(./print)\" AFTER",
    "read -r x < words; BEFORE \"$x\" AFTER",
    "x=$(./print); BEFORE $x AFTER",
];

fn policy(program: &str) -> Value {
    let entry = BuiltIn::shared().entry(program).unwrap();
    let own = entry.names.iter().map(|name| &**name).chain([program]);
    let others = ["echo", "printf", "read", "set", "git", "./print"];
    let commands = own
        .chain(others)
        .map(|name| format!("cmd:{}:*", name.replace(':', "\\:").replace('[', "\\[")));
    let files = ["fs:r:**", "fs:w:@root/**"].map(str::to_owned);
    json!({ "allow": commands.chain(files).collect::<Vec<_>>(), "deny": ["cmd:rm:*"], "danger": ["fs:r:**"] })
}

/// Returns the words of a line if its options are plain words.
fn words(line: &str) -> Option<Vec<&str>> {
    let plain = |c: char| c.is_ascii_alphanumeric() || " -_=./:,@%+".contains(c);
    line.chars().all(plain).then(|| line.split(' ').filter(|word| !word.is_empty()).collect())
}

#[test]
fn a_rewritten_word_is_not_milder() {
    let mut cases = Cases::default();
    let (mut tried, mut wrong) = (0, Vec::new());
    for name in catalogue::names() {
        let program = name.split(' ').next().unwrap();
        let policy = policy(program);
        let mut judge = |line: &str| {
            let action = json!({ "tool": "terminal", "command": line });
            let case = json!({ "policy": policy, "action": action, "accept": ["deny"] });
            let case = Case::read(&case).unwrap();
            let guard = cases.guard(&case).unwrap();
            guard.consider(&case.call).verdict.effect
        };
        for line in catalogue::lines(name).unwrap().hostile {
            let Some(words) = words(&line) else { continue };
            let plain = judge(&line);
            for (at, word) in words.iter().enumerate().skip(1) {
                // The word itself makes the line hostile, together with its value.
                let without: Vec<&str> = words
                    .iter()
                    .enumerate()
                    .filter(|(own, _)| *own != at)
                    .map(|(_, w)| *w)
                    .collect();
                let of_echo = ["-e", "-n", "-E"].contains(word);
                if of_echo
                    || !word.starts_with('-')
                    || plain == Effect::Allow
                    || judge(&without.join(" ")) != Effect::Allow
                {
                    continue;
                }
                let (before, after) = (words[..at].join(" "), words[at + 1..].join(" "));
                let fill = |form: &str| {
                    form.replace("BEFORE", &before).replace("AFTER", &after).replace('W', word)
                };
                let forms = COMPUTED.map(|form| (form, plain)).into_iter();
                let forms = forms.chain(UNKNOWN.map(|form| (form, plain.min(Effect::Ask))));
                for (form, least) in forms {
                    tried += 1;
                    let line = fill(form);
                    let effect = judge(&line);
                    if effect < least.min(Effect::Ask) || form.starts_with("x=W;") && effect < least
                    {
                        wrong.push(format!("{effect} for {plain}: {line}"));
                    }
                }
            }
        }
    }
    assert!(tried > 1000, "only {tried} lines");
    assert!(wrong.is_empty(), "{} of {tried} lines:\n{}", wrong.len(), wrong.join("\n"));
}
