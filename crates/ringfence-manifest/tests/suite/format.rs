//! `fmt` and `fmt --canonical`.

use ringfence_core::Role;
use ringfence_manifest::{Format, canonical, fmt, profiles};

use super::support::{load, source};

fn check(format: Format, text: &str, expected: &str) {
    assert_eq!(fmt(&source(format, text)).unwrap(), expected);
    assert_eq!(fmt(&source(format, expected)).unwrap(), expected);
}

fn check_canonical(format: Format, text: &str, expected: &str) {
    load(format, text);
    assert_eq!(canonical(&source(format, text)).unwrap(), expected);
}

#[test]
fn toml_gets_normal_spacing() {
    check(
        Format::Toml,
        r#"

# head
name="x"   # a name


allow=["cmd:a",'cmd:b',]
ask = [ "cmd:a", "cmd:b", "cmd:c", "cmd:d" ]
deny = [ # first
  "cmd:a" # one
  ,
  # two


  {pattern="cmd:b",why="x #1",except=[ "cmd:c" ,"cmd:d"]}, "cmd:c" # three
  # last
]
danger = ["cmd:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "cmd:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"]
ceiling = [["cmd:a"],["cmd:a","cmd:b","cmd:c","cmd:d"]]
[ tools . terminal ]   # t
enabled=true
# above
[security]

reveal_roots = true
[[test]]
tool="a"
input={x=1,y={z.w=[]}}
expect="allow"

# end


"#,
        r#"# head
name = "x" # a name

allow = ["cmd:a", 'cmd:b']
ask = [
    "cmd:a",
    "cmd:b",
    "cmd:c",
    "cmd:d",
]
deny = [
    # first
    "cmd:a", # one

    # two

    { pattern = "cmd:b", why = "x #1", except = ["cmd:c", "cmd:d"] },
    "cmd:c", # three
    # last
]
danger = [
    "cmd:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "cmd:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
]
ceiling = [
    ["cmd:a"],
    [
        "cmd:a",
        "cmd:b",
        "cmd:c",
        "cmd:d",
    ],
]

[tools.terminal] # t
enabled = true

# above
[security]
reveal_roots = true

[[test]]
tool = "a"
input = { x = 1, y = { z.w = [] } }
expect = "allow"

# end
"#,
    );
    check(Format::Toml, "", "");
    check(Format::Toml, "\n\n# only\n\n", "# only\n");
    check(Format::Toml, "a.b = 1\n\"c d\" . e=2", "a.b = 1\n\"c d\".e = 2\n");
}

#[test]
fn toml_strings_stay_as_they_were_written() {
    let text = "name = '''\na\n  b'''\nallow = [\"cmd:\\u0061\"]\n";
    check(Format::Toml, text, text);
}

#[test]
fn json_gets_normal_spacing() {
    check(
        Format::Json,
        "// head\n\n{allow:[\"cmd:git:*\", // git\n\"cmd:ls\"\n/* block */, {pattern: \"fs:r:**\", why:\"x\"}], \"tools\": {\"file\": {\"enabled\":true,\"allowed_paths\":[\"~/a\",],},}, // t\n\n\n\"deny\":{\"sh\":true}, \"ask\": [\"cmd:a\",\"cmd:b\",\"cmd:c\",\"cmd:d\"], \"danger\":[]\n//last\n}\n// end",
        r#"// head

{
  "allow": [
    "cmd:git:*", // git
    /* block */
    "cmd:ls",
    { "pattern": "fs:r:**", "why": "x" }
  ],
  "tools": { "file": { "enabled": true, "allowed_paths": ["~/a"] } }, // t

  "deny": { "sh": true },
  "ask": [
    "cmd:a",
    "cmd:b",
    "cmd:c",
    "cmd:d"
  ],
  "danger": []
  //last
}
// end
"#,
    );
    check(Format::Json, "{}", "{}\n");
    check(Format::Json, "{ // c\n}", "{\n  // c\n}\n");
    check(Format::Json, "[1,[],{}]", "[\n  1,\n  [],\n  {}\n]\n");
}

#[test]
fn yaml_is_hardly_touched() {
    check(
        Format::Yaml,
        "\n\nallow:   \n  - cmd:a  # c  \n\n  - { pattern: cmd:b ,  why: x }\t\n\n\n",
        "allow:\n  - cmd:a  # c\n\n  - { pattern: cmd:b ,  why: x }\n",
    );
    // Blanks that mean something stay.
    for text in ["name: |\n  a  \n  b\n\n", "name: \"a  \n  b\"\n", "name: |+\n  a\n\n"] {
        let name = load(Format::Yaml, text).title;
        assert_eq!(load(Format::Yaml, &fmt(&source(Format::Yaml, text)).unwrap()).title, name);
    }
}

#[test]
fn what_does_not_parse_is_not_formatted() {
    for (format, text) in [(Format::Toml, "a = "), (Format::Yaml, "a: ]"), (Format::Json, "{")] {
        assert!(fmt(&source(format, text)).is_err());
        assert!(canonical(&source(format, text)).is_err());
    }
    // But what parses and is no document is.
    check(Format::Toml, "alow=1", "alow = 1\n");
    assert!(canonical(&source(Format::Toml, "alow=1")).is_err());
}

#[test]
fn profiles_are_written_as_fmt_would() {
    for name in profiles::names() {
        let text = profiles::get(name).unwrap().text();
        load(Format::Toml, text);
    }
}

#[test]
fn seals_form_becomes_flat() {
    check_canonical(
        Format::Toml,
        r#"# Ours.
# All of it.

name = "x" # stray

[capabilities.allow]
additional_directories = ["../lib"]

# Sources.
[capabilities.allow.read]
default_files = ["*.rs"]
paths = ["src/**", { path = "docs", prompt = true }] # and docs

[capabilities.allow.commands]
default_domains = ["@crates"]
patterns = ["cargo:*", "make", { command = "cargo publish:*", inherit_default_domains = false, paths = ["crates"] }]

[capabilities.deny.commands]
# never
patterns = ["sw_vers"]

[security]
dangerously_grant = ["sudo"]
# end
"#,
        r#"# Ours.
# All of it.

schema = 1
name = "x"
allow = [
    # Sources.
    # and docs
    "fs:r:src/**/*.rs",
    { pattern = "cmd:cargo:*", within = ["@root/**", "../lib/**"] },
    { pattern = "cmd:make:", within = ["@root/**", "../lib/**"] },
    { pattern = "cmd:cargo:publish:*", within = "crates/**" },
    { pattern = "net:@crates", command = "cargo:*", unless = "cargo:publish:*" },
    { pattern = "net:@crates", command = "make:" },
    { closed = "files" },
    { closed = "exec" },
    { closed = "net", command = "*" },
    { closed = "env", command = "*" },
]
ask = ["fs:r:docs/*.rs"]
deny = [
    # never
    "cmd:sw_vers:*",
]

[security]
dangerously_grant = ["sudo"]

[capabilities.allow]
additional_directories = ["../lib/**"]

# stray
# end
"#,
    );
}

#[test]
fn other_forms_become_flat_in_their_own_format() {
    check_canonical(
        Format::Yaml,
        "# head\n\ntools:\n  terminal:\n    enabled: true\n    # the paths\n    allowed_paths: [~/a] # c\ndeny: { sh: true }\nmcp: { servers: { github: { paths: remote } } }\nagents:\n  x y: { deny: [\"fs:w:**\"], tools: { file: { allowed_paths: [] } } }\ntest:\n  # t\n  - { tool: a, input: { b: [1, null] }, expect: ask }\n",
        r#"# head

schema: 1
allow:
  - { pattern: "tool:*", tool: "terminal" }
  # the paths
  # c
  - { pattern: "fs:rw:~/a", tool: "terminal" }
  - { pattern: "fs:rw:~/a/**", tool: "terminal" }
  - { pattern: "cmd:*", fallback: true, tool: "terminal" }
deny:
  - "sh"
ceiling:
  - { pattern: "fs:rw:~/a", tool: "terminal" }
  - { pattern: "fs:rw:~/a/**", tool: "terminal" }
  - { closed: "files", tool: "terminal" }
mcp:
  servers:
    github:
      paths: "remote"
agents:
  "x y":
    deny:
      - "fs:w:**"
    ceiling:
      - { closed: "files", tool: "file" }
test:
  # t
  - { tool: "a", input: {"b":[1,null]}, expect: "ask" }
"#,
    );
    check_canonical(
        Format::Json,
        r#"{"deny": {"sh": true}, // why
"permissions": {"default": "ask", "tools": {"bash": "deny"}}, "allow": [{"pattern": "cmd:a", "until": "2027-03-01"}], "danger": []}"#,
        r#"{
  "schema": 1,
  "allow": [{ "pattern": "cmd:a", "until": "2027-03-01" }],
  "danger": [],
  "deny": [
    // why
    "sh",
    { "pattern": "tool:*", "tool": "terminal" }
  ],
  "permissions": { "default": "ask" }
}
"#,
    );
}

#[test]
fn what_is_flat_already_stays_so() {
    let text = "schema = 1\nextends = [\"@strict\"]\nallow = [{ pattern = \"cmd:a\", until = 2027-03-01 }]\nask = [\"cmd:b\"]\n";
    check_canonical(Format::Toml, text, text);
    assert!(profiles::get("strict").unwrap().load(Role::User).is_ok());
}
