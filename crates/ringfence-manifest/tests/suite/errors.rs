//! What people see when a document is refused.

use ringfence_manifest::{Format, NoLibrary, read};

use super::support::{refused, source};

fn check(format: Format, text: &str, expected: &str) {
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    assert_eq!(refused(format, text), expected.trim_end());
}

#[test]
fn c080_unknown_config_key() {
    check(
        Format::Toml,
        "name = \"x\"\nalow = [\"cmd:git:*\"]\n",
        r#"
error: unknown key `alow`
 --> policy.toml:2:1
  |
2 | alow = ["cmd:git:*"]
  | ^^^^
  |
  = hint: did you mean `allow`?
"#,
    );
    check(
        Format::Yaml,
        "tools:\n  terminal:\n    allowed_path:\n      - ~/a\n",
        r#"
error: unknown key `allowed_path`
 --> policy.yaml:3:5
  |
3 |     allowed_path:
  |     ^^^^^^^^^^^^
  |
  = hint: did you mean `allowed_paths`?
"#,
    );
    check(
        Format::Json,
        "{\n  \"capabilities\": {\"allow\": {\"reed\": {}}}\n}\n",
        r#"
error: unknown key `reed`
 --> policy.json:2:30
  |
2 |   "capabilities": {"allow": {"reed": {}}}
  |                              ^^^^^^
  |
  = hint: did you mean `read`?
"#,
    );
}

#[test]
fn a_key_far_from_all_others_gets_the_list() {
    check(
        Format::Toml,
        "[keychain]\nwhatever = 1\n",
        r#"
error: unknown key `whatever`
 --> policy.toml:2:1
  |
2 | whatever = 1
  | ^^^^^^^^
  |
  = hint: known here: `projectname`, `allow`, `deny`
"#,
    );
}

#[test]
fn keys_of_later_versions_are_not_read_yet() {
    let errors = refused(Format::Toml, "[manifests]\n");
    assert!(errors.contains("nothing enforces `manifests` yet"), "{errors}");
    assert!(errors.contains("policy.toml:1:2"), "{errors}");
}

#[test]
fn wrong_types_point_at_the_value() {
    check(
        Format::Toml,
        "allow = \"cmd:git:*\"\n",
        r#"
error: expected a list, found the text `cmd:git:*`
 --> policy.toml:1:9
  |
1 | allow = "cmd:git:*"
  |         ^^^^^^^^^^^
"#,
    );
    check(
        Format::Yaml,
        "allow:\n  - cmd:git:*\n  - 7\n",
        r#"
error: expected text or a table, found the number `7`
 --> policy.yaml:3:5
  |
3 |   - 7
  |     ^
"#,
    );
    check(
        Format::Json,
        "{\"tools\": {\"file\": {\"enabled\": \"yes\"}}}",
        r#"
error: expected `true` or `false`, found the text `yes`
 --> policy.json:1:32
  |
1 | {"tools": {"file": {"enabled": "yes"}}}
  |                                ^^^^^
"#,
    );
    check(
        Format::Json,
        "[]",
        r#"
error: expected a table, found a list
 --> policy.json:1:1
  |
1 | []
  | ^^
"#,
    );
}

#[test]
fn a_list_is_no_table() {
    for text in [
        "{\"security\": [[\"a.example\"]]}",
        "{\"tools\": {\"file\": [true]}}",
        "{\"allow\": [[\"cmd:a\"]]}",
        "{\"agents\": {\"a\": []}}",
        "{\"tools\": []}",
    ] {
        assert!(refused(Format::Json, text).contains("found a list"), "{text}");
    }
}

#[test]
fn nothing_is_no_value() {
    for (format, text) in [
        (Format::Yaml, "allow:\n"),
        (Format::Yaml, "allow: ~\n"),
        (Format::Json, "{\"allow\": null}"),
        (Format::Json, "{\"default\": null}"),
    ] {
        assert!(refused(format, text).contains("found nothing"), "{text}");
    }
}

#[test]
fn duplicate_keys_are_refused_in_every_format() {
    check(
        Format::Toml,
        "deny = []\nallow = []\ndeny = []\n",
        r#"
error: duplicate key `deny`
 --> policy.toml:3:1
  |
3 | deny = []
  | ^^^^
  |
  = hint: a key stands once in a table: join the two
"#,
    );
    check(
        Format::Yaml,
        "deny: []\n\"deny\": []\n",
        r#"
error: duplicate key `deny`
 --> policy.yaml:2:1
  |
2 | "deny": []
  | ^^^^^^
  |
  = hint: a key stands once in a table: join the two
"#,
    );
    check(
        Format::Json,
        "{\"deny\": [],\n \"d\\u0065ny\": []}",
        r#"
error: duplicate key `deny`
 --> policy.json:2:2
  |
2 |  "d\u0065ny": []}
  |  ^^^^^^^^^^^
  |
  = hint: a key stands once in a table: join the two
"#,
    );
}

