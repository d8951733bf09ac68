//! Aleph's form: rules on tools by name.

use ringfence_manifest::Format;

use super::support::{check, refused, toml};

#[test]
fn c116_actions() {
    for word in ["Allow", "ASK", "confirm", "denied", ""] {
        let errors = refused(Format::Toml, &format!("[permissions.tools]\nbash = \"{word}\""));
        assert!(
            errors.contains(&format!("`{word}` is none of `allow`, `ask`, `deny`")),
            "{errors}"
        );
    }
    let errors = refused(Format::Toml, "[permissions.tools]\nbash = true");
    assert!(errors.contains("expected text, found true or false"), "{errors}");
    let errors = refused(Format::Toml, "[permissions.tools]\nbash = \"denny\"");
    assert!(errors.contains("hint: did you mean `deny`?"), "{errors}");
}

#[test]
fn c117_permissions_tools() {
    let loaded = toml(
        r#"
[permissions]
default = "ask"
[permissions.tools]
code_exec = "ask"
bash = "deny"
Shell = "allow"
file_ops = "allow"
web = "ask"
"mcp__github__*" = "ask"
"get_*" = "allow"
"#,
    );
    check(
        &loaded,
        "
        ask tool:* tool code_execution
        deny tool:* tool terminal
        allow tool:* tool terminal
        allow tool:file_ops
        ask tool:* tool web
        ask mcp:github/*
        allow tool:get_*
        closed tool
        tool default ask
        ",
    );
    assert_eq!(loaded.document.rules[0].origin.line, 5);
}

#[test]
fn c119_a_default_in_an_agents_ceiling_is_a_rule() {
    let text = |word| {
        format!("[agents.a.permissions]\ndefault = \"{word}\"\ntools = {{ file_ops = \"allow\" }}")
    };
    check(
        &toml(&text("ask")),
        "
        -- policy.toml [agents.a] (ceiling)
        allow tool:file_ops agent a
        ask tool:* agent a
        closed tool agent a
        document agent a
        ",
    );
    check(
        &toml(&text("deny")),
        "
        -- policy.toml [agents.a] (ceiling)
        allow tool:file_ops agent a
        closed tool agent a
        document agent a
        ",
    );
}
