//! Who does not get into a session, and what does not get out.

use std::process::Command;

use super::{everyone, wait_until};
use crate::suite::{stderr, stdout};

#[test]
fn another_project_agent_or_policy_does_not_enter() {
    everyone(|scene| {
        assert!(scene.sh("true").status.success());
        let refused = |command: &mut Command, why: &str| {
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
            assert!(stderr(&output).contains(why), "{}", stderr(&output));
        };
        let other = scene.project().parent().unwrap().join("other");
        std::fs::create_dir_all(other.join(".git")).unwrap();
        refused(scene.run(&["true"]).current_dir(&other), "belongs to");
        refused(
            &mut scene.run_in(&scene.name, &["--agent", "claude-code"], &["true"]),
            "another agent",
        );
        let stricter = scene.project().parent().unwrap().join("more.toml");
        std::fs::write(&stricter, "deny = [\"cmd:curl:*\"]\n").unwrap();
        let more = stricter.to_str().unwrap();
        refused(&mut scene.run_in(&scene.name, &["--policy", more], &["true"]), "another policy");
        assert!(scene.sh("true").status.success());
    });
}

#[test]
fn no_fence_reaches_a_session() {
    everyone(|scene| {
        assert!(scene.sh("sleep 276 > /dev/null 2>&1 &").status.success());
        let socket = scene.sockets().join(format!("{}.sock", scene.name));
        assert!(socket.exists());
        // The path is in no word that anybody would judge.
        let text = format!(
            "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('{}')\nprint('reached')\n",
            socket.display()
        );
        std::fs::write(scene.project().join("reach.py"), text).unwrap();
        let line = ["python3", "reach.py"];
        let other = format!("{}b", scene.name);
        for session in [&scene.name, &other] {
            let output = scene.run_in(session, &[], &line).output().unwrap();
            assert!(!stdout(&output).contains("reached"));
            assert!(stderr(&output).contains("PermissionError"), "{}", stderr(&output));
        }
        let mut alone = scene.command();
        alone.args(["run", "--policy", scene.policy_file().to_str().unwrap(), "--"]).args(line);
        assert!(stderr(&alone.output().unwrap()).contains("PermissionError"));
        // Two sessions do not see each other.
        let seen = scene.run_in(&other, &[], &["ps", "-eo", "args"]).output().unwrap();
        assert!(!stdout(&seen).contains("276"));
        let seen = scene.run(&["ps", "-eo", "args"]).output().unwrap();
        assert!(stdout(&seen).contains("276"));
    });
}

/// Asks a supervisor to end its session, without the command's own care.
const ASKS: &str = r#"
import socket, struct, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
said, heard = b'{"do": "end"}', b''
# Whoever is refused may be refused before a word.
try: s.sendall(struct.pack('=I', len(said)) + said)
except OSError: pass
try:
    while part := s.recv(4096): heard += part
except OSError: pass
print(heard[4:].decode())
"#;

#[test]
fn a_peer_in_other_namespaces_is_not_listened_to() {
    everyone(|scene| {
        assert!(scene.sh("true").status.success());
        let socket = scene.sockets().join(format!("{}.sock", scene.name));
        let asks = |namespaces: &[&str]| {
            let words = [namespaces, &["python3", "-c", ASKS, socket.to_str().unwrap()]].concat();
            let mut command = match &scene.person {
                Some(person) => person.command(words[0]),
                None => Command::new(words[0]),
            };
            let output = command.args(&words[1..]).current_dir("/").output().unwrap();
            assert!(output.status.success(), "{}", stderr(&output));
            stdout(&output)
        };
        let user = ["unshare", "--user", "--map-root-user"];
        for own in ["--pid", "--mount", "--net", "--ipc"] {
            let said = asks(&[&user[..], &[own, "--fork"]].concat());
            assert!(said.contains("refused"), "{own}: {said}");
        }
        if scene.person.is_none() {
            for own in ["--pid", "--mount", "--net", "--ipc"] {
                let said = asks(&["unshare", own, "--fork"]);
                assert!(said.contains("refused"), "{own}: {said}");
            }
        }
        assert!(scene.info().is_some());
        // Outside, it is heard.
        assert!(asks(&[]).contains("ending"));
        wait_until("it ends", || scene.info().is_none());
    });
}
