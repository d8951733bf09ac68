//! git, and the shell scripts around it.

use std::os::unix::fs::PermissionsExt;

use super::machine::{Machine, as_everyone};

const GIT: &str = r#"
schema = 1
extends = ["@workspace", "@git"]
default = "deny"
allow = ["cmd:git:clone:*", "cmd:git:remote:add:*", "cmd:git:config:*", "net:forge.example"]
danger = ["cmd:git:remote:add:*"]
"#;

#[test]
fn git_works_in_the_project() {
    as_everyone(GIT, |machine: &Machine| {
        machine.write("README.md", "one\n");
        machine.write("src/main.c", "int main(void) { return 0; }\n");
        machine.works("git init --quiet --initial-branch=main . && test -d .git");
        machine.works("git config user.name someone && git config user.email a@b.example");
        machine.works("git add . && git commit --quiet -m first");
        machine.works("git branch side && git checkout --quiet side");
        machine.works("echo two >> README.md && git diff | grep '^+two'");
        machine.works("git commit --quiet -a -m second && git checkout --quiet main");
        machine.works("git merge --quiet side && git log --oneline | grep -c . | grep 2");
        assert_eq!(machine.works("git status --short"), "");
        machine.works("git remote add origin https://forge.example/x.git && git remote -v");
        machine.works("git clone --quiet . copy && cat copy/README.md | grep two");
        machine.works("cd copy && git log -1 --format=%s | grep second");
        machine.works("git stash list && git tag v1 && git rev-parse v1");
        let config = machine.read(".git/config");
        assert!(config.contains("name = someone") && config.contains("forge.example"), "{config}");
    });
}

/// A cache is granted before the program that fills it first runs.
#[test]
fn a_granted_directory_that_is_missing_can_be_used() {
    let policy = "schema = 1\nextends = [\"@workspace\"]\ndefault = \"deny\"\n\
        allow = [\"cmd:*\", \"fs:rw:~/.tools/cache/**\", \"fs:rw:~/.unused/cache/**\"]\n";
    as_everyone(policy, |machine| {
        machine.works(
            "mkdir -p ~/.tools/cache/a && echo one > ~/.tools/cache/a/b && test -d ~/.unused/cache",
        );
        let refused = "mkdir ~/.tools/other || ls ~/.tools/ && mkdir ~/.unused/cache/../other";
        let output = machine.run(&machine.inside(&["bash", "-c", refused]));
        assert!(!output.status.success(), "{output:?}");
        let home = machine.home();
        assert_eq!(std::fs::read_to_string(home.join(".tools/cache/a/b")).unwrap(), "one\n");
        assert!(!home.join(".unused").exists() && !home.join(".tools/other").exists());
        machine.works("cat ~/.tools/cache/a/b | grep one");
    });
}

/// Whoever waits at a port that is in use is told before the command begins, and loses nothing else.
#[test]
fn a_port_that_is_in_use_is_told_at_once() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let policy =
        format!("schema = 1\nextends = [\"@workspace\"]\nallow = [\"cmd:*\", \"listen:{port}\"]\n");
    as_everyone(&policy, |machine| {
        let words = machine.inside(&["bash", "-c", "echo begun >&2; exit 7"]);
        let output = machine.run(&words);
        let complaint = super::super::stderr(&output);
        let told = format!("note: port {port} is in use on this machine already");
        let (note, begun) = (complaint.find(&told), complaint.find("begun"));
        assert!(note.is_some() && note < begun, "{complaint}");
        assert_eq!(output.status.code(), Some(7), "{complaint}");
    });
}

/// What code may use there may be named to a program as well.
#[test]
fn directories_that_a_run_has_for_itself_can_be_named() {
    as_everyone("schema = 1\nextends = [\"@workspace\"]\n", |machine| {
        let line = "echo one > /dev/shm/a && cat /dev/shm/a && mkdir /dev/shm/d && mv /dev/shm/a /dev/shm/d \
            && ls /dev/shm && rm -r /dev/shm/d";
        assert_eq!(machine.works(line), "one\nd\n");
        let line = "ln -s ~/.ssh/id_rsa /dev/shm/k; cat /dev/shm/k";
        let output = machine.run(&machine.inside(&["bash", "-c", line]));
        assert!(!output.status.success(), "{output:?}");
    });
}

/// What lies in a directory that can be listed and not entered cannot be covered by itself.
#[test]
fn a_directory_that_cannot_be_entered_stops_nobody() {
    as_everyone("schema = 1\nextends = [\"@workspace\"]\n", |machine| {
        machine.write("closed/.env", "a secret\n");
        let closed = |mode| std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(machine.project().join("closed"), closed(0o644)).unwrap();
        assert_eq!(machine.works("echo fine"), "fine\n");
        std::fs::set_permissions(machine.project().join("closed"), closed(0o755)).unwrap();
    });
}
