//! Input that was made to do harm: a clear error, soon, and never a panic.

#[path = "../../../../tests/support/processor.rs"]
mod processor;

use std::time::Duration;

use processor::processor_time;
use ringfence_core::Role;
use ringfence_manifest::{Format, MAX_BYTES, NoLibrary, Source, canonical, fmt, read};

/// Reads bytes as every format; all of them must be refused, soon.
fn refused_bytes(bytes: &[u8], message: &str) {
    for format in Format::ALL {
        refused_as(format, bytes, message);
    }
}

fn refused_as(format: Format, bytes: &[u8], message: &str) {
    let before = processor_time();
    let source = Source::from_bytes("policy", format, bytes);
    let errors = match source {
        Err(errors) => errors,
        Ok(source) => match read(&source, Role::User, &NoLibrary) {
            Err(errors) => errors,
            Ok(_) => panic!("{format} was read"),
        },
    };
    let shown = errors.render(false);
    assert!(shown.contains(message), "{format}: {shown}");
    assert!(shown.len() < 100_000, "{format}: {}", shown.len());
    let taken = processor_time().saturating_sub(before);
    assert!(taken < Duration::from_secs(60), "{format}: {taken:?}");
}

#[test]
fn a_policy_of_100_mb() {
    let bytes = vec![b'#'; 100 * 1024 * 1024];
    refused_bytes(&bytes, "is longer than 16 MiB");
}

#[test]
fn a_policy_as_long_as_may_be() {
    let line = b"# a comment that says nothing in particular, over and over again\n";
    let mut bytes: Vec<u8> = line.iter().copied().cycle().take(MAX_BYTES - 10).collect();
    bytes.extend(b"\nx = 1\n");
    refused_as(Format::Toml, &bytes, "unknown key `x`");
}

#[test]
fn nesting_of_200_levels() {
    for levels in [65, 200, 1_000_000] {
        let open = "[".repeat(levels);
        let close = "]".repeat(levels);
        refused_as(
            Format::Toml,
            format!("allow = {open}{close}").as_bytes(),
            "is nested more than 64 levels deep",
        );
        refused_as(
            Format::Json,
            format!("{{\"allow\": {open}{close}}}").as_bytes(),
            "is nested more than 64 levels deep",
        );
        refused_as(
            Format::Yaml,
            format!("allow: {open}{close}").as_bytes(),
            "is nested more than 64 levels deep",
        );
        let open = "{\"a\":".repeat(levels);
        refused_as(Format::Json, open.as_bytes(), "is nested more than 64 levels deep");
        refused_as(
            Format::Yaml,
            "{a: ".repeat(levels).as_bytes(),
            "is nested more than 64 levels deep",
        );
        refused_as(
            Format::Yaml,
            "- ".repeat(levels).as_bytes(),
            "is nested more than 64 levels deep",
        );
        refused_as(
            Format::Toml,
            "{a=".repeat(levels).as_bytes(),
            "is nested more than 64 levels deep",
        );
    }
}

#[test]
fn dotted_keys_of_200_levels() {
    for levels in [65, 200, 1_000_000] {
        let key = vec!["a"; levels].join(".");
        for text in [
            format!("{key} = 1"),
            format!("[{key}]"),
            format!("[[{key}]]"),
            format!("x = {{{key} = 1}}"),
        ] {
            refused_as(Format::Toml, text.as_bytes(), "is nested more than 64 levels deep");
        }
    }
    // A header and a key, each short enough, that are too deep together.
    let key = vec!["a"; 40].join(".");
    refused_as(
        Format::Toml,
        format!("[{key}]\n{key} = 1").as_bytes(),
        "is nested more than 64 levels deep",
    );
    refused_as(
        Format::Toml,
        format!("{key} =\t{{ {key} = 1 }}").as_bytes(),
        "is nested more than 64 levels deep",
    );
}

#[test]
fn indentation_of_200_levels() {
    let text: String = (0..200).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    refused_as(Format::Yaml, text.as_bytes(), "is nested more than 64 levels deep");
}

#[test]
fn brackets_in_strings_and_comments_are_no_nesting() {
    let many = "[".repeat(500);
    let toml = format!(
        "# {many}\nname = \"{many}\\\"{many}\"\nallow = [\n  {{ pattern = 'cmd:a', why = '''{many}'{many}''' }},\n  {{ pattern = 'cmd:a', why = \"\"\"{many}\"\"{many}\"\"\" }},\n]"
    );
    super::support::load(Format::Toml, &toml);
    let json = format!("// {many}\n{{/* {many} */ \"name\": \"{many}\\\"{many}\"}}");
    super::support::load(Format::Json, &json);
}

