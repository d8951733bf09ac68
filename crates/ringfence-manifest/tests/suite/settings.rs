//! What a document says apart from rules.

use ringfence_core::program::Children;
use ringfence_core::{Effect, Facet, HookShell, Limits, McpServer, Mode, Role, UnlistedCalls};
use ringfence_manifest::{Format, NoLibrary, read};

use super::support::{check, lines_with, refused, source, toml, warnings};

#[test]
fn security_settings() {
    let loaded = toml(
        r#"
[security]
unanalysable = "ask"
unknown_operands = "deny"
reveal_roots = false
dangerously_grant = ["sudo", "python"]
"#,
    );
    let settings = &loaded.document.settings;
    assert_eq!(settings.unanalysable, Some(Effect::Ask));
    assert_eq!(settings.unknown_operands, Some(Effect::Deny));
    assert_eq!(settings.reveal_roots, Some(false));
    assert_eq!(Vec::from_iter(&settings.dangerously_grant), ["python", "sudo"]);
    let errors = refused(Format::Toml, "[security]\ndangerously_grant = [\"pyton\"]");
    assert!(errors.contains("hint: did you mean `python`?"), "{errors}");
}

#[test]
fn c057_universal_deny_domains_hold_everywhere() {
    check(
        &toml("[security]\nuniversal_deny_domains = [\"metadata.internal\", \"*.evil.example\"]"),
        "deny net:metadata.internal\ndeny net:*.evil.example",
    );
}

#[test]
fn observing_counts_only_for_those_who_answer_for_the_machine() {
    for (role, mode) in [
        (Role::Organisation, Some(Mode::Observe)),
        (Role::User, Some(Mode::Observe)),
        (Role::Project, None),
        (Role::Untrusted, None),
        (Role::Named, None),
        (Role::Ceiling, None),
    ] {
        let loaded = read(&source(Format::Toml, "mode = \"observe\""), role, &NoLibrary).unwrap();
        assert_eq!(loaded.document.settings.mode, mode, "{role:?}");
        assert_eq!(loaded.warnings.len(), usize::from(mode.is_none()), "{role:?}");
        let loaded = read(&source(Format::Toml, "mode = \"enforce\""), role, &NoLibrary).unwrap();
        assert_eq!(loaded.document.settings.mode, Some(Mode::Enforce));
    }
}

#[test]
fn remote_servers_are_not_named_by_projects() {
    let text = "[mcp.servers.github]\npaths = \"remote\"\n[mcp.servers.local]\n";
    for (role, remote) in [
        (Role::Organisation, 1),
        (Role::User, 1),
        (Role::Named, 1),
        (Role::Project, 0),
        (Role::Untrusted, 0),
        (Role::Ceiling, 0),
    ] {
        let loaded = read(&source(Format::Toml, text), role, &NoLibrary).unwrap();
        let is_remote = |own: &&McpServer| own.is_remote;
        let servers = loaded.document.servers.iter().filter(is_remote);
        assert_eq!(servers.count(), remote, "{role:?}");
        assert_eq!(loaded.warnings.len(), 1 - remote, "{role:?}");
    }
    let loaded = read(&source(Format::Toml, text), Role::Project, &NoLibrary).unwrap();
    assert_eq!(
        warnings(&loaded),
        ["policy.toml:2:9: `paths = \"remote\"` does not count in a project policy"]
    );
}

#[test]
fn only_schema_1_is_read() {
    toml("schema = 1");
    let errors = refused(Format::Toml, "schema = 2");
    assert!(errors.contains("schema 2 is not known"), "{errors}");
    assert!(refused(Format::Toml, "schema = \"1\"").contains("expected a whole number"));
}

#[test]
fn a_ceiling_role_has_no_fallback() {
    let text = "[tools.terminal]\nenabled = true";
    let loaded = read(&source(Format::Toml, text), Role::Ceiling, &NoLibrary).unwrap();
    assert!(lines_with(&loaded.document, "fallback").is_empty());
}

const CONFINED: &str = r#"
[sandbox]
best_effort = ["network", "files"]
children = "judged"
[limits]
time = "10m"
memory = "2GiB"
processes = 200
file_size = "100MB"
open_files = 1024
output = "64kB"
"#;

