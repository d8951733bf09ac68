use std::sync::Arc;

use proptest::prelude::*;
use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Effect, Ground};
use ringfence_manifest::Format;
use serde_json::Value;

use crate::case::{PolicyText, described_guard};
use crate::{Action, Call, Guard, JoinedName, KnownServers, NameReading};

fn guard(text: &str) -> Guard {
    let root = AbsPath::new("/home/u/proj").unwrap();
    let home = AbsPath::new("/home/u").unwrap();
    let context = Context::new(Some(root.clone()), home, root, Date::new(2026, 11, 15).unwrap());
    let policy = PolicyText {
        name: "policy.toml".to_owned(),
        format: Format::Toml,
        text: text.to_owned(),
        location: None,
    };
    described_guard(&policy, context, Arc::new(MemoryHost::new())).unwrap()
}

fn servers(names: &[&str]) -> Vec<String> {
    names.iter().map(|own| (*own).to_owned()).collect()
}

/// Returns the verdict on a joined name, given the known servers.
fn verdict(guard: &Guard, name: &JoinedName, certain: &[&str], possible: &[&str]) -> Effect {
    let known = KnownServers { certain: servers(certain), possible: servers(possible) };
    let name = name.clone().with_servers(known);
    guard.consider(&Call::new(Action::Joined { name, args: Value::Null })).verdict.effect
}

fn check(policy: &str, name: (&str, &'static str), known: (&[&str], &[&str]), expected: Effect) {
    let (text, separator) = name;
    let own = JoinedName::new(text, separator).unwrap();
    let found = verdict(&guard(policy), &own, known.0, known.1);
    assert_eq!(found, expected, "{text} by {policy} where {known:?} are known");
}

const GITHUB: &str = "allow = [\"mcp:github/*\"]\n";

#[test]
fn a_server_that_begins_like_another_has_nothing_of_its_grant() {
    let evil = ("github__evil__do_it", "__");
    check(GITHUB, evil, (&[], &[]), Effect::Ask);
    check(GITHUB, evil, (&["github"], &[]), Effect::Allow);
    check(GITHUB, evil, (&["github__evil"], &[]), Effect::Deny);
    check(GITHUB, evil, (&["github", "github__evil"], &[]), Effect::Deny);
    let evil = ("github_evil_x", "_");
    check(GITHUB, evil, (&[], &[]), Effect::Ask);
    check(GITHUB, evil, (&["github"], &[]), Effect::Allow);
    check(GITHUB, evil, (&["github_evil"], &[]), Effect::Deny);
    check(GITHUB, evil, (&["github", "github_evil"], &[]), Effect::Deny);
    check(GITHUB, ("github-evil-x", "-"), (&["github-evil"], &[]), Effect::Deny);
}

#[test]
fn a_name_that_can_be_read_in_one_way_needs_nobody() {
    check(GITHUB, ("github__get_issue", "__"), (&[], &[]), Effect::Allow);
    check(GITHUB, ("github-get_issue", "-"), (&[], &["github-get_issue"]), Effect::Allow);
}

#[test]
fn possible_servers_only_add_readings() {
    let evil = ("github__evil__do_it", "__");
    check(GITHUB, evil, (&[], &["github"]), Effect::Ask);
    check(GITHUB, evil, (&["github"], &["github__evil"]), Effect::Deny);
    check(GITHUB, ("github_evil_x", "_"), (&["github"], &["github_evil"]), Effect::Deny);
}

#[test]
fn a_rule_past_the_next_separator_tells_where_the_server_ends() {
    let name = ("ringfence__github__get_issue", "__");
    check("allow = [\"mcp:ringfence/*\"]", name, (&[], &[]), Effect::Ask);
    check("allow = [\"mcp:ringfence/github__*\"]", name, (&[], &[]), Effect::Allow);
    check("allow = [\"mcp:ringfence/github__get_issue\"]", name, (&[], &[]), Effect::Allow);
    check("allow = [\"mcp:*/github__*\"]", name, (&[], &[]), Effect::Ask);
    // A ceiling or an ask rule does not show that such a server exists.
    let ceiling = "allow = [\"mcp:ringfence/*\"]\nceiling = [\"mcp:ringfence/github__*\"]";
    check(ceiling, name, (&[], &[]), Effect::Ask);
    check("ask = [\"mcp:ringfence/github__*\"]", name, (&[], &[]), Effect::Ask);
}

#[test]
fn a_section_of_the_policy_names_a_server() {
    let name = ("github__evil__do_it", "__");
    check(&format!("{GITHUB}[mcp.servers.github]\nallow = []\n"), name, (&[], &[]), Effect::Allow);
    let remote = format!("{GITHUB}[mcp.servers.github]\npaths = \"remote\"\n");
    check(&remote, name, (&[], &[]), Effect::Allow);
}

#[test]
fn objections_hold_in_every_reading() {
    let policy = "allow = [\"mcp:*/*\"]\ndeny = [\"mcp:github_evil/*\"]";
    let name = ("github_evil_x", "_");
    check(policy, name, (&[], &[]), Effect::Deny);
    check(policy, name, (&["github"], &[]), Effect::Deny);
    check("allow = [\"mcp:*/*\"]", name, (&[], &[]), Effect::Allow);
    check("allow = [\"mcp:*/*\"]", ("a__b__c", "__"), (&[], &[]), Effect::Allow);
    // With known servers, the grant of one answers a question about all.
    let policy = "ask = [\"mcp:*/*\"]\nallow = [\"mcp:github/*\"]";
    check(policy, name, (&["github"], &[]), Effect::Allow);
    check(policy, name, (&[], &[]), Effect::Ask);
}

#[test]
fn a_name_of_very_many_readings_is_refused() {
    let text = "a_".repeat(100) + "b";
    check("allow = [\"mcp:*/*\"]", (&text, "_"), (&[], &[]), Effect::Deny);
}

/// Draws from few texts, so that names collide.
fn part() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![Just("a"), Just("b"), Just("_")], 1..4)
        .prop_map(|all| all.concat())
}

