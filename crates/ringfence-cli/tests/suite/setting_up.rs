//! `init`, `uninstall`, `status` and the doctor's hooks, by an ordinary user.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

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
fn settings_that_cannot_be_changed_well_stop_everything() {
    let Some(person) = set_up() else { return };
    let key = ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_");
    let broken = format!("{{\n  \"model\": \"opus\",\n  \"token\": \"{key}\" 1\n}}\n");
    let cases: [(&str, &str, &str); 4] = [
        (CLAUDE, &broken, "settings.json:3:"),
        (CLAUDE, "{\"hooks\": {}, \"hooks\": {}}", "duplicate key `hooks`"),
        (CLAUDE, "{\"hooks\": 1}", "`hooks` is no object"),
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

#[test]
fn status_says_what_is_enforced_and_what_is_not() {
    let Some(person) = set_up() else { return };
    let said = stdout(&person.ringfence(&["status"]));
    assert!(said.contains("codex  no hook, nothing is enforced"), "{said}");
    assert!(said.contains("policy  none"), "{said}");
    assert!(said.contains("0 of 1 MCP server behind"), "{said}");
    assert_eq!(person.at_terminal(&["init"], "y\n").status.code(), Some(1));

    let status = || -> Value {
        serde_json::from_slice(&person.ringfence(&["status", "--json"]).stdout).unwrap()
    };
    let agent = |status: &Value, name: &str| -> Value {
        let all = status["agents"].as_array().unwrap();
        all.iter().find(|own| own["agent"] == name).unwrap().clone()
    };
    let now = status();
    assert_eq!(now["fence"]["full"], true, "{now}");
    assert_eq!(agent(&now, "claude-code")["runs"], true, "{now}");
    let trying = &agent(&now, "claude-code")["last_called_seconds"];
    assert!(trying.is_null(), "the doctor is no agent: {now}");
    assert_eq!(agent(&now, "codex")["runs"], false, "nobody trusted it: {now}");

    let hooks = person.home().join(CODEX);
    let state = |hash: &str| {
        let hooks = hooks.display();
        format!("[hooks.state.\"{hooks}:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:{hash}\"\n")
    };
    person.write(".codex/config.toml", &state("0"));
    let doctor = person.ringfence(&["doctor"]);
    assert!(stdout(&doctor).contains("changed since it was trusted"), "{}", stdout(&doctor));
    let state = state(&hash(&ours(&person)));
    person.write(".codex/config.toml", &state);
    call(&person, "codex");
    let now = status();
    assert_eq!(agent(&now, "codex")["runs"], true, "{now}");
    assert!(agent(&now, "codex")["last_called_seconds"].is_u64(), "{now}");
    let doctor = person.ringfence(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(0), "{}", stdout(&doctor));
    person.write(".codex/config.toml", &format!("{state}enabled = false\n"));
    let doctor = person.ringfence(&["doctor"]);
    assert!(stdout(&doctor).contains("switched off"), "{}", stdout(&doctor));
}

/// What Codex hashes, as it was seen to.
fn hash(program: &str) -> String {
    let text = format!(
        "{{\"event_name\":\"pre_tool_use\",\"hooks\":[{{\"async\":false,\"command\":\"{program} hook \
         codex\",\"timeout\":120,\"type\":\"command\"}}],\"matcher\":\".*\"}}"
    );
    let output =
        super::run_with_input(&mut std::process::Command::new("sha256sum"), text.as_bytes());
    stdout(&output).split_whitespace().next().unwrap().to_owned()
}

/// Calls a hook as the agent would.
fn call(person: &Person, agent: &str) {
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": person.home().join("project"),
        "tool_name": "Bash", "tool_input": { "command": "git status" },
    });
    let mut command = person.command(&ours(person));
    let said = super::run_with_input(command.args(["hook", agent]), event.to_string().as_bytes());
    assert_eq!(said.status.code(), Some(0), "{}", stderr(&said));
}

#[test]
fn the_doctor_finds_a_hook_that_does_not_work() {
    let Some(person) = set_up() else { return };
    let fires = |command: &str| {
        let hook = serde_json::json!({ "type": "command", "command": command });
        let all =
            serde_json::json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [hook] }] } });
        person.write(CLAUDE, &all.to_string());
        let output = person.ringfence(&["doctor", "--json"]);
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let hook = said["hooks"].as_array().unwrap().first().cloned().unwrap_or_default();
        (output.status.code(), hook["fault"].as_str().unwrap_or("works").to_owned())
    };
    assert_eq!(
        fires(&format!("{} hook claude-code", ours(&person))),
        (Some(0), "works".to_owned())
    );
    let gone = fires("/gone/ringfence hook claude-code");
    assert!(gone.0 == Some(1) && gone.1.contains("not there"), "{gone:?}");
    let lax = fires("true ringfence hook claude-code");
    assert!(lax.0 == Some(1) && lax.1.contains("let a forbidden call pass"), "{lax:?}");
    let odd = fires("echo ringfence hook claude-code");
    assert!(odd.0 == Some(1) && odd.1.contains("none that the agent knows"), "{odd:?}");
    // A broken policy blocks everything, also what is harmless.
    person.write(".config/ringfence/policy.toml", "alow = []\n");
    let strict = fires(&format!("{} hook claude-code", ours(&person)));
    assert!(strict.0 == Some(1) && strict.1.contains("blocked a harmless call"), "{strict:?}");
    assert!(Path::new(&ours(&person)).exists());
}

#[test]
fn the_log_tells_what_was_asked_and_added() {
    let Some(person) = Person::new() else { return };
    assert!(stderr(&person.ringfence(&["log"])).contains("nothing was asked"));
    person.write(
        ".config/ringfence/policy.toml",
        "extends = [\"@workspace\"]\nask = [\"cmd:git:status\"]\n[hooks]\nwait = 0\n",
    );
    call(&person, "codex");
    person.at_terminal(&["allow", "cmd:id", "--why", "'who am I'"], "");
    let log = person.ringfence(&["log"]);
    let said = stdout(&log);
    assert!(said.contains("waits") && said.contains("git status"), "{said} {}", stderr(&log));
    assert!(said.contains("cmd:id") && said.contains("who am I"), "{said}");
    let all: Value = serde_json::from_slice(&person.ringfence(&["log", "--json"]).stdout).unwrap();
    let id = all[0]["id"].as_str().unwrap();
    assert_eq!(person.ringfence(&["deny", id]).status.code(), Some(0));
    assert!(stdout(&person.ringfence(&["log"])).starts_with("no "), "{said}");
}
