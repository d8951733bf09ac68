//! Hooks that fence: shell calls of agents, rewritten by the built program, run by a shell.

use serde_json::{Value, json};

use super::workloads::machine::{Machine, as_everyone, ordinary};
use super::{stderr, stdout};

const AGENT: &str = include_str!("agent.py");
const AGENTS: [&str; 5] = ["claude-code", "codex", "gemini", "copilot", "opencode"];
const POLICY: &str = "extends = [\"@workspace\"]\ndefault = \"deny\"\n\
    ask = [\"cmd:git:push:*\"]\n[hooks]\nshell = \"fence\"\nwait = 0\n";
/// What Codex has on its command line where its own sandbox is off.
const OPEN: &str = "danger-full-access";

/// Has an agent do these steps; what came of each.
fn work(machine: &Machine, agent: &str, steps: &[Value]) -> Vec<Value> {
    machine.write_at(&machine.home().join("agent.py"), AGENT);
    std::fs::write(machine.policy(), POLICY).unwrap();
    let words = [
        "python3",
        machine.home().join("agent.py").to_str().unwrap(),
        agent,
        machine.ringfence().to_str().unwrap(),
        machine.policy().to_str().unwrap(),
        &Value::from(steps).to_string(),
        OPEN,
    ]
    .map(str::to_owned);
    let output = machine.run(&words);
    let said = stdout(&output);
    serde_json::from_str(said.lines().last().unwrap_or_default())
        .unwrap_or_else(|_| panic!("{agent}: {said}\n{}", stderr(&output)))
}

fn line(text: &str) -> Value {
    json!({ "line": text })
}

#[track_caller]
fn ran(result: &Value, status: i64, stdout: &str) {
    assert_eq!(result["allowed"], "allow", "{result}");
    assert_eq!(
        (&result["status"], &result["stdout"]),
        (&json!(status), &json!(stdout)),
        "{result}"
    );
}

#[test]
fn a_shell_call_runs_in_the_fence_of_its_session() {
    as_everyone("", |machine| {
        for agent in AGENTS {
            machine.write("net.py", "import os\nprint(os.readlink('/proc/self/ns/net'))\n");
            let outside = stdout(&machine.outside("python3 net.py"));
            machine.write("sub/file.txt", "text of a file\n");
            let steps = [
                line("python3 net.py"),
                line("cd sub && cat file.txt"),
                line("pwd"),
                line("printf '%s' \"it's $(printf 'a\\nb') \\$x\"; cat <<'E'\n $(no) `no`\nE"),
                line("cat nothing; exit 7"),
                line("sleep 300 > log 2>&1 & echo started"),
                line("pgrep -c sleep"),
            ];
            let results = work(machine, agent, &steps);
            let [net, cd, pwd, quoted, fails, background, lives] = &results[..] else { panic!() };
            assert_eq!(net["status"], 0, "{agent}: {net}");
            assert_ne!(net["stdout"].as_str().unwrap(), outside, "{agent}: it is in no fence");
            ran(cd, 0, "text of a file\n");
            let keeps = ["claude-code", "copilot"].contains(&agent);
            let project = machine.project().canonicalize().unwrap();
            let ends = if keeps { project.join("sub") } else { project };
            ran(pwd, 0, &format!("{}\n", ends.display()));
            ran(quoted, 0, "it's a\nb $x $(no) `no`\n");
            assert_eq!(fails["status"], 7, "{agent}: {fails}");
            assert_eq!(fails["cwd"], ends.to_str().unwrap(), "{agent}");
            ran(background, 0, "started\n");
            ran(lives, 0, "1\n");
        }
    });
}

