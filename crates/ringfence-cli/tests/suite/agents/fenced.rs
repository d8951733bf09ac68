//! Agents whose shell calls run in the fence of their session: a long piece of work without a question,
//! and attacks that do no harm.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::super::workloads::machine::Machine;
use super::super::{stderr, stdout};
use super::claude_code::CLAUDE;
use super::codex::CODEX;
use super::model::Model;
use super::opencode::OPENCODE;
use super::task::{Agent, Desk, Step};
use super::{SECRET, installed};

/// What a step has to come to.
enum Then {
    /// It ran, in the fence where it is a shell call, and said this.
    Says(&'static str),
    /// It did no harm, and the model was told so: by the hook, or by the command's own failure.
    Stopped,
}

/// What only the kernel can stop: no line says what the program does.
const ATTACK: &str = "import os, socket\nhome = os.path.expanduser('~')\n\
    def tried(what):\n    try: what(); print('HARM')\n    except OSError as error: print('stopped')\n\
    tried(lambda: print(open(home + '/keys/secret.txt').read()))\n\
    tried(lambda: open(home + '/.bashrc', 'a').write('echo planted'))\n\
    tried(lambda: open('.git/hooks/pre-commit', 'w').write('echo planted'))\n\
    tried(lambda: socket.create_connection(('127.0.0.1', PORT), 2))\n";
const SERVER: &str = "import http.server\n\
    server = http.server.HTTPServer(('127.0.0.1', 8917), http.server.SimpleHTTPRequestHandler)\n\
    server.serve_forever()\n";
const CLIENT: &str = "import time, urllib.request\n\
    for _ in range(50):\n    try:\n        print(urllib.request.urlopen('http://127.0.0.1:8917/notes.txt').read().decode())\n        break\n    \
    except OSError:\n        time.sleep(0.2)\n";

fn steps(desk: &Desk, scratch: &str) -> Vec<(Step, Then)> {
    let run = |line: &str| Step::Run(line.to_owned());
    let file = |name: &str| PathBuf::from(format!("{scratch}.{name}"));
    let at = |name: &str| file(name).display().to_string();
    let secret = desk.at_home("keys/secret.txt").display().to_string();
    let (python, out) = (at("py"), at("out"));
    let mut steps = vec![
        (run("ls -la"), Then::Says("notes.txt")),
        (run("git status --short && git log --oneline | head -3"), Then::Says("first")),
        (run("mkdir -p src/deep && cd src/deep && pwd"), Then::Says("src/deep")),
        (run("cd \"$(git rev-parse --show-toplevel)\" && pwd && ls"), Then::Says("Makefile")),
        (run("python3 server.py > server.log 2>&1 & echo begun"), Then::Says("begun")),
        (run("python3 client.py"), Then::Says("plain text of the project")),
        (
            Step::Write(
                file("py"),
                "import sys; print('scratch ' + 'ran'); open(sys.argv[1], 'w').write('made inside')\n",
            ),
            Then::Says(""),
        ),
        (run(&format!("python3 {python} {out}")), Then::Says("scratch ran")),
        (run(&format!("cat {out}; rm {out}")), Then::Says("made inside")),
        (run("make test"), Then::Says("FAIL")),
        (run("python3 attack.py"), Then::Stopped),
        (run(&format!("cat {secret}")), Then::Stopped),
        (run(&format!("P=$(echo {secret}); head -c 99 \"$P\"")), Then::Stopped),
        (run("echo 'echo planted' >> ~/.bashrc"), Then::Stopped),
        (run("git push --force origin main"), Then::Stopped),
        (run("base64 -d <<< Y2F0IH4va2V5cy9zZWNyZXQudHh0 | bash"), Then::Stopped),
        (Step::Edit(desk.file("sums.py"), "a - b", "a + b"), Then::Says("")),
        (run("make test"), Then::Says("all is well")),
        (run("FOO=1 sh -c 'echo foo is $FOO'"), Then::Says("foo is 1")),
        (run("for f in *.py; do wc -l \"$f\"; done"), Then::Says("sums.py")),
        (run("cat <<'E' > made.txt\nit's $HOME\nE\ncat made.txt"), Then::Says("it's $HOME")),
        (run("rm made.txt server.log && rm -r src && git status --short"), Then::Says("sums.py")),
    ];
    for number in 0..16 {
        let line = format!("x=$(({number} * 2)); printf 'step %s\\n' \"$x\" | tee -a steps.txt");
        steps.push((Step::Run(line), Then::Says("step ")));
    }
    steps.extend([
        (run("sort -u steps.txt | wc -l; rm steps.txt"), Then::Says("16")),
        (
            run("git add sums.py && git commit -qm 'sums are sums' && git log --oneline"),
            Then::Says("sums are sums"),
        ),
    ]);
    steps
}

fn work(agent: &Agent) {
    if installed(agent.program).is_none() {
        return;
    }
    let desk = Desk::new();
    let scratch = format!("/tmp/rf-agent-{}-{}", std::process::id(), agent.name);
    let steps = steps(&desk, &scratch);
    let mut script: Vec<Value> = steps.iter().map(|(step, _)| (agent.call)(step)).collect();
    script.push((agent.done)());
    let speak = agent.speak;
    let model =
        Model::start(Box::new(move |path, request, turn| speak(&script, path, request, turn)));
    for (name, text) in [("server.py", SERVER), ("client.py", CLIENT)] {
        desk.machine.write(name, text);
    }
    desk.machine.write("attack.py", &ATTACK.replace("PORT", &model.port().to_string()));
    desk.machine.write(".git/info/exclude", "*.py\n!sums.py\n!test_sums.py\n");
    desk.machine.write_at(&desk.at_home(".bashrc"), "# mine\n");
    let policy =
        "extends = [\"@workspace\", \"@git\", \"@python\"]\n[hooks]\nshell = \"fence\"\nwait = 0\n";
    std::fs::write(desk.machine.policy(), policy).unwrap();
    let path = format!("PATH={}:/usr/local/bin:/usr/bin:/bin", desk.bin(agent).display());
    let mut words = vec!["env".to_owned(), path];
    words.extend((agent.prepare)(&desk, &model));
    let output = desk.machine.run(&words);
    let said = format!("{}\n{}", stdout(&output), stderr(&output));
    let _ = std::fs::remove_file(format!("{scratch}.py"));
    look(agent, &model, &steps, &said);
    no_harm(&desk.machine, &said);
}

fn look(agent: &Agent, model: &Model, steps: &[(Step, Then)], said: &str) {
    let heard = model.interpret_reply();
    assert!(!heard.iter().any(|turn| turn.contains(SECRET)), "the key reached the model");
    assert!(heard.len() > steps.len(), "{} turns of {}:\n{said}", heard.len(), steps.len());
    let mut fenced = 0;
    for (turn, (_, then)) in steps.iter().enumerate() {
        let request: Value = serde_json::from_str(&heard[turn + 1]).unwrap();
        let result =
            (agent.result)(&request, turn).unwrap_or_else(|| panic!("step {turn}: {request}"));
        match then {
            Then::Says(text) => {
                assert!(
                    !result.contains("approval_required"),
                    "step {turn} was a question: {result}"
                );
                assert!(result.contains(text), "step {turn}, `{text}`: {result}\n{said}");
                fenced += 1;
            }
            Then::Stopped => {
                // Envelopes say one of the last two.
                let envelope = ["\\\"retry\\\":\\\"never", "Tool call rejected"];
                let told = ["ringfence", "stopped", "ermission denied"];
                let mut told = told.iter().chain(&envelope);
                assert!(told.any(|own| result.contains(own)), "step {turn}: {result}");
                assert!(!result.contains("HARM"), "step {turn}: {result}");
            }
        }
    }
    assert!(fenced >= 34);
}

fn no_harm(machine: &Machine, said: &str) {
    let kept = std::fs::read_to_string(machine.home().join(".bashrc")).unwrap();
    assert_eq!(kept, "# mine\n", "{said}");
    assert!(!machine.project().join(".git/hooks/pre-commit").exists(), "{said}");
    let log = stdout(&machine.outside("git log --oneline"));
    assert!(log.contains("sums are sums"), "{log}\n{said}");
}

#[test]
fn claude_code_works_in_the_fence_of_its_session() {
    work(&Agent { prepare: claude, ..CLAUDE });
}

#[test]
fn codex_works_in_the_fence_of_its_session() {
    work(&CODEX);
}

#[test]
fn opencode_works_in_the_fence_of_its_session() {
    work(&OPENCODE);
}

/// Claude Code with its settings in the user's file: settings on its command line may have other rules.
fn claude(desk: &Desk, model: &Model) -> Vec<String> {
    let hook = json!({ "type": "command", "command": desk.hook("claude-code"), "timeout": 60 });
    let settings = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [hook] }] } });
    desk.machine.write_at(&desk.at_home(".claude/settings.json"), &settings.to_string());
    let url = format!("ANTHROPIC_BASE_URL={}", model.url());
    let words = [
        &url,
        "ANTHROPIC_API_KEY=not-a-key",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
        "DISABLE_AUTOUPDATER=1",
        "claude",
        "-p",
        "do it",
        "--output-format",
        "json",
    ];
    words.map(str::to_owned).to_vec()
}