#[test]
fn how_commands_are_confined() {
    let settings = toml(CONFINED).document.settings;
    assert_eq!(settings.best_effort, Some([Facet::Files, Facet::Network].into()));
    assert_eq!(settings.children, Some(Children::Judged));
    let limits = Limits {
        time: Some(600),
        memory: Some(2 << 30),
        processes: Some(200),
        file_size: Some(100_000_000),
        open_files: Some(1024),
        output: Some(64_000),
    };
    assert_eq!(settings.limits, limits);
}

#[test]
fn best_effort_counts_only_for_those_who_answer_for_the_machine() {
    for role in [Role::Project, Role::Untrusted, Role::Named, Role::Ceiling] {
        let loaded = read(&source(Format::Toml, CONFINED), role, &NoLibrary).unwrap();
        assert_eq!(loaded.document.settings.best_effort, None, "{role:?}");
        assert_eq!(loaded.document.settings.limits.time, Some(600), "{role:?}");
        let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        assert!(warnings.concat().contains("`best_effort` does not count"), "{warnings:?}");
    }
}

#[test]
fn a_confinement_that_cannot_be_read_is_an_error_with_a_hint() {
    for (text, expected) in [
        ("[sandbox]\nbest_effort = [\"netwrok\"]", "did you mean `network`?"),
        ("[sandbox]\nchildren = \"judge\"", "did you mean `judged`?"),
        ("[sandbox]\nbest_efort = []", "did you mean `best_effort`?"),
        ("[limits]\ntime = \"10\"", "`10` has no unit"),
        ("[limits]\nmemory = \"2G\"", "hint: write `64kB`, `512MiB` or `2GiB`"),
        ("[limits]\nprocesses = 0", "`0` leaves nothing"),
        ("[limits]\nprocesses = -1", "expected"),
        ("[limits]\ntimes = \"10m\"", "did you mean `time`?"),
        ("[agents.a.limits]\ntime = \"10m\"", "unknown key `limits`"),
    ] {
        let errors = refused(Format::Toml, text);
        assert!(errors.contains(expected), "{text}: {errors}");
    }
}

#[test]
fn confinement_survives_the_canonical_form() {
    let again = ringfence_manifest::canonical(&source(Format::Toml, CONFINED)).unwrap();
    let (one, two) = (toml(CONFINED).document.settings, toml(&again).document.settings);
    assert_eq!(one, two, "{again}");
    let none = "[sandbox]\nbest_effort = []\n";
    let again = ringfence_manifest::canonical(&source(Format::Toml, none)).unwrap();
    assert_eq!(toml(&again).document.settings.best_effort, Some([].into()), "{again}");
}

#[test]
fn questions_are_left_to_agents_only_by_those_who_answer_for_the_machine() {
    let text = "[hooks]\nunlisted = \"agent\"\nwait = 7\n";
    for role in [Role::Organisation, Role::User, Role::Named] {
        let hooks = load_as(text, role).document.settings.hooks;
        assert_eq!((hooks.unlisted, hooks.wait), (Some(UnlistedCalls::Agent), Some(7)), "{role:?}");
    }
    for role in [Role::Project, Role::Untrusted, Role::Ceiling] {
        let loaded = load_as(text, role);
        assert_eq!(loaded.document.settings.hooks.unlisted, None, "{role:?}");
        assert!(warnings(&loaded).join(" ").contains("unlisted"), "{role:?}");
    }
    let asks = load_as("[hooks]\nunlisted = \"ask\"\n", Role::Project);
    assert_eq!(asks.document.settings.hooks.unlisted, Some(UnlistedCalls::Ask));
}

#[test]
fn an_untrusted_project_cannot_have_shell_calls_fenced() {
    let fence = "[hooks]\nshell = \"fence\"\n";
    for role in [Role::Organisation, Role::User, Role::Named, Role::Project] {
        let shell = load_as(fence, role).document.settings.hooks.shell;
        assert_eq!(shell, Some(HookShell::Fence), "{role:?}");
    }
    let loaded = load_as(fence, Role::Untrusted);
    assert_eq!(loaded.document.settings.hooks.shell, None);
    assert!(warnings(&loaded).join(" ").contains("shell"));
    let ask = load_as("[hooks]\nshell = \"ask\"\n", Role::Untrusted).document.settings;
    assert_eq!(ask.hooks.shell, Some(HookShell::Ask));
    let both = load_as(fence, Role::User).document.settings.meet(&ask);
    assert_eq!(both.hooks.shell, Some(HookShell::Ask), "the stricter value counts");
}

fn load_as(text: &str, role: Role) -> ringfence_manifest::Loaded {
    read(&source(Format::Toml, text), role, &NoLibrary).unwrap()
}