#[test]
fn the_rewritten_line_has_nothing_of_the_text_but_a_label() {
    let machine = ordinary("");
    let text = "echo 'x' \"$(echo y)\" `echo z` # \u{e9}\n echo last";
    for agent in AGENTS {
        let results = work(&machine, agent, &[line(text)]);
        let rewritten = results[0]["rewritten"].as_str().unwrap_or_else(|| panic!("{results:?}"));
        assert!(rewritten.contains("'echo x echo y echo z echo last'"), "{agent}: {rewritten}");
        assert!(!rewritten.contains('\n') && !rewritten.contains('`'), "{agent}: {rewritten}");
        ran(&results[0], 0, "x y z\nlast\n");
    }
}

#[test]
fn what_is_asked_or_denied_is_not_rewritten() {
    let machine = ordinary("");
    for agent in AGENTS {
        for denied in ["git push", "cat ~/.ssh/id_rsa", "rm -rf ~"] {
            let results = work(&machine, agent, &[line(denied)]);
            assert_ne!(results[0]["allowed"], "allow", "{agent}: {results:?}");
            assert_eq!(results[0]["rewritten"], Value::Null, "{agent}: {results:?}");
            assert_ne!(results[0]["said"], "", "{results:?}");
        }
    }
}

#[test]
fn a_ticket_is_redeemed_once_and_by_its_own_agent() {
    let machine = ordinary("");
    let again = json!({ "again": true });
    let results = work(&machine, "claude-code", &[line("echo once"), again]);
    ran(&results[0], 0, "once\n");
    assert_eq!(
        (&results[1]["status"], &results[1]["stdout"]),
        (&json!(2), &json!("")),
        "{results:?}"
    );
    assert!(results[1]["stderr"].as_str().unwrap().contains("has run already"), "{results:?}");

    // A ticket that was never redeemed, by a process that is not below the agent.
    let hook = "import subprocess, sys; print(subprocess.run([sys.argv[1], 'hook', 'opencode', '--policy', \
         sys.argv[2]], input=sys.argv[3], text=True, capture_output=True).stdout)";
    let event = json!({ "tool": "bash", "args": { "command": "echo stolen" }, "session": "s",
                        "directory": machine.project(), "project": machine.project(), "servers": [], "rewrites": true });
    let words = [
        "python3",
        "-c",
        hook,
        machine.ringfence().to_str().unwrap(),
        machine.policy().to_str().unwrap(),
        &event.to_string(),
    ]
    .map(str::to_owned);
    let said: Value = serde_json::from_slice(&machine.run(&words).stdout).unwrap();
    let stolen = said["args"]["command"].as_str().unwrap_or_else(|| panic!("{said}"));
    let output = machine.outside(stolen);
    assert!(!stdout(&output).contains("stolen"), "{}", stdout(&output));
    assert!(stderr(&output).contains("another process"), "{}", stderr(&output));
}

#[test]
fn files_of_the_agents_own_tools_in_tmp_are_there() {
    as_everyone("", |machine| {
        let name = format!("rf-test-{}-{}", std::process::id(), machine.name.replace(' ', "-"));
        let [old, script, out] = ["old", "py", "out"].map(|own| format!("/tmp/{name}.{own}"));
        std::fs::write(&old, "the secret of another program\n").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let program = format!("open({out:?}, 'w').write('made inside')\nprint('ran')\n");
        let steps = [
            json!({ "sleep": 2.5 }),
            json!({ "write": script, "text": program }),
            line(&format!("python3 {script}")),
            json!({ "read": out }),
            line(&format!("cat {old}")),
            line(&format!("cp {old} copy; ln {old} link; mv {old} moved; ls copy link moved")),
        ];
        let results = work(machine, "claude-code", &steps);
        let is_there = std::fs::read_to_string(&old).unwrap_or_default();
        for file in [&old, &script, &out] {
            let _ = std::fs::remove_file(file);
        }
        ran(&results[2], 0, "ran\n");
        assert_eq!(results[3]["stdout"], "made inside", "{results:?}");
        for result in &results[4..] {
            assert_ne!(result["status"], 0, "{result}");
            assert!(!result.to_string().contains("secret of another"), "{result}");
        }
        assert!(is_there.contains("secret"), "it was removed");
    });
}

