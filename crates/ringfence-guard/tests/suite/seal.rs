//! Seal's rules about what commands may reach and receive, judged under those commands, and
//! documents that are refused.

use ringfence_core::access::Connect;
use ringfence_core::net::HostName;
use ringfence_core::{AccessKind, Effect, Pattern};
use ringfence_guard::Guard;

use super::support::{guard, refused, under};

const ALLOW: Effect = Effect::Allow;
const DENY: Effect = Effect::Deny;

fn host(name: &str) -> AccessKind {
    let host = HostName::parse(name).unwrap();
    AccessKind::Connect(Connect { host, port: Some(443), addresses: Vec::new() })
}

fn variable(name: &str) -> AccessKind {
    AccessKind::SetEnv(name.into())
}

#[track_caller]
fn check(guard: &Guard, line: &str, what: AccessKind, expected: Effect) {
    let verdict = guard.policy().decide(&under(line, what.clone()));
    assert_eq!(verdict.effect, expected, "{what:?} under `{line}`: {:?}", verdict.grounds);
}

/// Returns the number of the policy's deny rules on hosts.
fn denied_hosts(guard: &Guard) -> usize {
    let policy = guard.policy();
    let rules = policy.rules().filter(|(_, rule)| rule.effect == DENY);
    rules.filter(|(_, rule)| matches!(rule.pattern, Pattern::Net(_))).count()
}

#[test]
fn c054_the_domains_of_a_deny_table_are_denied_to_its_command_alone() {
    let guard = guard(
        r#"
[capabilities.allow.commands]
default_domains = ["api.example", "evil.example"]
patterns = ["curl:*", "wget:*"]
[capabilities.deny.commands]
patterns = [{ command = "curl", domains = ["evil.example"] }, { command = "wget" }]
"#,
    );
    check(&guard, "curl x", host("evil.example"), DENY);
    check(&guard, "curl", host("evil.example"), DENY);
    check(&guard, "curl x", host("api.example"), ALLOW);
    check(&guard, "wget x", host("evil.example"), ALLOW);
    assert_eq!(denied_hosts(&guard), 1);
    let errors =
        refused("[capabilities.deny.commands]\npatterns = [{ domains = [\"a.example\"] }]");
    assert!(errors.contains("`command` is missing"), "{errors}");
}

#[test]
fn c055_section_domains_are_one_rule_a_host_for_every_command() {
    let guard = guard(
        r#"
[capabilities.allow.commands]
default_domains = ["a.example", "b.example", "c.example"]
patterns = ["curl:*", { command = "git:*", domains = ["a.example"] }]
[capabilities.deny.commands]
domains = ["a.example", "b.example"]
"#,
    );
    assert_eq!(denied_hosts(&guard), 2);
    for line in ["curl x", "git fetch"] {
        check(&guard, line, host("a.example"), DENY);
        check(&guard, line, host("b.example"), DENY);
        check(&guard, line, host("c.example"), ALLOW);
    }
}

#[test]
fn c056_denied_domains_of_three_lists_add_up() {
    let guard = guard(
        r#"
[capabilities.allow.commands]
default_domains = ["section.example", "own.example", "all.example", "free.example"]
patterns = ["curl:*", "wget:*"]
[capabilities.deny.commands]
domains = ["section.example"]
patterns = [{ command = "curl", domains = ["own.example"] }]
[security]
universal_deny_domains = ["all.example"]
"#,
    );
    assert_eq!(denied_hosts(&guard), 3);
    for (name, curl, wget) in [
        ("section.example", DENY, DENY),
        ("own.example", DENY, ALLOW),
        ("all.example", DENY, DENY),
        ("free.example", ALLOW, ALLOW),
    ] {
        check(&guard, "curl x", host(name), curl);
        check(&guard, "wget x", host(name), wget);
    }
}

const LISTS: &str = r#"
[capabilities.allow.commands]
default_domains = ["d.example"]
default_env_vars = ["D"]
patterns = [
  "plain:*",
  { command = "own:*", domains = ["own.example"], env_vars = ["OWN"] },
  { command = "alone:*", domains = ["own.example"], inherit_default_domains = false },
  { command = "cut:*", inherit_default_domains = false, env_vars = [] },
]
"#;