fn pattern() -> impl Strategy<Value = String> {
    let any = || prop_oneof![1 => Just("*".to_owned()), 4 => part()];
    let tool = prop_oneof![2 => any(), 1 => part().prop_map(|own| own + "*")];
    (any(), tool).prop_map(|(server, tool)| format!("\"mcp:{server}/{tool}\""))
}

fn document() -> impl Strategy<Value = String> {
    let list = || prop::collection::vec(pattern(), 0..4).prop_map(|all| all.join(", "));
    (list(), list(), prop::option::of(pattern())).prop_map(|(allow, ask, deny)| {
        let deny = deny.unwrap_or_default();
        format!("allow = [{allow}]\nask = [{ask}]\ndeny = [{deny}]\ndefault = \"deny\"\n")
    })
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(part(), 0..3)
}

proptest! {
    /// Unless the server is known, a joined name is allowed only if every reading is allowed, and
    /// denied if any reading is denied. Possible servers never make a verdict milder.
    #[test]
    fn a_joined_name_gets_no_more_than_each_of_its_readings(
        text in document(), name in part(), tool in part(), certain in names(), possible in names(),
        double in any::<bool>(),
    ) {
        let guard = guard(&text);
        let separator = if double { "__" } else { "_" };
        let name = JoinedName::new(&format!("{name}{separator}{tool}"), separator).unwrap();
        let alone = |server: &str, tool: &str| {
            let call = Action::Access { text: format!("mcp:{server}/{tool}") };
            guard.consider(&Call::new(call)).verdict
        };
        let denies = |own: &Ground| matches!(own, Ground::Rule(_)) && own.effect() == Effect::Deny;
        let all: Vec<_> = name.readings().collect();
        let known: Vec<&str> = certain.iter().map(String::as_str).collect();
        let others: Vec<&str> = possible.iter().map(String::as_str).collect();
        let found = verdict(&guard, &name, &known, &others);
        prop_assert!(found >= verdict(&guard, &name, &known, &[]));
        let policy = guard.policy();
        let fits = |own: &NameReading<'_>| {
            known.contains(&own.server) || policy.splits_joined_name(own.server, own.tool, separator)
        };
        let is_known = all.iter().any(fits);
        for own in &all {
            let by_itself = alone(own.server, own.tool);
            let counts = !is_known || fits(own) || others.contains(&own.server);
            if found == Effect::Allow && counts && all.len() > 1 {
                prop_assert_eq!(by_itself.effect, Effect::Allow, "{:?}", own);
            }
            if by_itself.grounds.iter().any(denies) {
                prop_assert_eq!(found, Effect::Deny, "{:?}", own);
            }
        }
    }
}
