//! Documents in several roles, and documents that are refused.

use ringfence_core::{Effect, Mode, Role};
use serde_json::{Value, json};

use super::support::{check, decide, guard, layered, refused};

fn line(text: &str) -> Value {
    json!({"tool": "terminal", "command": text})
}

fn read(path: &str) -> Value {
    json!({"tool": "read_file", "path": path})
}

fn actions() -> Vec<Value> {
    let lines =
        ["git status", "git log", "git push", "git push --force", "git gc", "ls", "cargo test"];
    let paths = ["src/a", "docs/a", "/etc/hosts", "/home/u/.ssh/id_rsa", "/home/u/.netrc"];
    let hosts = ["api.acme.example", "docs.example"];
    let lines = lines.iter().map(|text| line(text));
    let paths = paths.iter().map(|path| read(path));
    let hosts = hosts.iter().map(|host| json!({"connect": format!("{host}:443")}));
    lines.chain(paths).chain(hosts).chain([json!({"set_env": {"name": "CI"}})]).collect()
}

const BROAD: &str = r#"
allow = ["cmd:*", "fs:r:**", "net:*", "env:CI"]
danger = ["cmd:git:push:*:--force", "fs:r:~/.ssh/*", "fs:r:~/.netrc"]
"#;
const GIT: &str = r#"
allow = ["cmd:git:*", "cmd:ls:*", "fs:r:@root/**", "fs:r:~/.ssh/*"]
danger = ["cmd:git:push:*:--force", "fs:r:~/.ssh/*"]
deny = ["cmd:git:gc"]
"#;
const NARROW: &str = r#"
allow = ["cmd:git:{status,log}", "cmd:git:push:*", "fs:r:src/**", "net:*.acme.example"]
deny = ["fs:r:src/secret"]
"#;

#[test]
fn c108_one_document_is_itself_and_several_meet() {
    let of = |documents: &[(Role, &str)]| -> Vec<Effect> {
        let guard = layered(documents);
        actions().iter().map(|action| decide(&guard, action)).collect()
    };
    use Role::{Ceiling, Named};
    // Repeating a document, or reordering ceilings, changes nothing.
    assert_eq!(of(&[(Named, GIT), (Ceiling, GIT)]), of(&[(Named, GIT)]));
    assert_eq!(
        of(&[(Named, BROAD), (Ceiling, GIT), (Ceiling, NARROW)]),
        of(&[(Ceiling, NARROW), (Named, BROAD), (Ceiling, GIT)])
    );
    // The meet of two documents is not milder than either.
    let (git, narrow) =
        (of(&[(Named, BROAD), (Ceiling, GIT)]), of(&[(Named, BROAD), (Ceiling, NARROW)]));
    let both = of(&[(Named, BROAD), (Ceiling, GIT), (Ceiling, NARROW)]);
    let each = git.iter().zip(&narrow).map(|(one, two)| *one.max(two));
    assert_eq!(both, each.collect::<Vec<_>>());
}

#[test]
fn c108_allow_meets_deny_joins_danger_meets() {
    let guard = layered(&[(Role::Named, BROAD), (Role::Ceiling, GIT), (Role::Ceiling, NARROW)]);
    check(&guard, &line("git status"), Effect::Allow);
    check(&guard, &line("ls"), Effect::Deny);
    check(&guard, &line("git gc"), Effect::Deny);
    check(&guard, &read("src/a"), Effect::Allow);
    check(&guard, &read("docs/a"), Effect::Deny);
    check(&guard, &read("src/secret"), Effect::Deny);
    check(&guard, &json!({"connect": "api.acme.example:443"}), Effect::Allow);
    check(&guard, &json!({"connect": "docs.example:443"}), Effect::Deny);
    // A document without a danger list accepts every opt-in; an empty list rejects all.
    check(&guard, &line("git push --force"), Effect::Allow);
    let empty = "danger = []";
    let objecting = layered(&[(Role::Named, BROAD), (Role::Ceiling, empty)]);
    check(&objecting, &line("git push --force"), Effect::Deny);
    check(&objecting, &line("git push"), Effect::Allow);
    let organisation = layered(&[(Role::Organisation, empty), (Role::User, BROAD)]);
    check(&organisation, &line("git push --force"), Effect::Deny);
}

#[test]
fn c109_the_meet_is_by_meaning_and_absent_is_everything() {
    let any = "allow = [\"cmd:git:*\", \"env:CI\", \"fs:r:**\"]";
    let one = "allow = [\"cmd:git:status\", \"fs:r:src/**\"]";
    for documents in
        [[(Role::Named, any), (Role::Ceiling, one)], [(Role::Named, one), (Role::Ceiling, any)]]
    {
        let guard = layered(&documents);
        check(&guard, &line("git status"), Effect::Allow);
        check(&guard, &line("git status -s"), Effect::Deny);
        check(&guard, &line("git log"), Effect::Deny);
        check(&guard, &read("src/a"), Effect::Allow);
        check(&guard, &read("docs/a"), Effect::Deny);
    }
    let env = json!({"set_env": {"name": "CI"}});
    check(&layered(&[(Role::Named, any), (Role::Ceiling, one)]), &env, Effect::Allow);
    // Two documents with only deny rules change nothing else.
    let denials =
        [(Role::Ceiling, "deny = [\"cmd:rm:*\"]"), (Role::Ceiling, "deny = [\"cmd:dd:*\"]")];
    let guard = layered(&[(Role::Named, any), denials[0], denials[1]]);
    check(&guard, &line("git log"), Effect::Allow);
}