#[test]
fn yaml_aliases_that_explode() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..12 {
        let aliases = vec![format!("*a{}", n - 1); 9].join(", ");
        text.push_str(&format!("a{n}: &a{n} [{aliases}]\n"));
    }
    refused_as(Format::Yaml, text.as_bytes(), "aliases repeat more than 100000 values");
    let long = format!("a: &a [{}]\nb: [{}]\n", "x,".repeat(50_000), "*a,".repeat(50_000));
    refused_as(Format::Yaml, long.as_bytes(), "aliases repeat more than 100000 values");
    refused_as(Format::Yaml, b"a: &a [*a]\n", "is an alias of something that holds it");
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for n in 1..300 {
        deep.push_str(&format!("a{n}: &a{n} [*a{}]\n", n - 1));
    }
    refused_as(Format::Yaml, deep.as_bytes(), "is nested more than 64 levels deep");
}

#[test]
fn yaml_aliases_within_reason_are_read() {
    let text =
        "allow:\n  - &r { pattern: cmd:a, why: &w why }\nask: [*r, { pattern: cmd:b, why: *w }]\n";
    let loaded = super::support::load(Format::Yaml, text);
    super::support::check(
        &loaded,
        "allow cmd:a why `why`\nask cmd:a why `why`\nask cmd:b why `why`",
    );
}

#[test]
fn yaml_that_is_more_than_a_document() {
    refused_as(Format::Yaml, b"allow: []\n---\ndeny: []\n", "a second document starts here");
    refused_as(Format::Yaml, b"<<: { allow: [] }\n", "merge keys are not read");
    refused_as(Format::Yaml, b"x: &x { allow: [] }\n<<: *x\n", "merge keys are not read");
    refused_as(Format::Yaml, b"allow: !!set [a]\n", "has a tag");
    refused_as(Format::Yaml, b"allow: !include x\n", "has a tag");
    refused_as(Format::Yaml, b"1: x\n", "a key is text, not a number");
    refused_as(Format::Yaml, b"[a]: x\n", "a key is text, not a list");
    refused_as(Format::Yaml, b"? {a: b}\n: x\n", "a key is text, not a table");
}

