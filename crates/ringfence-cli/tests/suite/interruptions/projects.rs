//! Real project trees with git history, dependencies and build output.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use crate::suite::person::Person;
use crate::suite::{repository, run_with_input, stderr, stdout};

/// Projects by their name, from `tests/corpus/asks-projects.json`.
#[derive(Deserialize)]
pub(super) struct Projects(BTreeMap<String, Project>);

/// The files of a project, each with its text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Project {
    tracked: BTreeMap<String, String>,
    #[serde(default)]
    ignored: BTreeMap<String, String>,
    #[serde(default)]
    untracked: BTreeMap<String, String>,
    /// Symbolic links, each with its target.
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// Archives (`.tgz`, or else zip), each with the names of its members.
    #[serde(default)]
    archives: BTreeMap<String, Vec<String>>,
}

impl Projects {
    pub(super) fn read() -> Projects {
        let path = repository().join("tests/corpus/asks-projects.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// Makes every project in the person's home, and sets ringfence up in each.
    pub(super) fn make(&self, person: &Person) {
        person.write(
            ".gitconfig",
            "[user]\n\tname = A\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n",
        );
        person.run_plain(&["mkdir", ".claude"]);
        for (name, project) in &self.0 {
            run(person, &project.script(name));
            let done = person.at_terminal_in(name, &["init"], "y\n");
            assert!(stdout(&done).contains("wrote"), "{}", stdout(&done));
        }
    }
}

impl Project {
    /// Returns the shell script that makes the project.
    fn script(&self, name: &str) -> String {
        let mut script = format!("set -e\nmkdir -p {name}; cd {name}\n");
        put(&mut script, &self.tracked);
        script.push_str(
            "git init -q\ngit remote add origin https://github.com/example/app.git\n\
             for text in one two three; do\n  echo $text > CHANGES.txt; git add -A\n  \
             git commit -qm $text\n  if [ $text = two ]; then git branch feature/topic; fi\ndone\n",
        );
        put(&mut script, &self.ignored);
        put(&mut script, &self.untracked);
        for (path, target) in &self.links {
            let _ = writeln!(script, "mkdir -p \"$(dirname {path})\"; ln -s {target} {path}");
        }
        for (path, members) in &self.archives {
            let members = members.join(" ");
            let pack = match path.ends_with(".tgz") {
                true => "tar czf \"$OLDPWD/packed\" *",
                false => "python3 -m zipfile -c \"$OLDPWD/packed\" *",
            };
            let _ = writeln!(
                script,
                "mkdir -p \"$(dirname {path})\" .pack\n\
                 for m in {members}; do mkdir -p \".pack/$(dirname $m)\"; echo x > .pack/$m; done\n\
                 cd .pack; {pack}; cd ..; mv packed {path}; rm -r .pack"
            );
        }
        script
    }
}

/// Adds the commands that write these files; a script becomes executable.
fn put(script: &mut String, files: &BTreeMap<String, String>) {
    for (path, text) in files {
        let _ = writeln!(script, "mkdir -p \"$(dirname {path})\"");
        let _ = writeln!(script, "cat > {path} <<'END OF FILE'\n{text}END OF FILE");
        if text.starts_with("#!") {
            let _ = writeln!(script, "chmod +x {path}");
        }
    }
}

fn run(person: &Person, script: &str) {
    let mut command = person.command("bash");
    command.current_dir(person.home()).env("HOME", person.home());
    let output = run_with_input(&mut command, script.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
}