#[test]
fn c116_actions_are_three_words_in_lower_case() {
    for word in ["allow", "ask", "deny"] {
        let guard = guard(&format!("[permissions.tools]\nx = \"{word}\""));
        assert_eq!(decide(&guard, &json!({"tool": "x"})), word.parse().unwrap());
    }
    for value in [
        "\"Allow\"",
        "\"ALLOW\"",
        "\"Deny\"",
        "\"prompt\"",
        "\"allowed\"",
        "\"\"",
        "\" allow\"",
        "true",
        "1",
        "[]",
    ] {
        let errors = refused(&format!("[permissions.tools]\nx = {value}"));
        assert!(errors.contains("policy:2:5"), "{value}: {errors}");
    }
    for default in ["\"allow\"", "\"Ask\"", "false"] {
        refused(&format!("[permissions]\ndefault = {default}"));
    }
}

#[test]
fn c122_matching_is_bounded() {
    let stars = "a*".repeat(30);
    let guard =
        guard(&format!("allow = [\"tool:{stars}b\", \"env:{stars}b\", \"keychain:x/{stars}b\"]"));
    let name = "a".repeat(10_000);
    check(&guard, &json!({"tool": name}), Effect::Deny);
    check(&guard, &json!({"set_env": {"name": name}}), Effect::Deny);
    check(&guard, &json!({"tool": format!("{name}b")}), Effect::Allow);
    let errors = refused(&format!("allow = [\"tool:{}\"]", "a*".repeat(1_000)));
    assert!(errors.contains("wildcards"), "{errors}");
}

const USER: &str = "allow = [\"cmd:git:*\", \"cmd:ls:*\", \"fs:r:@root/**\"]";

/// In other products, settings in a repository ran code before anyone trusted them (bypass 6),
/// switched off questions (8), started servers (42) and added hooks (46).
#[test]
fn b006_b042_b046_an_untrusted_file_only_tightens() {
    let project = r#"
allow = ["cmd:*", "fs:rw:**", "net:*", "env:*", "mcp:*/*", "tool:*"]
ask = ["cmd:git:push:*", "cmd:curl:*"]
danger = ["cmd:*", "fs:rw:**"]
deny = ["cmd:ls:*"]
default = "ask"
ceiling = ["fs:r:src/**"]
"#;
    let guard = layered(&[(Role::User, USER), (Role::Untrusted, project)]);
    check(&guard, &line("make"), Effect::Deny);
    check(&guard, &line("curl x"), Effect::Deny);
    check(&guard, &json!({"tool": "write_file", "path": "a"}), Effect::Deny);
    check(&guard, &json!({"connect": "docs.example:443"}), Effect::Deny);
    check(&guard, &json!({"mcp": {"server": "x", "tool": "y", "args": {}}}), Effect::Deny);
    check(&guard, &json!({"mcp_connect": {"server": "x", "command": "npx"}}), Effect::Deny);
    check(&guard, &line("git push --force"), Effect::Deny);
    check(&guard, &read("/home/u/.ssh/id_rsa"), Effect::Deny);
    check(&guard, &line("git push"), Effect::Ask);
    check(&guard, &line("ls"), Effect::Deny);
    check(&guard, &line("git log"), Effect::Allow);
    check(&guard, &read("src/a"), Effect::Allow);
    check(&guard, &read("docs/a"), Effect::Deny);
}

#[test]
fn b008_no_project_file_switches_refusing_off() {
    let mild = "mode = \"observe\"\n[security]\nunanalysable = \"allow\"";
    for role in [Role::Untrusted, Role::Project] {
        let guard = layered(&[(Role::User, USER), (role, mild)]);
        assert_ne!(guard.policy().settings().mode, Some(Mode::Observe), "{role:?}");
        check(&guard, &line("make"), Effect::Deny);
    }
    let untrusted = layered(&[(Role::User, USER), (Role::Untrusted, mild)]);
    check(&untrusted, &line("git log $(x)"), Effect::Deny);
    let strict = "[security]\nunanalysable = \"deny\"";
    let both = layered(&[(Role::Organisation, strict), (Role::User, mild)]);
    check(&both, &line("git log $(x)"), Effect::Deny);
}

/// In another product, unknown fields were skipped, and with them what they should have denied.
#[test]
fn b066_a_field_that_is_not_known_is_an_error() {
    for text in [
        "allowed_hosts = []",
        "[net]\nallow = []",
        "[tools.terminal]\nenabled = true\nallowed_hosts = [\"x.example\"]",
        "allow = [{ pattern = \"cmd:git:*\", unless_root = true }]",
        "[mcp.servers.x]\nhosts = []",
    ] {
        refused(text);
    }
}

#[test]
fn c134_a_denied_path_whose_variable_is_not_set_is_an_error() {
    let errors = refused("allow = [\"fs:r:**\"]\ndeny = [\"fs:r:${NOT_SET}/**\"]");
    assert!(errors.contains("${NOT_SET}"), "{errors}");
    let errors = refused("[tools.terminal]\nenabled = true\ndenied_paths = [\"${NOT_SET}\"]");
    assert!(errors.contains("${NOT_SET}"), "{errors}");
    guard("allow = [\"fs:r:${NOT_SET}/**\"]");
}
