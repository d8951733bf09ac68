//! What a document says apart from rules.

use ringfence_core::{Effect, Mode, Role};
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
        assert_eq!(loaded.remote_servers.len(), remote, "{role:?}");
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
