//! A hook inside a run: it asks through the run outside, what is agreed to there holds at the gate
//! as well, and nothing inside can agree.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::person::Person;
use super::{stderr, stdout};

const PATIENCE: Duration = Duration::from_secs(60);
const STATE: &str = ".local/state/ringfence";

/// Someone whose policy asks about `id`, with an event in which an agent wants to run it.
struct Scene {
    person: Person,
    program: String,
}

impl Scene {
    fn new(more: &str) -> Option<Scene> {
        Some(Scene::of(Person::new()?, more))
    }

    fn of(person: Person, more: &str) -> Scene {
        let program = person.program().display().to_string();
        person.write(
            ".config/ringfence/policy.toml",
            &format!(
                "extends = [\"@workspace\"]\ndefault = \"deny\"\n\
                 allow = [\"cmd:ringfence:hook:*\", \"cmd:{program}:hook:*\", \"env:*\", \
                          \"fs:r:/tmp/**\", {more}]\n\
                 ask = [\"cmd:id:*\"]\n[hooks]\nwait = 40\n"
            ),
        );
        let event = json!({
            "hook_event_name": "PreToolUse", "session_id": "s",
            "cwd": person.home().join("project"), "permission_mode": "default",
            "tool_name": "Bash", "tool_input": { "command": "id -u" },
        });
        person.write("project/event.json", &event.to_string());
        Scene { person, program }
    }

    /// Runs a line of a shell in the fence; `HOOK` in it is the hook, which hears the event.
    fn run(&self, line: &str) -> Child {
        let line = line.replace(
            "HOOK",
            &format!("CLAUDE_PROJECT_DIR=$PWD {} hook claude-code < event.json", self.program),
        );
        let mut command = self.person.command(&self.program);
        command.args(["run", "--ask", "--", "sh", "-c", &line]);
        command.current_dir(self.person.home().join("project"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// The names of the questions that wait, once there is one.
    fn questions(&self) -> Vec<Value> {
        let begun = Instant::now();
        loop {
            let pending = self.person.ringfence(&["pending", "--json"]);
            let all: Value = serde_json::from_slice(&pending.stdout).unwrap();
            let all = all.as_array().unwrap().clone();
            if !all.is_empty() {
                return all;
            }
            assert!(begun.elapsed() < PATIENCE, "nothing was asked: {}", stderr(&pending));
            sleep(Duration::from_millis(50));
        }
    }

    fn only_question(&self) -> String {
        let all = self.questions();
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0]["program"], "claude-code", "the hook asks: {all:?}");
        all[0]["id"].as_str().unwrap().to_owned()
    }
}

/// What a run said, once it has ended.
fn ended(mut run: Child) -> (String, String) {
    let begun = Instant::now();
    while run.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "it waits for somebody");
        sleep(Duration::from_millis(50));
    }
    let output = run.wait_with_output().unwrap();
    (stdout(&output), stderr(&output))
}

