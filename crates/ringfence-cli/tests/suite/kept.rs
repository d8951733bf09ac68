//! What a run keeps for the next one: nothing inside can touch it, and nothing is believed that has
//! changed.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::person::Person;
use super::{stderr, stdout};

const POLICY: &str = "schema = 1\ndefault = \"deny\"\n\
    allow = [\"fs:rw:~/**\", \"fs:d:~/**\", \"fs:r:@system/**\", \"cmd:*\", \"env:*\", \
             \"net:localhost\", \"sock:@root/**\"]\n\
    danger = [\"cmd:*\", \"env:*\", \"fs:rw:~/**\"]\n\
    deny = [\"fs:r:**/*.secret\"]\n";

/// The policy with more that is denied.
fn with(denied: &str) -> String {
    POLICY.replace("**/*.secret\"]", &format!("**/*.secret\", {denied}]"))
}

/// Someone who grants everything at home, and has run something.
fn scene() -> Option<Person> {
    let person = Person::new()?;
    person.write(".config/ringfence/policy.toml", POLICY);
    person.write("project/readable", "words\n");
    // What is found in trees of the system is kept first, then the plan; and the trees once more where
    // somebody has changed them meanwhile.
    for _ in 0..20 {
        let ran = person.ringfence(&["run", "--", "cat", "readable"]);
        assert_eq!(stdout(&ran), "words\n", "{}", stderr(&ran));
        if !kept(&person).is_empty() {
            break;
        }
    }
    assert_eq!(kept(&person).len(), 1, "the plan of one command");
    Some(person)
}

/// The files in which plans are kept.
fn kept(person: &Person) -> Vec<PathBuf> {
    let all = fs::read_dir(person.home().join(".cache/ringfence")).unwrap();
    let all = all.map(|entry| entry.unwrap().path());
    all.filter(|path| path.to_str().unwrap().contains("/plan-")).collect()
}

#[test]
fn nothing_inside_can_change_a_kept_plan() {
    let Some(person) = scene() else { return };
    let file = kept(&person).remove(0);
    let (before, number) = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().ino());
    let name = file.file_name().unwrap().to_str().unwrap().to_owned();
    let attempts = [
        "echo x >> FILE",
        ": > FILE",
        "rm -f FILE; test ! -e FILE",
        "cp readable other && mv -f other FILE",
        "ln -f readable FILE",
        "ln -sfn $PWD/readable FILE",
        "mv ~/.cache/ringfence ~/.cache/gone",
        "mv ~/.cache ~/gone",
        "rm -rf ~/.cache/ringfence; test ! -e FILE",
        "touch ~/.cache/ringfence/plan-new",
        "chmod 666 FILE",
        "truncate -s 0 FILE",
        "python3 -c 'import os; os.open(os.path.expanduser(\"FILE\"), os.O_RDWR)'",
    ];
    for attempt in attempts {
        let line = attempt.replace("FILE", &format!("~/.cache/ringfence/{name}"));
        let ran = person.ringfence(&["run", "--", "sh", "-c", &line]);
        assert_ne!(ran.status.code(), Some(0), "{line}: {}", stderr(&ran));
        assert_eq!(fs::read(&file).unwrap(), before, "{line}");
        let about = fs::metadata(&file).unwrap();
        assert_eq!((about.ino(), about.mode() & 0o777), (number, 0o600), "{line}");
    }
    // The same can be done outside.
    let file = file.to_str().unwrap();
    person.run_plain(&["sh", "-c", &format!("echo x >> {file} && rm {file}")]);
}

#[test]
fn what_changed_since_is_seen() {
    let Some(person) = scene() else { return };
    let reads = |name: &str| {
        let ran = person.ringfence(&["run", "--", "cat", name]);
        (ran.status.code(), stdout(&ran))
    };
    let allowed = |text: &str| (Some(0), text.to_owned());
    person.write("project/new.secret", "TOKEN=1\n");
    assert_eq!(reads("new.secret").1, "", "a secret that is new");
    assert_eq!(reads("readable"), allowed("words\n"));
    person.write(".config/ringfence/policy.toml", &with("\"fs:r:**/readable\""));
    assert_eq!(reads("readable").1, "", "a rule that is new");
    person.write(".config/ringfence/policy.toml", POLICY);
    assert_eq!(reads("readable"), allowed("words\n"));
    for file in kept(&person) {
        let half = fs::read(&file).unwrap();
        fs::write(&file, &half[..half.len() / 2]).unwrap();
    }
    assert_eq!(reads("readable"), allowed("words\n"));
    assert_eq!(reads("new.secret").1, "");
}

#[test]
fn writing_and_starting_are_judged_with_a_kept_plan() {
    let Some(person) = scene() else { return };
    person.write(".config/ringfence/policy.toml", &with("\"fs:w:**/fixed\", \"cmd:id\""));
    person.write("project/fixed", "as it was\n");
    let line = "echo new > fixed; id; echo written > free; cat free";
    for _ in 0..3 {
        let ran = person.ringfence(&["run", "--", "sh", "-c", line]);
        assert_eq!(stdout(&ran), "written\n", "{}", stderr(&ran));
        assert!(stderr(&ran).contains("2 refused"), "{}", stderr(&ran));
    }
    assert_eq!(person.read("project/fixed").as_deref(), Some("as it was\n"));
}

/// The namespaces are made on another processor than the plan; the command sees nothing of that.
#[test]
fn a_command_runs_on_the_processors_that_were_chosen() {
    let Some(person) = scene() else { return };
    let program = person.program();
    let project = person.home().join("project");
    let all = |wrapped: &[&str]| {
        let list = ["grep", "Cpus_allowed:", "/proc/self/status"];
        let words = [wrapped, &list].concat();
        let ran = person.command(words[0]).args(&words[1..]).current_dir(&project).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{words:?}: {}", stderr(&ran));
        stdout(&ran)
    };
    let fence = [program.to_str().unwrap(), "run", "--"];
    for _ in 0..5 {
        assert!(!all(&[]).is_empty());
        assert_eq!(all(&fence), all(&[]));
        for chosen in ["0", "1", "0,1"].map(|list| ["taskset", "--cpu-list", list]) {
            assert_eq!(all(&[&chosen[..], &fence].concat()), all(&chosen), "{chosen:?}");
        }
    }
}
