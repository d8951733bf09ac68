//! One document in three formats.

use ringfence_manifest::Format;

use super::support::{load, say_all};

const TOML: &str = r#"
default = "ask"
allow = [
    "cmd:git:*", # a comment
    { pattern = "fs:r:@root/**", agent = "ops", why = "läuft", until = 2027-03-01 },
]
deny = { sh = true, network = true }
danger = []

[capabilities.deny.commands]
env_vars = ["AWS_*"]

[tools."mcp__fs__*"]
enabled = true
allowed_paths = ["~/a", "${B}", "/tmp"]

[permissions.tools]
bash = "deny"

[agents.reviewer]
deny = ["fs:w:**"]

[[test]]
call = "git status"
expect = "allow"
"#;

const YAML: &str = r#"
default: ask
allow:
  - cmd:git:* # a comment
  - { pattern: "fs:r:@root/**", agent: ops, why: läuft, until: 2027-03-01 }
deny: { sh: true, network: true }
danger: []
capabilities:
  deny:
    commands:
      env_vars: [AWS_*]
tools:
  mcp__fs__*:
    enabled: true
    allowed_paths:
    - ~/a
    - ${B}
    - /tmp
permissions:
  tools: { bash: deny }
agents:
  reviewer:
    deny: ["fs:w:**"]
test:
  - call: git status
    expect: allow
"#;

const JSON: &str = r#"
{
  "default": "ask",
  "allow": [
    "cmd:git:*", // a comment
    { "pattern": "fs:r:@root/**", "agent": "ops", "why": "l\u00e4uft", "until": "2027-03-01" },
  ],
  "deny": { "sh": true, "network": true },
  "danger": [],
  "capabilities": { "deny": { "commands": { "env_vars": ["AWS_*"] } } },
  "tools": { "mcp__fs__*": { "enabled": true, "allowed_paths": ["~/a", "${B}", "/tmp"] } },
  /* the rest */
  "permissions": { "tools": { "bash": "deny" } },
  "agents": { "reviewer": { "deny": ["fs:w:**"] } },
  "test": [{ "call": "git status", "expect": "allow" }],
}
"#;

#[test]
fn toml_yaml_and_json_are_one_document() {
    let said = |format, text: &str| {
        say_all(&load(format, text))
            .replace("policy.yaml", "policy.toml")
            .replace("policy.json", "policy.toml")
    };
    let toml = said(Format::Toml, TOML);
    assert!(toml.contains("allow cmd:git:*"), "{toml}");
    assert_eq!(said(Format::Yaml, YAML), toml);
    assert_eq!(said(Format::Json, JSON), toml);
}

#[test]
fn every_rule_keeps_its_place_in_every_format() {
    let places = |format, text: &str| -> Vec<(u32, u32)> {
        let rules = load(format, text).document.rules;
        rules.iter().map(|rule| (rule.origin.line, rule.origin.column)).take(4).collect()
    };
    // The pattern itself: its quote where it has one. Flags stand where they are set.
    assert_eq!(places(Format::Toml, TOML), [(4, 5), (5, 17), (7, 15), (7, 31)]);
    assert_eq!(places(Format::Yaml, YAML), [(4, 5), (5, 16), (6, 13), (6, 28)]);
    assert_eq!(places(Format::Json, JSON), [(5, 5), (6, 18), (8, 19), (8, 36)]);
}

#[test]
fn rule_500_of_1000_has_its_line() {
    let rules: Vec<String> = (1..=1000).map(|n| format!("cmd:p{n}:*")).collect();
    let toml = format!(
        "allow = [\n{}\n]",
        rules.iter().map(|r| format!("  \"{r}\",\n")).collect::<String>()
    );
    let yaml =
        format!("allow:\n{}", rules.iter().map(|r| format!("  - {r}\n")).collect::<String>());
    let json = format!(
        "{{\"allow\": [\n{}\n]}}",
        rules.iter().map(|r| format!("  \"{r}\"")).collect::<Vec<_>>().join(",\n")
    );
    for (format, text, column) in
        [(Format::Toml, toml, 3), (Format::Yaml, yaml, 5), (Format::Json, json, 3)]
    {
        let rule = &load(format, &text).document.rules[499];
        assert_eq!((rule.origin.line, rule.origin.column), (501, column), "{format}");
        assert_eq!(rule.pattern.to_string(), "cmd:p500:*");
    }
}

#[test]
fn formats_are_told_by_their_names() {
    for (path, format) in [
        ("/etc/ringfence/policy.toml", Some(Format::Toml)),
        ("ringfence.yaml", Some(Format::Yaml)),
        ("ringfence.YML", Some(Format::Yaml)),
        ("ringfence.json", Some(Format::Json)),
        ("ringfence.jsonc", Some(Format::Json)),
        ("ringfence", None),
        ("ringfence.txt", None),
    ] {
        assert_eq!(Format::of_path(path), format, "{path}");
    }
}

#[test]
fn crlf_and_a_byte_order_mark_are_read() {
    let text = "\u{feff}allow = [\r\n  \"cmd:git:*\",\r\n]\r\n";
    let loaded = load(Format::Toml, text);
    assert_eq!(loaded.document.rules[0].origin.line, 2);
    load(Format::Yaml, "\u{feff}allow:\r\n  - cmd:git:*\r\n");
    load(Format::Json, "\u{feff}{\r\n\"allow\": []\r\n}\r\n");
}

#[test]
fn an_empty_document_says_nothing() {
    for (format, text) in [
        (Format::Toml, ""),
        (Format::Toml, "# only this\n"),
        (Format::Yaml, ""),
        (Format::Yaml, "# only this\n"),
        (Format::Yaml, "---\n{}\n"),
        (Format::Json, "{}"),
    ] {
        assert_eq!(say_all(&load(format, text)), "", "{format} {text:?}");
    }
}

#[test]
fn yaml_words_are_text() {
    let loaded =
        load(Format::Yaml, "name: no\nallow: [{ pattern: cmd:a, why: yes, owner: on, id: off }]\n");
    assert_eq!(loaded.title.as_deref(), Some("no"));
    assert_eq!(say_all(&loaded), "allow cmd:a why `yes` owner `on` id `off`");
    let errors = super::support::refused(Format::Yaml, "deny: { sh: yes }");
    assert!(errors.contains("expected `true` or `false`, found the text `yes`"), "{errors}");
}