#[test]
fn what_is_agreed_to_at_the_hook_holds_at_the_gate() {
    let Some(scene) = Scene::new("") else { return };
    let run = scene.run("HOOK; echo; id -u; echo status $?");
    let id = scene.only_question();
    let agreed = scene.person.at_terminal(&["approve", &id], "");
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    let (said, complaint) = ended(run);
    assert!(said.contains(r#""permissionDecision":"allow""#), "{said}\n{complaint}");
    assert!(said.contains("status 0"), "asked once, not twice: {said}\n{complaint}");
    assert!(!complaint.contains("refused"), "{complaint}");
}

#[test]
fn once_is_once_at_both_together() {
    let Some(scene) = Scene::new("") else { return };
    let run = scene.run("HOOK; echo; id -u; id -g; echo status $?");
    let id = scene.only_question();
    assert_eq!(scene.person.at_terminal(&["approve", &id], "").status.code(), Some(0));
    // Another deed is another question, at the gate.
    let other = scene.questions();
    assert!(other[0]["what"].as_str().unwrap().contains("id -g"), "{other:?}");
    scene.person.ringfence(&["deny", other[0]["id"].as_str().unwrap()]);
    let (said, complaint) = ended(run);
    assert!(said.contains("status 126"), "{said}\n{complaint}");
    assert!(complaint.contains("a person said no"), "{complaint}");
}

#[test]
fn a_yes_given_beforehand_is_spent_from_inside() {
    let Some(scene) = Scene::new("") else { return };
    let given = scene.person.at_terminal(&["allow", "'cmd:id:*'", "--once"], "");
    assert_eq!(given.status.code(), Some(0), "{}", stdout(&given));
    let (said, complaint) = ended(scene.run("HOOK; echo; id -u; echo status $?"));
    assert!(said.contains(r#""permissionDecision":"allow""#), "{said}\n{complaint}");
    assert!(said.contains("status 0"), "{said}\n{complaint}");
    let left = stdout(&scene.person.ringfence(&["allowed"]));
    assert!(!left.contains("cmd:id"), "it is spent: {left}");
}

#[test]
fn a_no_at_the_hook_says_so_and_is_written_down() {
    let Some(scene) = Scene::new("") else { return };
    let run = scene.run("HOOK");
    scene.person.ringfence(&["deny", &scene.only_question()]);
    let (said, complaint) = ended(run);
    assert!(said.contains("declined"), "{said}\n{complaint}");
}

#[test]
fn without_the_run_outside_the_hook_says_no() {
    let Some(scene) = Scene::new("\"cmd:sleep:*\"") else { return };
    let run =
        scene.run("while ! test -e gone; do sleep 0.2; done; HOOK; echo; id -u; echo status $?");
    let hooks = scene.person.home().join(STATE).join("hooks");
    let begun = Instant::now();
    let sockets = || std::fs::read_dir(&hooks).into_iter().flatten().flatten().collect::<Vec<_>>();
    while sockets().is_empty() {
        assert!(begun.elapsed() < PATIENCE);
        sleep(Duration::from_millis(50));
    }
    sockets().iter().for_each(|socket| std::fs::remove_file(socket.path()).unwrap());
    scene.person.write("project/gone", "");
    // The gate still asks by itself.
    let asked = scene.questions();
    assert_ne!(asked[0]["program"], "claude-code", "{asked:?}");
    scene.person.ringfence(&["deny", asked[0]["id"].as_str().unwrap()]);
    let (said, complaint) = ended(run);
    assert!(said.contains(r#""permissionDecision":"deny""#), "{said}\n{complaint}");
    assert!(said.contains("approval_required") && said.contains("status 126"), "{said}");
}

#[test]
fn what_other_runs_asked_and_were_refused_is_not_shown() {
    // A policy lets everyone read the directory for temporary files.
    let Some(person) = Person::below("/home".as_ref()) else { return };
    let scene = Scene::of(person, "\"cmd:python3:*\"");
    let others =
        ["asked/x.json", "given/x.json", "refused/refused.jsonl", "installed/x", "called/codex"];
    for name in others {
        scene.person.write(&format!("{STATE}/{name}"), "of-another-project");
    }
    scene.person.write(&format!("{STATE}/trust.json"), "what-is-trusted");
    let look = "import os, sys\nfor at, _, names in os.walk(os.path.expanduser('~/.local')):
    for name in names:
        try: print(at, name, open(os.path.join(at, name)).read())
        except OSError: pass
for name in sys.argv[1:]:
    try: print(open(os.path.expanduser('~/.local/state/ringfence/' + name)).read())
    except OSError as error: print('refused', error.errno)
state = os.open(os.path.expanduser('~/.local/state/ringfence'), os.O_PATH)
print(os.read(os.open('trust.json', 0, dir_fd=state), 99))
print('channels', len(os.listdir(os.path.expanduser('~/.local/state/ringfence/hooks'))))";
    scene.person.write("project/look.py", look);
    let run = scene.run(&format!("HOOK; echo; python3 look.py {}", others.join(" ")));
    let agreed = scene.person.at_terminal(&["approve", &scene.only_question()], "");
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    let (said, complaint) = ended(run);
    assert!(said.contains(r#""permissionDecision":"allow""#), "{said}\n{complaint}");
    assert!(!said.contains("of-another-project"), "{said}");
    assert_eq!(said.matches("refused 13").count(), others.len(), "{said}\n{complaint}");
    assert!(said.contains("what-is-trusted") && said.contains("channels 1"), "{said}\n{complaint}");
}

#[test]
fn an_answer_to_an_agent_elsewhere_is_not_taken_from_inside() {
    let Some(scene) = Scene::new("") else { return };
    let person = &scene.person;
    person.run_plain(&["mkdir", "-p", "other/.git"]);
    let other = person.home().join("other");
    let text = std::fs::read_to_string(person.home().join("project/event.json")).unwrap();
    let mut event: Value = serde_json::from_str(&text).unwrap();
    event["cwd"] = other.to_str().unwrap().into();
    person.write("other.json", &event.to_string());
    // A person says yes to an agent that works elsewhere, for its session.
    let line = format!(
        "cd {0} && CLAUDE_PROJECT_DIR={0} {1} hook claude-code < ../other.json",
        other.display(),
        scene.program
    );
    let mut hook = person.command("sh");
    hook.args(["-c", &line]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let hook = hook.spawn().unwrap();
    let agreed = person.at_terminal(&["approve", &scene.only_question(), "--session"], "");
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    assert!(ended(hook).0.contains(r#""permissionDecision":"allow""#));
    // A run in the project says that it were that agent.
    person.write("project/event.json", &event.to_string());
    let run = scene.run("HOOK");
    person.ringfence(&["deny", &scene.only_question()]);
    let (said, complaint) = ended(run);
    assert!(said.contains("declined"), "{said}\n{complaint}");
}

/// Tries to be the one who answers, by every way that is open to a process inside.
const ATTACK: &str = r#"
import glob, json, os, socket, subprocess, time
state = os.path.expanduser("~/.local/state/ringfence")
def say(path, line):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    try:
        s.connect(path)
        s.sendall(line.encode() + b"\n")
        return s.recv(65536).decode()
    except OSError as error:
        return "no: %s" % error
def write(path, text):
    try:
        open(path, "w").write(text)
        return "written"
    except OSError as error:
        return "no: %s" % error
while not os.path.exists("id.txt"): time.sleep(0.2)
question = open("id.txt").read().strip()
found = glob.glob(state + "/hooks/*.sock")
print("channels", len(found))
for path in found:
    for line in [
        json.dumps({"do": "answer", "id": question, "answer": "session"}),
        json.dumps({"do": "list"}),
        json.dumps({"is": "agreed"}),
        json.dumps({"agent": "codex", "event": "{}", "variables": [], "directory": "/", "answer": "once"}),
        json.dumps({"agent": "codex", "event": "{}", "variables": [], "directory": "/"}),
    ]:
        print("channel:", say(path, line))
for path in glob.glob(state + "/run/*.sock"):
    print("queue:", say(path, json.dumps({"do": "answer", "id": question, "answer": "session"})))
for name in ["asked", "given"]:
    print("file:", write("%s/%s/%s.json" % (state, name, question), json.dumps({"answer": "session"})))
try:
    s = socket.socket(socket.AF_UNIX); s.bind(state + "/hooks/zzzzzz.sock"); print("bound")
except OSError as error:
    print("no: %s" % error)
program = open("program.txt").read().strip()
for words in [["approve", question], ["approve", question, "--session"], ["allow", "cmd:id:*", "--once"]]:
    try:
        done = subprocess.run(["script", "-qec", program + " " + " ".join(words), "/dev/null"], stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
        print("verb:", done.returncode)
    except OSError as error:
        print("verb: no: %s" % error)
print("tried")
"#;

#[test]
fn nothing_inside_answers_for_a_person() {
    let wide = "\"cmd:python3:*\", \"cmd:script:*\", \"sock:~/**\", \"fs:rw:~/**\"";
    let Some(scene) = Scene::new(wide) else { return };
    scene.person.write("project/attack.py", ATTACK);
    scene.person.write("project/program.txt", &scene.program);
    let run = scene.run(
        "HOOK > answer.json & python3 attack.py; wait; cat answer.json; id -u; echo status $?",
    );
    let id = scene.only_question();
    scene.person.write("project/new", &id);
    scene.person.run_plain(&["mv", "project/new", "project/id.txt"]);
    // The question still waits when all was tried.
    sleep(Duration::from_secs(6));
    assert_eq!(scene.only_question(), id);
    scene.person.ringfence(&["deny", &id]);
    let gate = scene.questions();
    scene.person.ringfence(&["deny", gate[0]["id"].as_str().unwrap()]);
    let (said, complaint) = ended(run);
    assert!(said.contains("channels 1") && said.contains("tried"), "{said}\n{complaint}");
    for line in said.lines().filter(|line| line.starts_with("channel:")) {
        // What is no event is refused, and nobody is asked.
        let harmless = line == "channel: " || line == r#"channel: {"is":"unasked","id":null}"#;
        assert!(harmless || line.starts_with("channel: no: "), "{line}");
    }
    for line in said.lines().filter(|line| line.starts_with("queue:") || line.starts_with("file:"))
    {
        assert!(line.contains(": no: "), "{line}");
    }
    assert!(!said.contains("bound") && !said.contains("verb: 0"), "{said}");
    assert!(said.contains("declined") && said.contains("status 126"), "{said}\n{complaint}");
}
