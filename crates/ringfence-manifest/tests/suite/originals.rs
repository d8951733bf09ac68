//! The examples in the documents of mlld, Seal, Aleph and hermes-agent, read from the originals
//! where they are there.

use ringfence_manifest::Format;

use super::support::{check, load, say_all, shared, toml};

/// The object literals in mlld's page on `policy-capabilities`, in their order.
fn mlld_literals(page: &str) -> Vec<&str> {
    let starts = page.split("var @policyConfig = ").skip(1);
    starts.map(|rest| rest.split("\npolicy @p").next().unwrap()).collect()
}

#[test]
fn mlld_literals_load_as_yaml_and_json() {
    let Some(page) = shared("seeds/2-mlld-policy-capabilities.md") else { return };
    let expected = [
        "
        allow cmd:git:*
        allow cmd:npm:*
        allow fs:r:**
        allow fs:w:@root/tmp/**
        deny sh
        danger list of 2
        danger allow @keychain
        danger allow fs:r:~/.ssh/*
        ",
        "
        allow cmd:echo:*
        allow fs:r:**
        deny sh
        deny net:*
        ",
        "
        allow cmd:git:*
        allow fs:r:**
        deny sh
        ",
        "
        allow cmd:git:*
        allow fs:r:**
        deny sh
        danger list of 1
        danger allow cmd:git:push:*:--force
        ",
    ];
    let literals = mlld_literals(&page);
    assert_eq!(literals.len(), expected.len());
    for (literal, expected) in literals.into_iter().zip(expected) {
        check(&load(Format::Yaml, literal), expected);
        check(&load(Format::Json, literal), expected);
        check(&load(Format::Json, &quote_keys(literal)), expected);
    }
}

/// The literal as strict JSON has it.
fn quote_keys(literal: &str) -> String {
    let mut text = literal.to_owned();
    for key in ["capabilities", "allow", "danger", "deny", "sh", "network"] {
        text = text.replace(&format!("{key}: "), &format!("\"{key}\": "));
    }
    text
}

#[test]
fn c117_aleph_sample() {
    let Some(page) = shared("seeds/3-aleph-capability-system.txt") else { return };
    let start = page.find("[permissions.tools]").unwrap();
    let end = page[start..].find("Actions:").unwrap();
    check(
        &toml(&page[start..start + end]),
        "
        ask tool:* tool code_execution
        deny tool:* tool terminal
        allow tool:file_ops
        ",
    );
}

#[test]
fn hermes_sample() {
    let Some(page) = shared("seeds/4-hermes-agent-issue-9389.txt") else { return };
    let start = page.find("tools:\n  terminal:").unwrap();
    let end = page[start..].find("\n\nToday").unwrap();
    let said = say_all(&load(Format::Yaml, &page[start..start + end]));
    for line in [
        "allow fs:rw:${HERMES_HOME}/** tool terminal",
        "deny fs:rw:~/.aws tool terminal",
        "allow fs:r:~/Documents/** tool file",
        "allow fs:w:~/forge-zero/** tool file",
        "-- policy.yaml [tools.terminal] (ceiling)",
        "-- policy.yaml [tools.file] (ceiling)",
    ] {
        assert!(said.lines().any(|said| said == line), "{line}\n{said}");
    }
}

#[test]
fn seal_examples() {
    let Some(page) = shared("seeds/1-seal-capabilities-deny.txt") else { return };
    // The page has no whole document; its examples stand in their fields.
    for example in [
        "\"sw_vers\"",
        "[\"*.rs\", \"*.toml\"]",
        "\"src/**\"",
        "{ command, domains }",
        "{ path, files, prompt? }",
    ] {
        assert!(page.contains(example), "{example}");
    }
    check(
        &toml(
            r#"
[capabilities.deny.read]
default_files = ["*.rs", "*.toml"]
paths = ["src/**", { path = "docs", files = ["*.md"], prompt = false }, { path = "x" }]
[capabilities.deny.commands]
domains = []
env_vars = []
patterns = ["sw_vers", { command = "curl", domains = ["a.example"] }]
"#,
        ),
        "
        deny fs:r:src/**/*.rs
        deny fs:r:src/**/*.toml
        deny fs:r:docs/*.md
        deny fs:r:x/*.rs
        deny fs:r:x/*.toml
        deny cmd:sw_vers:*
        deny net:a.example under [curl:*]
        ",
    );
}

#[test]
fn seal_starter_manifest() {
    let Some(detail) = shared("seeds/detail.md") else { return };
    let start = detail.find("[capabilities.deny.read] default_files").unwrap();
    let end = detail[start..].find('`').unwrap();
    let text = detail[start..start + end].replacen("] ", "]\n", 1);
    check(
        &toml(&text),
        "
        deny fs:r:**/*.key
        deny fs:r:**/*.pem
        deny fs:r:**/*.seed
        deny fs:r:**/.env
        deny fs:r:**/.env.*
        ",
    );
}

#[test]
fn the_designs_own_document() {
    let Some(design) = shared("design.md") else { return };
    let document = design.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let loaded = toml(document);
    assert_eq!(loaded.title.as_deref(), Some("shop-agent"));
    assert_eq!(loaded.tests.len(), 1);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let names: Vec<&str> = loaded.ceilings.iter().map(|ceiling| &*ceiling.name).collect();
    assert_eq!(
        names,
        [
            "policy.toml [capabilities]",
            "policy.toml ceiling",
            "policy.toml [tools.terminal]",
            "policy.toml [tools.file]",
            "policy.toml [agents.reviewer]",
        ]
    );
}
