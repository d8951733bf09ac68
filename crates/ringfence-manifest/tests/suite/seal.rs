//! Seal's sections.

use ringfence_manifest::Format;

use super::support::{check, lines_with, refused, toml, warnings};

#[test]
fn c053_c054_denied_commands() {
    check(
        &toml(
            r#"
[capabilities.deny.commands]
patterns = ["sw_vers", "git push", "rm:*", { command = "curl", domains = ["evil.example"] }, { command = "wget" }]
"#,
        ),
        "
        deny cmd:sw_vers:*
        deny cmd:git:push:*
        deny cmd:rm:*
        deny net:evil.example under [curl:*]
        ",
    );
    let errors = refused(
        Format::Toml,
        "[capabilities.deny.commands]\npatterns = [{ domains = [\"a.example\"] }]",
    );
    assert!(errors.contains("the key `command` is missing"), "{errors}");
}

#[test]
fn c055_c056_c058_section_denies() {
    check(
        &toml(
            r#"
[capabilities.deny.commands]
domains = ["paste.example", "*.x.example"]
env_vars = ["AWS_SECRET_ACCESS_KEY", "GH_*"]
patterns = [{ command = "curl", domains = ["evil.example"] }]
[security]
universal_deny_domains = ["metadata.internal"]
"#,
        ),
        "
        deny net:metadata.internal
        deny net:evil.example under [curl:*]
        deny net:paste.example under [*]
        deny net:*.x.example under [*]
        deny env:AWS_SECRET_ACCESS_KEY
        deny env:GH_*
        ",
    );
}

#[test]
fn c060_default_files_times_paths() {
    check(
        &toml(
            "[capabilities.allow.read]\ndefault_files = [\"*.rs\", \"*.toml\"]\npaths = [\"src/**\", \"docs\"]",
        ),
        "
        allow fs:r:src/**/*.rs
        allow fs:r:src/**/*.toml
        allow fs:r:docs/*.rs
        allow fs:r:docs/*.toml
        closed files
        ",
    );
}

#[test]
fn c061_rule_join() {
    check(
        &toml(
            r#"
[capabilities.allow.write]
default_files = ["*"]
paths = ["src/**", ".", "**", "**/gen", "out/", { path = "a", files = ["*.rs"] }]
[capabilities.allow.delete]
default_files = ["*"]
paths = ["tmp/**"]
[capabilities.deny.write]
default_files = ["*.key"]
paths = ["**", "."]
"#,
        ),
        "
        allow fs:w:src/**/*
        allow fs:w:./*
        allow fs:w:@root/**/*
        allow fs:w:@root/**/gen/*
        allow fs:w:out/*
        allow fs:w:a/*.rs
        allow fs:d:tmp/**/*
        deny fs:w:**/*.key
        deny fs:w:./*.key
        closed files
        ",
    );
}

#[test]
fn c062_path_entry_variants() {
    check(
        &toml(
            r#"
[capabilities.allow.read]
default_files = ["*.rs"]
paths = [
  "a",
  { path = "b", files = ["*.md"], prompt = true },
  { path = "c", files = ["*.md"] },
  { path = "d", prompt = true },
  { path = "e" },
  { path = "f", files = [] },
]
"#,
        ),
        "
        allow fs:r:a/*.rs
        ask fs:r:b/*.md
        allow fs:r:c/*.md
        ask fs:r:d/*.rs
        allow fs:r:e/*.rs
        closed files
        ",
    );
    let errors = refused(Format::Toml, "[capabilities.allow.read]\npaths = [{ files = [\"*\"] }]");
    assert!(errors.contains("the key `path` is missing"), "{errors}");
    let errors = refused(
        Format::Toml,
        "[capabilities.allow.read]\npaths = [{ path = \"a\", file = [\"*\"] }]",
    );
    assert!(errors.contains("hint: did you mean `files`?"), "{errors}");
}

#[test]
fn c063_prompt_and_list_defaults() {
    check(&toml("[capabilities.allow.read]"), "closed files");
    check(&toml("[capabilities.allow.read]\npaths = [\"src/**\"]"), "closed files");
    check(
        &toml("[capabilities.allow.commands]"),
        "closed exec\nclosed net under [*]\nclosed env under [*]",
    );
    check(&toml("[capabilities.allow]"), "");
    let loaded = toml("[capabilities.allow.read]\ndefault_files = [\"*.rs\"]");
    check(&loaded, "closed files");
    assert_eq!(
        warnings(&loaded),
        ["policy.toml:2:18: `default_files` without `paths` grants nothing"]
    );
    // Inside deny a prompt has no effect, and that is said.
    let loaded = toml(
        "[capabilities.deny.read]\npaths = [{ path = \"a\", files = [\"*\"], prompt = true }]",
    );
    check(&loaded, "deny fs:r:a/*");
    assert_eq!(warnings(&loaded), ["policy.toml:2:48: `prompt` has no effect inside `deny`"]);
}

#[test]
fn c064_default_files_only_in_deny() {
    check(
        &toml("[capabilities.deny.read]\ndefault_files = [\"*.key\", \".env\", \".env.*\"]"),
        "
        deny fs:r:**/*.key
        deny fs:r:**/.env
        deny fs:r:**/.env.*
        ",
    );
    // And paths without files are denied whole, never left open.
    check(&toml("[capabilities.deny.read]\npaths = [\"secrets/**\"]"), "deny fs:r:secrets/**/*");
    check(&toml("[capabilities.deny.read]"), "");
}

