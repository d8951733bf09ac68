//! `import` and `export` as a person uses them.

use serde_json::Value;

use super::person::Person;
use super::{ringfence, stderr, stdout};

const SETTINGS: &str =
    r#"{ "permissions": { "allow": ["Bash(git status)"], "deny": ["Agent(x)"] } }"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    std::fs::write(folder.path().join("settings.json"), SETTINGS).unwrap();
    folder
}

#[test]
fn formats_go_by_the_names_of_agents_too() {
    let folder = folder();
    let said = |words: &[&str]| {
        let output = ringfence().current_dir(&folder).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
        stdout(&output)
    };
    let of = |name: &str| said(&["import", name, "settings.json"]);
    assert_eq!(of("claude-code"), of("claude"));
    std::fs::write(folder.path().join("q.toml"), "allow = [\"cmd:git:status\"]\n").unwrap();
    let of = |name: &str| said(&["export", name, "--policy", "q.toml"]);
    assert_eq!(of("claude-code"), of("claude"));
    assert_eq!(of("gemini-cli"), of("gemini"));
}

/// The policy has the differences as comments: at a terminal they are not said before it as well.
#[test]
fn differences_are_shown_once_at_a_terminal() {
    let Some(person) = Person::new() else { return };
    person.write("project/settings.json", SETTINGS);
    let words = ["import", "claude", "settings.json"];
    let seen = stdout(&person.at_terminal(&words, ""));
    assert_eq!(seen.matches("see through options").count(), 1, "{seen}");
    assert!(seen.contains("in general"), "{seen}");
    let piped = person.ringfence(&words);
    for text in [stdout(&piped), stderr(&piped)] {
        assert_eq!(text.matches("see through options").count(), 1, "{text}");
    }
}

#[test]
fn an_imported_policy_lints_and_decides() {
    let folder = folder();
    let mut import = ringfence();
    import.current_dir(&folder).args(["import", "claude", "settings.json", "--out", "p.toml"]);
    let output = import.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert!(
        stderr(&output)
            .starts_with("2 rules read; 0 narrower, 1 wider; 4 differences in general\n"),
        "{}",
        stderr(&output)
    );
    let lint = ringfence().current_dir(&folder).args(["lint", "p.toml"]).output().unwrap();
    assert_ne!(lint.status.code(), Some(2), "{}", stderr(&lint));
    let check = ["check", "--policy", "p.toml", "--", "git status"];
    let check = ringfence().current_dir(&folder).args(check).output().unwrap();
    assert_eq!(check.status.code(), Some(0), "{}", stdout(&check));
    // Nothing is overwritten.
    let again = import.output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("is there already"), "{}", stderr(&again));
}

#[test]
fn json_has_the_policy_and_what_differs() {
    let folder = folder();
    let args = ["import", "claude", "settings.json", "--json"];
    let output = ringfence().current_dir(&folder).args(args).output().unwrap();
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(answer["policy"].as_str().unwrap().contains("cmd:git:status"));
    let listed = answer["differences"].as_array().unwrap();
    let own: Vec<&Value> = listed.iter().filter(|own| own["line"] != 0).collect();
    assert_eq!(own.len(), 1, "{listed:?}");
    assert_eq!((&own[0]["rule"], &own[0]["way"]), (&"Agent(x)".into(), &"wider".into()));
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_place() {
    let folder = folder();
    let check = |name: &str, text: &str, format: &str, expected: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        let args = ["import", format, name];
        let output = ringfence().current_dir(&folder).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    };
    check("a.json", "{ \"permissions\": ", "claude", "a.json:1:");
    check("b.json", "{ \"permissions\": { \"allow\": [3] } }", "claude", "rules are texts");
    check("c.rules", "for x in y:\n  pass", "codex", "c.rules:1:");
    check("d.rules", "prefix_rule(pattern=[\"a\"], decision=\"maybe\")", "codex", "no decision");
    check("e.toml", "[[rule]]\ndecision = \"perhaps\"\n", "gemini", "no decision");
    check("f.json", "{\"permission\": {\"bash\": 3}}", "opencode", "no action");
    check("g.mld", "show `hello`", "mlld", "no policy object");
    check("settings.json", SETTINGS, "claud", "did you mean `claude`?");
}

#[test]
fn an_exported_policy_is_read_again() {
    let folder = folder();
    let policy =
        "default = \"ask\"\nallow = [\"cmd:make:\", \"fs:r:@root/**\"]\ndeny = [\"cmd:rm:*\"]\n";
    std::fs::write(folder.path().join("p.toml"), policy).unwrap();
    for (format, name) in [
        ("claude", "claude.json"),
        ("codex", "codex.rules"),
        ("gemini", "gemini.toml"),
        ("opencode", "opencode.json"),
    ] {
        let args = ["export", format, "--policy", "p.toml", "--out", name];
        let output = ringfence().current_dir(&folder).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}: {}", stderr(&output));
        let back = format!("{format}-again.toml");
        let args = ["import", format, name, "--out", &back];
        let output = ringfence().current_dir(&folder).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}: {}", stderr(&output));
        let check = ["check", "--policy", &back, "--", "rm x"];
        let check = ringfence().current_dir(&folder).args(check).output().unwrap();
        assert_eq!(check.status.code(), Some(4), "{format}: {}", stdout(&check));
    }
}