#[test]
fn bad_patterns_point_at_themselves() {
    check(
        Format::Toml,
        "allow = [\n    \"cmd:git:*\",\n    \"comand:ls\",\n]\n",
        r#"
error: bad pattern `comand:ls`: has none of the known prefixes
 --> policy.toml:3:5
  |
3 |     "comand:ls",
  |     ^^^^^^^^^^^
  |
  = hint: a command is written `cmd:comand:ls:*`
"#,
    );
    check(
        Format::Yaml,
        "deny:\n- pattern: fs:q:/x\n  why: x\n",
        r#"
error: bad pattern `fs:q:/x`: `q` is not a right
 --> policy.yaml:2:12
  |
2 | - pattern: fs:q:/x
  |            ^^^^^^^
  |
  = hint: `r` to read, `w` to write, `d` to delete, `rw` for both
"#,
    );
    check(
        Format::Json,
        "{\"security\": {\"universal_deny_domains\": [\"https://x.example/\"]}}",
        r#"
error: bad pattern `net:https://x.example/`: is a URL
 --> policy.json:1:42
  |
1 | {"security": {"universal_deny_domains": ["https://x.example/"]}}
  |                                          ^^^^^^^^^^^^^^^^^^^^
  |
  = hint: write the host alone
"#,
    );
}

#[test]
fn all_errors_are_told_at_once() {
    let text = "alow = []\nallow = [\"cmd:a\", 5, \"cdm:b\", { patern = \"cmd:c\" }, { pattern = 1, why = 2 }]\ndefault = \"allow\"\n[tools.file]\nenabled = 1\n[keychain]\nallow = [\"x\"]\n";
    let errors =
        read(&source(Format::Toml, text), ringfence_core::Role::User, &NoLibrary).unwrap_err();
    assert_eq!(
        errors.to_string(),
        "\
policy.toml:1:1: unknown key `alow`
policy.toml:2:19: expected text or a table, found the number `5`
policy.toml:2:22: bad pattern `cdm:b`: has none of the known prefixes
policy.toml:2:33: unknown key `patern`
policy.toml:2:65: expected text, found the number `1`
policy.toml:2:74: expected text, found the number `2`
policy.toml:3:11: `allow` is none of `deny`, `ask`
policy.toml:5:11: expected `true` or `false`, found the number `1`
policy.toml:7:10: bad pattern `keychain:x`: names no account"
    );
}

#[test]
fn syntax_errors_have_their_place() {
    for (format, text, place) in [
        (Format::Toml, "allow = [\n  \"cmd:git:*\n]\n", "policy.toml:2:"),
        (Format::Toml, "allow [\n", "policy.toml:1:"),
        (Format::Yaml, "allow: [a\nb: c\n", "policy.yaml:2:"),
        (Format::Yaml, "\tallow: x\n", "policy.yaml:1:"),
        (Format::Json, "{\n  \"allow\": [\"a\" \"b\"]\n}", "policy.json:2:"),
        (Format::Json, "{\"allow\": ['a']}", "policy.json:1:"),
        (Format::Json, "{} {}", "policy.json:1:"),
        (Format::Json, "", "policy.json:1:1"),
    ] {
        let errors = refused(format, text);
        assert!(errors.contains(place), "{place}\n{errors}");
    }
}

#[test]
fn a_very_long_line_is_shown_in_part() {
    let many: String = (0..5000).map(|n| format!("\"cmd:p{n}\", ")).collect();
    let text = format!("{{\"allow\": [{many}\"cdm:x\"]}}");
    let errors =
        read(&source(Format::Json, &text), ringfence_core::Role::User, &NoLibrary).unwrap_err();
    let error = errors.iter().next().unwrap();
    assert_eq!(error.line(), 1);
    assert_eq!(error.column() as usize, text.find("\"cdm:x\"").unwrap() + 1);
    assert_eq!(error.offending(), "\"cdm:x\"");
    assert!(error.source_line().len() < 400);
    let shown = error.render(false);
    assert!(shown.contains(&format!("policy.json:1:{}", error.column())), "{shown}");
    assert!(shown.contains("^^^^^^^"), "{shown}");
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let errors = refused(Format::Json, "{\"a\\u001b[31m\": 1}");
    assert!(!errors.contains('\u{1b}'), "{errors:?}");
    let errors = refused(Format::Yaml, "\"a\\e[31m\": 1");
    assert!(!errors.contains('\u{1b}'), "{errors:?}");
}

#[test]
fn colours_are_the_callers_choice() {
    let errors = read(&source(Format::Toml, "alow = 1"), ringfence_core::Role::User, &NoLibrary)
        .unwrap_err();
    assert!(errors.render(true).contains('\u{1b}'));
    assert!(!errors.render(false).contains('\u{1b}'));
}
