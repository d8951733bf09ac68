//! What is read is a policy that loads, or an error about the file; never anything else.

use proptest::prelude::*;

use super::{Foreign, Place, import};

const NAMES: [&str; 4] = ["x.json", "x.toml", "x.rules", "x.yaml"];

/// Words that the formats know, and some that none does.
const WORDS: [&str; 44] = [
    "permissions",
    "allow",
    "ask",
    "deny",
    "permission",
    "bash",
    "edit",
    "*",
    "Bash(a *b:*)",
    "Read(//x/{a,b})",
    "Bash(\\\"a b\\\" *)",
    "WebFetch(domain:*.x..)",
    "mcp__a__b*",
    "prefix_rule(",
    "pattern=",
    "[[rule]]\n",
    "commandPrefix",
    "decision",
    "priority",
    "network",
    "allowedDomains",
    "filesystem",
    "denyRead",
    "~/x/**",
    "..",
    "tools",
    "terminal",
    "enabled",
    "allowed_paths",
    "capabilities",
    "{",
    "}",
    "[",
    "]",
    ":",
    "=",
    ",",
    "\"",
    "\n",
    " ",
    "true",
    "999",
    "\u{202e}",
    "\\",
];

fn check(from: Foreign, name: &str, text: &str) {
    match import(from, name, text.as_bytes(), &Place::default()) {
        Ok(imported) => {
            let lines = text.lines().count().max(1);
            let inside = |line: u32| usize::try_from(line).is_ok_and(|line| line <= lines);
            assert!(imported.differences.iter().all(|own| inside(own.line)), "{imported:?}");
        }
        Err(errors) => {
            // The text that was written is read again; an error in it would be ours.
            assert!(
                errors.iter().all(|error| !error.file().ends_with("as a policy")),
                "{errors}\n{text}"
            );
        }
    }
}

fn rule() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..5)
        .prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_words_are_read_or_refused(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..24),
        name in prop::sample::select(NAMES.to_vec()),
    ) {
        for from in Foreign::ALL {
            check(from, name, &words.concat());
        }
    }

    #[test]
    fn any_rules_in_their_places_are_read(rules in prop::collection::vec(rule(), 0..6)) {
        let list = serde_json::json!(rules);
        let map: serde_json::Map<String, serde_json::Value> =
            rules.iter().map(|rule| (rule.clone(), "deny".into())).collect();
        let claude = serde_json::json!({ "permissions": { "allow": list, "deny": list, "ask": list } });
        check(Foreign::Claude, "x.json", &claude.to_string());
        check(Foreign::Cursor, "x.json", &claude.to_string());
        let opencode = serde_json::json!({ "permission": { "bash": map, "edit": map, "external_directory": map } });
        check(Foreign::Opencode, "x.json", &opencode.to_string());
        let srt = serde_json::json!({
            "network": { "allowedDomains": list, "deniedDomains": list, "allowUnixSockets": list },
            "filesystem": { "denyRead": list, "allowRead": list, "allowWrite": list, "denyWrite": list },
        });
        check(Foreign::Srt, "x.json", &srt.to_string());
        let codex = format!("prefix_rule(pattern = {list}, decision = \"forbidden\")\n");
        check(Foreign::Codex, "x.rules", &codex);
        let gemini = serde_json::json!({ "tools": { "allowed": list, "exclude": list, "core": list } });
        check(Foreign::Gemini, "x.json", &gemini.to_string());
    }
}
