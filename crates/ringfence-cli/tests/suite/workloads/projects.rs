//! git, and the shell scripts around it.

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
