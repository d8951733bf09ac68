//! `init` and `uninstall`, by an ordinary user; beside them `status`, `log` and the doctor's hooks.

mod standing;

use std::collections::BTreeMap;

use super::person::Person;
use super::{stderr, stdout};

const CLAUDE: &str = ".claude/settings.json";
const CODEX: &str = ".codex/hooks.json";
const GEMINI: &str = ".gemini/settings.json";

/// Settings as people have them.
const SETTINGS: [(&str, &str); 3] = [
    (
        CLAUDE,
        "{\n  // the model\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"true\" }] }\n    ]\n  },\n}",
    ),
    (GEMINI, "{\r\n\t\"mcpServers\": {\"one\": {\"command\": \"npx\"}}\r\n}\r\n"),
    (".hermes/config.yaml", "model: x # mine\n"),
];

fn set_up() -> Option<Person> {
    let person = Person::new()?;
    for (name, text) in SETTINGS {
        person.write(name, text);
    }
    person.run_plain(&["mkdir", ".codex", "project/src"]);
    person.write("project/Cargo.toml", "[package]\nname = \"x\"\n");
    Some(person)
}

/// Every file of the person, ringfence's own notes excepted.
fn everything(person: &Person) -> BTreeMap<String, (Vec<u8>, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mut all = BTreeMap::new();
    let mut open = vec![person.home()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let mode = path.symlink_metadata().unwrap().permissions().mode();
            let name = path.strip_prefix(person.home()).unwrap().display().to_string();
            if path.is_dir() {
                open.push(path);
                all.insert(name, (Vec::new(), mode));
            } else {
                all.insert(name, (std::fs::read(&path).unwrap(), mode));
            }
        }
    }
    all.retain(|name, _| !name.starts_with(".local"));
    all
}

/// A text without colours.
fn plain(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    first + &pieces.filter_map(|own| own.split_once('m').map(|(_, rest)| rest)).collect::<String>()
}

fn ours(person: &Person) -> String {
    person.program().display().to_string()
}

#[test]
fn init_sets_everything_up_and_uninstall_puts_it_back_byte_for_byte() {
    let Some(person) = set_up() else { return };
    let before = everything(&person);

    let shown = person.ringfence(&["init", "--print"]);
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    assert_eq!(everything(&person), before, "it only showed");
    let text = stdout(&shown);
    assert!(text.contains("~/.codex/hooks.json (new)"), "{text}");
    let extends = "+ extends = [\"@workspace\", \"@git\", \"@rust\", \"@claude\", \"@codex\"";
    assert!(text.contains(extends), "{text}");
    assert!(text.contains("~/.claude/settings.json  claude-code: found by ~/.claude"), "{text}");
    let gone = text.lines().filter(|line| line.starts_with("  - ")).count();
    assert_eq!(gone, 2, "two lines get a comma, the rest is new: {text}");
    let piped = person.ringfence(&["init"]);
    assert_eq!(piped.status.code(), Some(2), "nobody was asked: {}", stdout(&piped));
    assert_eq!(person.at_terminal(&["init"], "n\n").status.code(), Some(1));
    assert_eq!(everything(&person), before, "nobody agreed");

    let done = person.at_terminal(&["init"], "y\n");
    let said = plain(&stdout(&done));
    // Codex has not been told to trust the hook.
    assert_eq!(done.status.code(), Some(1), "{said}");
    for agent in ["claude-code", "gemini", "hermes"] {
        assert!(said.contains(&format!("hook of {agent}: it passed a harmless call")), "{said}");
    }
    assert!(said.contains("skipped hook of codex: Codex silently skips"), "{said}");
    assert!(said.contains("Three things to try"), "{said}");
    let claude = person.read(CLAUDE).unwrap();
    assert!(
        claude.contains("// the model") && claude.contains("\"command\": \"true\""),
        "{claude}"
    );
    assert!(claude.contains(&format!("{} hook claude-code", ours(&person))), "{claude}");
    let list = stdout(&person.ringfence(&["trust", "--list"]));
    assert!(list.contains("home/project"), "a person saw the policy: {list}");
    let build = person.ringfence(&["check", "--", "cargo", "build"]);
    assert_eq!(build.status.code(), Some(0), "{}", stdout(&build));

    let tested = person.ringfence(&["test", "ringfence.toml"]);
    assert_eq!(tested.status.code(), Some(0), "it says what it means: {}", stdout(&tested));

    let after = everything(&person);
    let again = person.at_terminal(&["init"], "");
    assert!(stdout(&again).contains("everything is in place"), "{}", stdout(&again));
    assert_eq!(everything(&person), after);

    assert_eq!(person.ringfence(&["uninstall", "--yes"]).status.code(), Some(2), "a pipe");
    assert_eq!(everything(&person), after);
    let gone = person.at_terminal(&["uninstall"], "y\n");
    assert_eq!(gone.status.code(), Some(0), "{}", stdout(&gone));
    assert_eq!(everything(&person), before, "as it was");
    assert!(stderr(&person.ringfence(&["trust", "--list"])).contains("no project is trusted"));
    let nothing = person.at_terminal(&["uninstall"], "");
    assert!(stdout(&nothing).contains("wrote nothing"), "{}", stdout(&nothing));
}