#[test]
fn c066_variables_of_a_command_replace_the_default_list() {
    let guard = guard(LISTS);
    for (line, default, own) in [
        ("plain x", ALLOW, DENY),
        ("own x", DENY, ALLOW),
        ("alone x", ALLOW, DENY),
        ("cut x", DENY, DENY),
    ] {
        check(&guard, line, variable("D"), default);
        check(&guard, line, variable("OWN"), own);
        check(&guard, line, variable("OTHER"), DENY);
        check(&guard, line, AccessKind::ReadEnv("OTHER".into()), DENY);
    }
}

#[test]
fn c067_domains_of_a_command_join_the_default_list_unless_cut_off() {
    let guard = guard(LISTS);
    for (line, default, own) in
        [("plain x", ALLOW, DENY), ("own x", ALLOW, ALLOW), ("alone x", DENY, ALLOW)]
    {
        check(&guard, line, host("d.example"), default);
        check(&guard, line, host("own.example"), own);
        check(&guard, line, host("other.example"), DENY);
    }
}

#[test]
fn c068_cut_off_and_without_domains_there_is_no_network() {
    let guard = guard(LISTS);
    for name in ["d.example", "own.example", "8.8.8.8", "localhost"] {
        check(&guard, "cut x", host(name), DENY);
    }
    // A command without an entry has no network either.
    check(&guard, "other", host("d.example"), DENY);
    check(&guard, "other", variable("D"), DENY);
}

#[test]
fn c060_two_files_in_two_paths_are_four_rules() {
    let guard = guard(
        "[capabilities.allow.read]\ndefault_files = [\"*.rs\", \"*.toml\"]\npaths = [\"src/**\", \"docs\"]",
    );
    let policy = guard.policy();
    let patterns = policy.rules().filter(|(_, rule)| rule.effect == ALLOW);
    let patterns: Vec<String> = patterns.map(|(_, rule)| rule.pattern.to_string()).collect();
    assert_eq!(
        patterns,
        ["fs:r:src/**/*.rs", "fs:r:src/**/*.toml", "fs:r:docs/*.rs", "fs:r:docs/*.toml"]
    );
}

#[test]
fn c079_grants_of_sudo_and_python_must_be_meant() {
    for (command, word) in [("sudo:*", "sudo"), ("doas ls", "doas"), ("python3:*", "python")] {
        let document = |grant: &str| {
            format!(
                "[security]\ndangerously_grant = [{grant}]\n[capabilities.allow.commands]\npatterns = [\"{command}\"]"
            )
        };
        let errors = refused(&document(""));
        assert!(errors.contains(word) && errors.contains("dangerously_grant"), "{errors}");
        let errors = refused(&document("\"everything\""));
        assert!(errors.contains("everything"), "{errors}");
        guard(&document(&format!("\"{word}\"")));
    }
    guard("[capabilities.allow.commands]\npatterns = [\"sudoku:*\", \"cargo test\"]");
}

#[test]
fn c080_an_unknown_key_refuses_the_whole_document() {
    for (text, wrong, right) in [
        ("alow = [\"cmd:git:*\"]", "alow", "allow"),
        ("[capabilities.allow.commands]\npattern = [\"git\"]", "pattern", "patterns"),
        ("[capabilities.allow.read]\ndefault_file = [\"*\"]", "default_file", "default_files"),
        ("[capabilities.deny.commands]\ndomain = [\"a.example\"]", "domain", "domains"),
        (
            "[security]\nuniversal_deny_domain = []",
            "universal_deny_domain",
            "universal_deny_domains",
        ),
        ("[tools.terminal]\nallowed_path = [\"/tmp\"]", "allowed_path", "allowed_paths"),
        ("[permissions]\ntool = { bash = \"deny\" }", "tool", "tools"),
        ("deny = [\"cmd:rm:*\"]\n[agents.x]\nallows = []", "allows", "allow"),
    ] {
        let errors = refused(text);
        assert!(errors.contains(&format!("`{wrong}`")), "{errors}");
        assert!(errors.contains(&format!("`{right}`")), "names the nearest right key: {errors}");
    }
    for text in ["allow = \"cmd:git:*\"", "default = \"allow\"", "deny = false", "allow = [7]"] {
        refused(text);
    }
}
