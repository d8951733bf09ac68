//! The canonical form: flat lists of strings and tables.

use ringfence_manifest::Format;

use super::support::{check, load, refused, toml};

#[test]
fn every_list_takes_strings_and_tables() {
    let loaded = toml(
        r#"
schema = 1
name = "shop-agent"
default = "ask"
allow = ["cmd:git:*", { pattern = "cmd:kubectl:get:*", agent = "ops", why = "read-only", owner = "ana", until = 2027-03-01, id = "k" }]
ask = ["cmd:git:push:*"]
danger = ["fs:r:~/.ssh/*", "@keychain"]
deny = ["sh", { pattern = "fs:r:**/.env*", except = ["**/.env.example", "fs:r:**/.env.sample"] }]
ceiling = ["net:*.acme.example"]
danger_list = ["cmd:terraform:destroy:*"]
"#,
    );
    assert_eq!(loaded.title.as_deref(), Some("shop-agent"));
    check(
        &loaded,
        "
        allow cmd:git:*
        allow cmd:kubectl:get:* agent ops why `read-only` owner `ana` until 2027-03-01 id `k`
        ask cmd:git:push:*
        deny sh
        deny fs:r:**/.env* except fs:r:**/.env.example except fs:r:**/.env.sample
        danger list of 2
        danger allow fs:r:~/.ssh/*
        danger allow @keychain
        dangerous deny cmd:terraform:destroy:*
        default ask
        -- policy.toml ceiling (ceiling)
        allow net:*.acme.example
        ",
    );
}

#[test]
fn a_rule_table_can_say_where_it_holds() {
    let loaded = toml(
        r#"
allow = [
  { pattern = "net:*.example.com", command = "curl:*", within = "src" },
  { pattern = "fs:r:@root/**", tool = "file", agent = "rev*" },
  { pattern = "fs:r:@root/**", tool = "mcp__fs__*", unless = ["cmd:a:*", "b"], command = ["*"] },
  { closed = "env", command = "*" },
  { pattern = "cmd:*", tool = "Bash", fallback = true },
]
"#,
    );
    check(
        &loaded,
        "
        allow net:*.example.com under [curl:*] within [src/**]
        allow fs:r:@root/** agent rev* tool file
        allow fs:r:@root/** tool-name mcp__fs__* under [*] unless [a:*, b]
        closed env under [*]
        fallback allow cmd:* tool terminal
        ",
    );
}

#[test]
fn a_danger_list_that_is_empty_is_not_one_that_is_absent() {
    assert!(toml("").document.danger.is_none());
    assert_eq!(toml("danger = []").document.danger.map(|list| list.len()), Some(0));
}

#[test]
fn a_list_inside_ceiling_is_a_ceiling_of_its_own() {
    let loaded = toml(
        r#"ceiling = ["net:a.example", ["net:b.example", { pattern = "net:c.example", ask = true }]]"#,
    );
    check(
        &loaded,
        "
        -- policy.toml ceiling (ceiling)
        allow net:a.example
        -- policy.toml ceiling (ceiling)
        allow net:b.example
        ask net:c.example
        ",
    );
}

#[test]
fn deny_can_be_true() {
    for (format, text) in [
        (Format::Toml, "deny = true"),
        (Format::Yaml, "deny: true"),
        (Format::Json, r#"{"deny": true}"#),
    ] {
        check(
            &load(format, text),
            "
            deny cmd:*
            deny fs:rw:**
            deny net:*
            deny listen:*
            deny sock:/**
            deny env:*
            deny tool:*
            deny mcp:*/resource:*
            deny mcp:*/prompt:*
            deny mcp:*/method:*
            deny @keychain
            ",
        );
    }
}

#[test]
fn keys_have_their_lists() {
    let text = r#"
allow = [{ pattern = "cmd:a", except = ["cmd:a:b"] }, { pattern = "cmd:a", ask = true }]
deny = [{ pattern = "cmd:a", fallback = true }, { closed = "net" }, {}, { pattern = "cmd:a", closed = "net" }]
danger_list = [{ pattern = "cmd:a", except = ["fs:r:x"] }]
"#;
    let errors = refused(Format::Toml, text);
    for message in [
        "`except` stands only in `deny` and `danger_list`",
        "`ask` stands only in `ceiling`",
        "`fallback` stands only in `allow`",
        "`closed` stands only in `allow` and `ceiling`",
        "the key `pattern` is missing",
        "`closed` cannot stand beside `pattern`",
        "`fs:r:x` can be no exception to `cmd:a`",
    ] {
        assert!(errors.contains(message), "{message}\n{errors}");
    }
}

#[test]
fn until_is_a_date_of_any_format() {
    for (format, text) in [
        (Format::Toml, "allow = [{ pattern = \"cmd:a\", until = 2027-03-01 }]"),
        (Format::Toml, "allow = [{ pattern = \"cmd:a\", until = \"2027-03-01\" }]"),
        (Format::Yaml, "allow: [{ pattern: cmd:a, until: 2027-03-01 }]"),
        (Format::Json, r#"{"allow": [{"pattern": "cmd:a", "until": "2027-03-01"}]}"#),
    ] {
        check(&load(format, text), "allow cmd:a until 2027-03-01");
    }
    let errors =
        refused(Format::Toml, "allow = [{ pattern = \"cmd:a\", until = 2027-03-01T10:00:00Z }]");
    assert!(errors.contains("is not a date of the form `2027-03-01`"), "{errors}");
    let errors = refused(Format::Toml, "allow = [{ pattern = \"cmd:a\", until = 20270301 }]");
    assert!(errors.contains("expected a date"), "{errors}");
}

#[test]
fn tests_name_a_line_or_a_tool() {
    let loaded = toml(
        r#"
[[test]]
call = "git push --force"
expect = "deny"

[[test]]
tool = "read_file"
input = { path = "a", deep = [1, 2.5, true, { x = "y" }] }
agent = "ops"
cwd = "src"
expect = "allow"
"#,
    );
    let shown: Vec<String> = loaded
        .tests
        .iter()
        .map(|test| {
            format!(
                "{} {:?} {:?} {:?} {}",
                test.origin, test.call, test.agent, test.cwd, test.expect
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            r#"policy.toml:2 Line("git push --force") None None deny"#,
            r#"policy.toml:6 Tool { name: "read_file", input: Object {"path": String("a"), "deep": Array [Number(1), Number(2.5), Bool(true), Object {"x": String("y")}]} } Some("ops") Some("src") allow"#,
        ]
    );
    for (text, message) in [
        ("[[test]]\nexpect = \"deny\"", "a test needs a call"),
        ("[[test]]\ncall = \"a\"\ntool = \"b\"\nexpect = \"deny\"", "not both"),
        ("[[test]]\ncall = \"a\"", "the key `expect` is missing"),
        (
            "[[test]]\ncall = \"a\"\nexpect = \"denied\"",
            "`denied` is none of `allow`, `ask`, `deny`",
        ),
    ] {
        let errors = refused(Format::Toml, text);
        assert!(errors.contains(message), "{message}\n{errors}");
    }
}