#[test]
fn the_kernel_stops_what_no_line_says_and_the_model_is_told() {
    let machine = ordinary("");
    let secret = machine.home().join("keys/secret.txt");
    machine.write_at(&secret, "planted-key");
    machine.write_at(&machine.home().join(".bashrc"), "# mine\n");
    let code = "import os, sys\n\
        for path, mode in [('keys/secret.txt', 'r'), ('.bashrc', 'a')]:\n    \
        try: print(open(os.environ['HOME'] + '/' + path, mode).read() if mode == 'r' else \
        open(os.environ['HOME'] + '/' + path, mode).write('planted'))\n    \
        except OSError as error: print('stopped', error.errno)\n";
    machine.write("attack.py", code);
    for agent in AGENTS {
        let results = work(&machine, agent, &[line("python3 attack.py")]);
        ran(&results[0], 0, "stopped 13\nstopped 13\n");
        let told = results[0]["stderr"].as_str().unwrap();
        // Landlock refuses the reading without an event; the writing goes through the broker.
        assert!(
            told.contains("ringfence refused: write ") && told.contains(".bashrc"),
            "{agent}: {told}"
        );
        assert!(told.trim_end().lines().count() == 2, "{agent}: {told}");
    }
    let kept = std::fs::read_to_string(machine.home().join(".bashrc")).unwrap();
    assert_eq!(kept, "# mine\n");
}

#[test]
fn the_agents_own_rules_are_judged_first() {
    let machine = ordinary("");
    let settings = json!({ "permissions": { "deny": ["Bash(git log:*)"], "ask": ["Bash(wc *)"] } });
    machine.write_at(&machine.home().join(".claude/settings.json"), &settings.to_string());
    let steps = [line("git log"), line("echo a; git log -1"), line("wc -l x"), line("echo fine")];
    let results = work(&machine, "claude-code", &steps);
    for result in &results[..3] {
        assert_eq!(
            (&result["allowed"], &result["rewritten"]),
            (&json!("allow"), &Value::Null),
            "{result}"
        );
    }
    ran(&results[3], 0, "fine\n");
    // A hook that may put another text in the place of ours.
    let hook = json!({ "matcher": "Bash", "hooks": [{ "type": "command", "command": "other" }] });
    let settings = json!({ "hooks": { "PreToolUse": [hook] } });
    machine.write_at(&machine.home().join(".claude/settings.json"), &settings.to_string());
    let results = work(&machine, "claude-code", &[line("echo fine")]);
    assert_eq!(results[0]["rewritten"], Value::Null, "{results:?}");
}

#[test]
fn a_session_ends_with_its_agent() {
    let machine = ordinary("");
    let results = work(&machine, "claude-code", &[line("sleep 321 > log 2>&1 & echo started")]);
    ran(&results[0], 0, "started\n");
    let lives = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let words = |own: std::fs::DirEntry| std::fs::read(own.path().join("cmdline")).ok();
        processes.filter_map(words).any(|words| words == b"sleep\x00321\x00")
    };
    let begun = std::time::Instant::now();
    while lives() {
        assert!(begun.elapsed().as_secs() < 20, "it outlives its agent");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn nothing_is_rewritten_inside_a_run() {
    let machine = ordinary("");
    machine.write_at(&machine.home().join("agent.py"), AGENT);
    std::fs::write(machine.policy(), format!("{POLICY}[sandbox]\nchildren = \"inherit\"\n"))
        .unwrap();
    let program = machine.ringfence();
    let event = json!({ "tool": "bash", "args": { "command": "echo a" }, "session": "s",
                        "directory": machine.project(), "project": machine.project(), "servers": [], "rewrites": true });
    let hook = format!(
        "printf '%s' '{event}' | {} hook opencode --policy {}",
        program.display(),
        machine.policy().display()
    );
    let output = machine.run(&machine.inside(&["bash", "-c", &hook]));
    assert!(!stdout(&output).contains("fenced"), "{}\n{}", stdout(&output), stderr(&output));
}
