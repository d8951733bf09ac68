//! Ceilings for agents.

use ringfence_core::Role;
use ringfence_manifest::Format;

use super::support::{check, refused, toml, warnings};

#[test]
fn c118_everything_under_an_agent_is_a_ceiling_for_it() {
    let loaded = toml(
        r#"
allow = ["cmd:*"]
[agents.reviewer]
allow = ["cmd:git:*", { closed = "net" }]
ask = ["cmd:git:push:*"]
deny = ["fs:w:**"]
danger = ["cmd:git:push:*:--force"]
danger_list = ["cmd:make:*"]
ceiling = ["env:A"]
[agents.reviewer.tools.file]
enabled = true
allowed_paths = ["~/a"]
[agents.reviewer.security]
universal_deny_domains = ["evil.example"]
[agents."ops-*".permissions.tools]
bash = "ask"
"#,
    );
    check(
        &loaded,
        "
        allow cmd:*
        -- policy.toml [agents.reviewer] (ceiling)
        deny net:evil.example agent reviewer
        allow cmd:git:* agent reviewer
        ask cmd:git:push:* agent reviewer
        deny fs:w:** agent reviewer
        allow tool:* agent reviewer tool file
        allow fs:rw:~/a agent reviewer tool file
        allow fs:rw:~/a/** agent reviewer tool file
        closed net agent reviewer
        danger list of 1
        danger allow cmd:git:push:*:--force agent reviewer
        dangerous deny cmd:make:* agent reviewer
        document agent reviewer
        -- policy.toml ceiling (ceiling)
        allow env:A agent reviewer
        document agent reviewer
        -- policy.toml [tools.file] (ceiling)
        allow fs:rw:~/a agent reviewer tool file
        allow fs:rw:~/a/** agent reviewer tool file
        closed files agent reviewer tool file
        document agent reviewer
        -- policy.toml [agents.ops-*] (ceiling)
        ask tool:* agent ops-* tool terminal
        document agent ops-*
        ",
    );
    assert!(loaded.ceilings.iter().all(|ceiling| ceiling.role == Role::Ceiling));
}

#[test]
fn an_agents_ceiling_has_nothing_to_fall_back_on() {
    let loaded = toml("[agents.a.tools.terminal]\nenabled = true");
    assert!(loaded.ceilings.iter().all(|ceiling| ceiling.fallback.is_empty()));
}

#[test]
fn what_cannot_be_said_of_one_agent() {
    for (text, message) in [
        ("[agents.a]\nextends = []", "unknown key `extends`"),
        ("[agents.a]\nmode = \"observe\"", "unknown key `mode`"),
        (
            "[agents.a.security]\nunanalysable = \"ask\"",
            "`unanalysable` cannot be said of one agent",
        ),
        ("[agents.a.security]\nunknown_operands = \"ask\"", "`unknown_operands` cannot be said"),
        ("[agents.a.security]\nreveal_roots = false", "`reveal_roots` cannot be said"),
        (
            "[agents.a.security]\ndangerously_grant = [\"sudo\"]",
            "`dangerously_grant` cannot be said",
        ),
        ("[agents.a.keychain]\nprojectname = \"x\"", "`projectname` cannot be said of one agent"),
        (
            "[agents.a.tools.terminal]\nallow_metacharacters = true",
            "`allow_metacharacters` cannot be said",
        ),
        (
            "[agents.a]\nallow = [{ pattern = \"cmd:a\", agent = \"b\" }]",
            "`agent` cannot stand under `[agents.…]`",
        ),
    ] {
        let errors = refused(Format::Toml, text);
        assert!(errors.contains(message), "{message}\n{errors}");
    }
    let loaded = toml("[agents.a]\ndefault = \"ask\"");
    assert_eq!(
        warnings(&loaded),
        [
            "policy.toml:2:11: a ceiling denies what it does not list, so `default` has no effect here"
        ]
    );
}
