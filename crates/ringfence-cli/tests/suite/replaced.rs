//! What a run hides may be replaced by others while it starts: it starts all the same, by a new plan.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::person::Person;
use super::{stderr, stdout};

/// What is named by its path is covered, and so compared before the command begins.
const POLICY: &str = "schema = 1\nextends = [\"@workspace\"]\n\
    deny = [\"fs:rw:@root/one.key\", \"fs:rw:@root/two.key\", \"fs:rw:@root/three.key\"]\n";
/// The shell opens each file itself: a program that is started for a hidden one would be refused whole.
const READ_ALL: &str = "for name in readable one.key two.key three.key; do \
    read -r line < $name && echo $line; done; true";
/// As many runs are started, each with one replacement at another moment.
const RUNS: u32 = 40;

#[test]
fn a_run_starts_if_others_replace_what_it_hides() {
    let Some(person) = Person::new() else { return };
    person.write(".config/ringfence/policy.toml", POLICY);
    person.write("project/readable", "words\n");
    let names = ["project/one.key", "project/two.key", "project/three.key"];
    names.iter().for_each(|name| person.write(name, "secret\n"));
    let words = ["run", "--", "sh", "-c", READ_ALL];
    let ran = person.ringfence(&words);
    assert_eq!(stdout(&ran), "words\n", "{}", stderr(&ran));
    let begun = Instant::now();
    person.ringfence(&words);
    let usual = begun.elapsed();
    for number in 0..RUNS {
        let mut command = person.command(person.program().to_str().unwrap());
        let command = command.args(words).current_dir(person.home().join("project"));
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        thread::sleep(usual * number / RUNS);
        for name in names {
            let (at, new) = (person.home().join(name), person.home().join("new"));
            fs::write(&new, "secret\n").unwrap();
            fs::rename(&new, &at).unwrap();
        }
        let ran = child.wait_with_output().unwrap();
        assert_eq!(stdout(&ran), "words\n", "{number}: {}", stderr(&ran));
        thread::sleep(Duration::from_millis(1));
    }
}