#[test]
fn nul_bytes() {
    refused_bytes(b"allow = [\"cmd:a\0\"]", "has a NUL byte");
    let source = Source::from_bytes("policy", Format::Toml, b"# x\nallow = [\"\0\"]").unwrap_err();
    assert_eq!(source.to_string(), "policy:2:11: has a NUL byte");
    // Spelled as an escape they are no better.
    refused_as(Format::Json, br#"{"allow": ["cmd:a\u0000"]}"#, "has a control character");
    refused_as(Format::Toml, br#"allow = ["fs:r:/a\u0000b"]"#, "has a control character");
}

#[test]
fn invalid_utf_8() {
    refused_bytes(b"allow = [\"cmd:\xff\"]", "is not UTF-8 here");
    let errors = Source::from_bytes("policy", Format::Yaml, b"a: b\nc: \xc3\x28\n").unwrap_err();
    assert_eq!(errors.to_string(), "policy:2:4: is not UTF-8 here");
    refused_bytes(&[0xff, 0xfe, b'a', 0], "is not UTF-8 here");
}

#[test]
fn globs_of_1000_stars() {
    let stars = "*a".repeat(1000);
    for pattern in [
        format!("fs:r:/{stars}"),
        format!("env:{stars}"),
        format!("cmd:{stars}"),
        format!("fs:r:{}", "/**/*".repeat(500)),
        format!("cmd:{}", "*:a:".repeat(500)),
        format!("mcp:{stars}/x"),
        "{a,b}".repeat(500),
        format!("fs:r:/{}", "{a,b}".repeat(500)),
    ] {
        let toml = format!("allow = [\"{pattern}\"]");
        refused_as(Format::Toml, toml.as_bytes(), "bad pattern");
        let seal = format!("[tools.file]\nallowed_paths = [\"{}\"]", pattern.replace("fs:r:", ""));
        let _ = Source::new("policy", Format::Toml, &seal)
            .map(|source| read(&source, Role::User, &NoLibrary));
    }
}

#[test]
fn more_values_than_anyone_writes() {
    let many = "5,".repeat(1_200_000);
    let message = "the document holds more than 500000 values";
    refused_as(Format::Json, format!("{{\"allow\": [{many}]}}").as_bytes(), message);
    refused_as(Format::Yaml, format!("allow: [{many}]").as_bytes(), message);
    refused_as(Format::Toml, format!("allow = [{many}]").as_bytes(), message);
    refused_as(Format::Toml, "a=1\n".repeat(600_000).as_bytes(), message);
}

#[test]
fn patterns_of_1_mib() {
    let long = "x".repeat(1 << 20);
    for text in [
        format!("allow = [\"cmd:{long}\"]"),
        format!("allow = [{{ pattern = \"cmd:a\", agent = \"{long}\" }}]"),
        format!("allow = [{{ pattern = \"cmd:a\", within = \"/{long}\" }}]"),
        format!("[tools.file]\nallowed_paths = [\"/{long}\"]"),
        format!("[capabilities.allow.commands]\npatterns = [\"{long}\"]"),
        format!("[capabilities.allow.read]\npaths = [{{ path = \"{long}\", files = [\"*\"] }}]"),
    ] {
        refused_as(Format::Toml, text.as_bytes(), "is longer than 4096 bytes");
    }
}

#[test]
fn many_errors_and_many_rules_take_bounded_time() {
    let bad = format!("{{\"allow\": [{}5]}}", "5,".repeat(300_000));
    refused_as(Format::Json, bad.as_bytes(), "expected text or a table");
    let bad = format!("{{\"allow\": [{}\"x\"]}}", "\"x\",".repeat(100_000));
    refused_as(Format::Json, bad.as_bytes(), "bad pattern `x`");
    let keys: String = (0..50_000).map(|n| format!("k{n} = 1\n")).collect();
    refused_as(Format::Toml, keys.as_bytes(), "unknown key `k0`");
    let keys: String = (0..50_000).map(|n| format!("k{n}: 1\n")).collect();
    refused_as(Format::Yaml, keys.as_bytes(), "unknown key `k0`");
    let slips: String = "= = [\n]\n".repeat(20_000);
    refused_as(Format::Toml, slips.as_bytes(), "policy:1:");
    let before = processor_time();
    let rules: String = (0..100_000).map(|n| format!("\"cmd:p{n}:*\",")).collect();
    super::support::load(Format::Json, &format!("{{\"allow\": [{rules}]}}"));
    let commands: String = (0..20_000).map(|n| format!("\"a b{n}:*\",")).collect();
    let text = format!(
        "[capabilities.allow.commands]\ndefault_domains = [\"x.example\"]\npatterns = [\"a:*\", {commands}]"
    );
    super::support::toml(&text);
    let taken = processor_time().saturating_sub(before);
    assert!(taken < Duration::from_secs(120), "{taken:?}");
}

#[test]
fn no_input_makes_it_panic() {
    use proptest::prelude::*;
    let piece = prop_oneof![
        Just("allow"),
        Just("deny"),
        Just("capabilities"),
        Just("commands"),
        Just("tools"),
        Just("="),
        Just(":"),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just("\""),
        Just("'"),
        Just("\n"),
        Just(" "),
        Just("  "),
        Just(","),
        Just("- "),
        Just("#"),
        Just("//"),
        Just("/*"),
        Just("&a "),
        Just("*a"),
        Just("<<"),
        Just("!!x"),
        Just("---"),
        Just("|"),
        Just(">"),
        Just("\\"),
        Just("\\u00"),
        Just("é"),
        Just("\u{202e}"),
        Just("true"),
        Just("1"),
        Just("2027-03-01"),
        Just("cmd:git:*"),
        Just("fs:r:**"),
        Just("."),
        Just("\r"),
        Just("\t"),
        Just("%"),
        Just("? "),
    ];
    let text = proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    proptest!(ProptestConfig::with_cases(200), |(text in text)| {
        for format in Format::ALL {
            let source = Source::new("policy", format, &text).unwrap();
            if let Err(errors) = read(&source, Role::User, &NoLibrary) {
                errors.render(true);
            }
            if let Ok(formatted) = fmt(&source) {
                let again = Source::new("policy", format, &formatted).unwrap();
                prop_assert_eq!(fmt(&again).unwrap(), formatted);
            }
            let _ = canonical(&source);
        }
    });
}