#[test]
fn what_a_person_changed_since_stays_and_only_the_hook_goes() {
    let Some(person) = set_up() else { return };
    assert_eq!(person.at_terminal(&["init"], "y\n").status.code(), Some(1));
    let changed = person.read(CLAUDE).unwrap().replace("opus", "sonnet");
    person.write(CLAUDE, &changed);
    let policy = person.read("project/ringfence.toml").unwrap() + "# mine now\n";
    person.write("project/ringfence.toml", &policy);
    let gone = person.at_terminal(&["uninstall", "--yes"], "");
    let said = stdout(&gone);
    assert_eq!(gone.status.code(), Some(0), "{said}");
    assert!(said.contains("changed since, so only the hook goes"), "{said}");
    assert!(said.contains("is yours now"), "{said}");
    let left = person.read(CLAUDE).unwrap();
    assert!(left.contains("sonnet") && left.contains("// the model"), "{left}");
    assert!(left.contains("\"command\": \"true\"") && !left.contains("ringfence"), "{left}");
    assert_eq!(person.read("project/ringfence.toml").unwrap(), policy);
    assert_eq!(person.read(GEMINI).unwrap(), SETTINGS[1].1);
    assert_eq!(person.read(CODEX), None);
}

#[test]
fn uninstall_of_a_project_leaves_the_hooks() {
    let Some(person) = set_up() else { return };
    assert_eq!(person.at_terminal(&["init"], "y\n").status.code(), Some(1));
    let hooked = person.read(CLAUDE).unwrap();
    assert!(person.read("project/ringfence.toml").is_some());
    let gone = person.at_terminal(&["uninstall", "--project", "--yes"], "");
    assert_eq!(gone.status.code(), Some(0), "{}", stdout(&gone));
    assert_eq!(person.read("project/ringfence.toml"), None);
    assert_eq!(person.read(CLAUDE).unwrap(), hooked);
    let again = person.at_terminal(&["uninstall", "--project"], "");
    assert!(stdout(&again).contains("wrote nothing in this project"), "{}", stdout(&again));
    assert_eq!(person.at_terminal(&["uninstall", "--yes"], "").status.code(), Some(0));
    assert_eq!(person.read(CLAUDE).unwrap(), SETTINGS[0].1);
}

/// A link that was put in the place of a file leads nobody else's file into the way back.
#[test]
fn uninstall_follows_no_link_out_of_the_home() {
    let Some(person) = set_up() else { return };
    assert_eq!(person.at_terminal(&["init"], "y\n").status.code(), Some(1));
    let outside = tempfile::tempdir().unwrap();
    let theirs = outside.path().join("x.json");
    std::fs::rename(person.home().join(CLAUDE), &theirs).unwrap();
    let text = std::fs::read(&theirs).unwrap();
    std::os::unix::fs::symlink(&theirs, person.home().join(CLAUDE)).unwrap();
    let gone = person.at_terminal(&["uninstall", "--yes"], "");
    assert!(stdout(&gone).contains("it stays as it is"), "{}", stdout(&gone));
    assert_eq!(std::fs::read(&theirs).unwrap(), text);
    assert_eq!(person.read(GEMINI).unwrap(), SETTINGS[1].1, "the others are put back");
}

#[test]
fn settings_that_cannot_be_changed_well_stop_everything() {
    let Some(person) = set_up() else { return };
    let key = ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_");
    let broken = format!("{{\n  \"model\": \"opus\",\n  \"token\": \"{key}\" 1\n}}\n");
    let cases: [(&str, &str, &str); 4] = [
        (CLAUDE, &broken, "settings.json:3:"),
        (CLAUDE, "{\"hooks\": {}, \"hooks\": {}}", "duplicate key `hooks`"),
        (CLAUDE, "{\"hooks\": 1}", "`hooks` is not an object"),
        (".hermes/config.yaml", "hooks:\n  pre_tool_call: []\n", "hooks of its own"),
    ];
    for (name, text, says) in cases {
        let good = person.read(name).unwrap();
        person.write(name, text);
        let before = everything(&person);
        let done = person.ringfence(&["init", "--yes"]);
        assert_eq!(done.status.code(), Some(2), "{text}: {}", stdout(&done));
        assert!(stderr(&done).contains(says), "{text}: {}", stderr(&done));
        assert!(!stderr(&done).contains(&key), "a secret is shown: {}", stderr(&done));
        assert_eq!(everything(&person), before, "nothing was written");
        person.write(name, &good);
    }
    // A link that leads out of the home is not followed.
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("x.json"), "{}").unwrap();
    std::fs::remove_file(person.home().join(CLAUDE)).unwrap();
    std::os::unix::fs::symlink(outside.path().join("x.json"), person.home().join(CLAUDE)).unwrap();
    let done = person.ringfence(&["init", "--yes"]);
    assert_eq!(done.status.code(), Some(2), "{}", stdout(&done));
    assert!(!person.home().join(CODEX).exists(), "nothing was written");
}

#[test]
fn in_a_script_it_writes_but_gives_no_authority() {
    let Some(person) = set_up() else { return };
    let done = person.ringfence(&["init", "--yes", "--agent", "claude-code"]);
    assert_eq!(done.status.code(), Some(0), "{} {}", stdout(&done), stderr(&done));
    assert!(stderr(&done).contains("ringfence trust"), "{}", stderr(&done));
    assert!(stderr(&person.ringfence(&["trust", "--list"])).contains("no project is trusted"));
    assert!(person.read(CLAUDE).unwrap().contains("ringfence"));
    assert_eq!(person.read(GEMINI).unwrap(), SETTINGS[1].1, "one agent was named");
    let unknown = person.ringfence(&["init", "--print", "--agent", "emacs"]);
    assert_eq!(unknown.status.code(), Some(2));
}
