//! How many everyday lines are asked about, under `@workspace` and the profile of the language.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::corpus::{cases, verdicts};
use super::repository;

/// The groups of the corpus's benign lines, each with the profile that somebody who does this work
/// would add to `@workspace`.
const GROUPS: [(&str, Option<&str>); 12] = [
    ("git-developer", Some("@git")),
    ("rust-developer", Some("@rust")),
    ("python-developer", Some("@python")),
    ("swe-agent-container", Some("@python")),
    ("node-developer", Some("@node")),
    ("go-developer", Some("@go")),
    ("cpp-developer", None),
    ("java-developer", None),
    ("docs-writer", None),
    ("api-client", Some("@git")),
    ("cleanup-optin", Some("@git")),
    ("env-rules", Some("@rust")),
];
/// Of so many lines one may be asked about.
const ONE_IN: usize = 20;

/// The benign lines, each under the profiles of its group.
fn lines() -> Vec<Value> {
    let mut lines = cases("benign.jsonl");
    lines.retain(|case| case["action"]["command"].is_string());
    for case in &mut lines {
        let group = case["policy_name"].as_str().unwrap();
        let (_, profile) = GROUPS.iter().find(|(name, _)| *name == group).unwrap();
        let extends: Vec<&str> = ["@workspace"].into_iter().chain(*profile).collect();
        case["policy"] = json!({ "extends": extends, "default": "ask" });
    }
    lines
}

#[test]
fn at_most_one_everyday_line_in_twenty_is_asked_about() {
    let page = std::fs::read_to_string(repository().join("docs/guides/asks.md")).unwrap();
    let lines = lines();
    let verdicts = verdicts(&lines);
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for case in &lines {
        let verdict = verdicts[case["id"].as_str().unwrap()].as_str();
        let [all, asked, refused] =
            counts.entry(case["policy_name"].as_str().unwrap()).or_default();
        *all += 1;
        *asked += usize::from(verdict == "ask");
        *refused += usize::from(verdict == "deny");
        if verdict != "allow" {
            let line = case["action"]["command"].as_str().unwrap();
            println!("{verdict}: {line}");
            assert!(page.contains(&format!("`{line}`")), "the page does not have `{line}`");
        }
    }
    for (name, profile) in GROUPS {
        let [all, asked, refused] = counts[name];
        let profile = profile.unwrap_or("none");
        println!("{name:<20} {profile:<8} {all:>3} lines {asked:>3} asked {refused:>3} refused");
        let row = format!(
            "| {name} | {} | {all} | {asked} | {refused} |",
            match profile {
                "none" => "–".to_owned(),
                own => format!("`{own}`"),
            }
        );
        assert!(page.contains(&row), "the page does not have\n{row}");
        // A profile of a language leaves nothing open that belongs to the language.
        let is_language = ["@rust", "@python", "@node", "@go"].contains(&profile);
        assert!(!is_language || asked * ONE_IN <= all.max(ONE_IN), "{name}: {asked} of {all}");
    }
    let sum = |at: usize| counts.values().map(|own| own[at]).sum::<usize>();
    let (all, asked) = (sum(0), sum(1));
    println!("{asked} of {all} lines are asked about");
    assert!(asked * ONE_IN <= all, "{asked} of {all} is more than one in {ONE_IN}");
    assert!(page.contains(&format!("{asked} of {all}")), "the page has another figure");
}

#[test]
fn what_asks_can_be_settled_for_good() {
    // A rule for each of them, as the page says.
    let settled = json!({
        "extends": ["@workspace", "@git"], "default": "ask",
        "allow": ["cmd:curl:-I:*", "cmd:wget:*", "net:github.com", "net:raw.githubusercontent.com",
                  "cmd:gh:pr:create:*"],
    });
    let mut lines = lines();
    lines.retain(|case| case["policy_name"] == "api-client");
    lines.iter_mut().for_each(|case| case["policy"] = settled.clone());
    for (id, verdict) in verdicts(&lines) {
        assert_eq!(verdict, "allow", "{id}");
    }
}