#[test]
fn c065_allow_command_table() {
    check(
        &toml(
            r#"
[capabilities.allow]
additional_directories = ["../lib", "~/x"]
[capabilities.allow.commands]
default_domains = ["@crates"]
default_env_vars = ["CARGO_HOME"]
patterns = [
  "cargo test:*",
  { command = "cargo publish", prompt = true, paths = ["crates/**", "tools"], env_vars = ["CARGO_TOKEN"], domains = ["publish.example"], inherit_default_domains = false },
]
"#,
        ),
        "
        allow cmd:cargo:test:* within [@root/**, ../lib/**, ~/x/**]
        ask cmd:cargo:publish within [crates/**, tools/**]
        allow net:@crates under [cargo:test:*]
        allow net:publish.example under [cargo:publish]
        allow env:CARGO_HOME under [cargo:test:*]
        allow env:CARGO_TOKEN under [cargo:publish]
        closed exec
        closed net under [*]
        closed env under [*]
        directory ../lib/**
        directory ~/x/**
        ",
    );
}

const COMMANDS: &str = r#"
[capabilities.allow.commands]
default_domains = ["d.example"]
default_env_vars = ["D"]
"#;

fn commands(patterns: &str, word: &str) -> Vec<String> {
    let loaded = toml(&format!("{COMMANDS}patterns = [{patterns}]"));
    lines_with(&loaded.document, word)
        .into_iter()
        .filter(|line| line.starts_with("allow"))
        .collect()
}

#[test]
fn c066_env_vars_replace() {
    assert_eq!(
        commands(
            r#""a:*", { command = "b", env_vars = ["B"] }, { command = "c", env_vars = [] }, { command = "d" }"#,
            "env:"
        ),
        ["allow env:D under [a:*, d:]", "allow env:B under [b:]"]
    );
}

#[test]
fn c067_domains_union() {
    assert_eq!(
        commands(
            r#""a:*", { command = "b", domains = ["b.example"] }, { command = "c", domains = ["c.example"], inherit_default_domains = false }"#,
            "net:"
        ),
        [
            "allow net:d.example under [a:*, b:]",
            "allow net:b.example under [b:]",
            "allow net:c.example under [c:]"
        ]
    );
}

#[test]
fn c068_inherit_false_and_none() {
    assert_eq!(
        commands(r#"{ command = "a:*", inherit_default_domains = false }"#, "net:"),
        [""; 0]
    );
}

#[test]
fn c068_the_narrowest_entry_counts() {
    // `cargo publish` has no network although `cargo:*` has; `cargo publish --dry-run` has again.
    assert_eq!(
        commands(
            r#""cargo:*", { command = "cargo publish:*", inherit_default_domains = false }, "cargo publish --dry-run", "git:*""#,
            "net:"
        ),
        [
            "allow net:d.example under [cargo:*] unless [cargo:publish:*, cargo:publish:--dry-run]",
            "allow net:d.example under [cargo:publish:--dry-run, git:*]",
        ]
    );
    // The same command twice is narrower than neither.
    assert_eq!(
        commands(
            r#""a:*", { command = "a:*", domains = ["x.example"] }, { command = "a", inherit_default_domains = false }"#,
            "net:"
        ),
        [
            "allow net:d.example under [a:*] unless [a:]",
            "allow net:x.example under [a:*] unless [a:]",
            "allow net:d.example under [a:*] unless [a:]",
        ]
    );
}

#[test]
fn c070_additional_directories_grant_nothing() {
    check(
        &toml("[capabilities.allow]\nadditional_directories = [\"../lib\"]"),
        "directory ../lib/**",
    );
    let text = |dirs| {
        format!(
            "[capabilities.allow]\nadditional_directories = {dirs}\n[capabilities.allow.read]\ndefault_files = [\"*\"]\npaths = [\"../lib/src/**\"]"
        )
    };
    assert!(toml(&text("[\"../lib\"]")).warnings.is_empty());
    let loaded = toml(&text("[\"../library\"]"));
    assert_eq!(warnings(&loaded), ["policy.toml:5:10: `../lib/src/**` lies outside the root"]);
}

#[test]
fn c071_command_notation() {
    check(
        &toml(
            "[capabilities.allow.commands]\npatterns = [\"cargo test:*\", \"cargo test\", \"make\", \"a:b c*\"]",
        ),
        "
        allow cmd:cargo:test:* within [@root/**]
        allow cmd:cargo:test within [@root/**]
        allow cmd:make: within [@root/**]
        allow cmd:a\\:b:c\\* within [@root/**]
        closed exec
        closed net under [*]
        closed env under [*]
        ",
    );
    for bad in ["", ":*", " :*"] {
        let errors = refused(
            Format::Toml,
            &format!("[capabilities.allow.commands]\npatterns = [\"{bad}\"]"),
        );
        assert!(errors.contains("names no program"), "{errors}");
    }
}

#[test]
fn c079_sudo_and_python_grants() {
    for (command, word) in [
        ("sudo:*", "sudo"),
        ("/usr/bin/sudo ls", "sudo"),
        ("doas:*", "doas"),
        ("python:*", "python"),
        ("python3 -m pytest:*", "python"),
        ("python3.12", "python"),
        ("uv run:*", "python"),
        ("uv:*", "python"),
        ("uv run x", "python"),
    ] {
        let text = |grant| {
            format!(
                "[security]\ndangerously_grant = {grant}\n[capabilities.allow.commands]\npatterns = [\"{command}\"]"
            )
        };
        let errors = refused(Format::Toml, &text("[]"));
        assert!(
            errors.contains(&format!("grants `{word}`, which `dangerously_grant` does not name")),
            "{errors}"
        );
        assert!(
            errors.contains(&format!(
                "hint: if it is meant: `[security] dangerously_grant = [\"{word}\"]`"
            )),
            "{errors}"
        );
        let loaded = toml(&text(&format!("[\"{word}\"]")));
        assert_eq!(
            warnings(&loaded),
            [format!(
                "policy.toml:4:13: grants `{word}`: whoever may run it may do nearly anything"
            )]
        );
    }
    for harmless in ["cargo test:*", "pythonista", "uv sync", "sudoku:*"] {
        toml(&format!("[capabilities.allow.commands]\npatterns = [\"{harmless}\"]"));
    }
}
