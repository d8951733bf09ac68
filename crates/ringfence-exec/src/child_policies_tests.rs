use std::path::PathBuf;

use super::*;

const BASH: Process = Process { number: 10, began: 100 };
const JUDGED: ChildPolicy = ChildPolicy { children: Some(Children::Judged), asked_for: false };
const INHERIT: ChildPolicy = ChildPolicy { children: Some(Children::Inherit), asked_for: false };

fn started(above: Option<Process>) -> Started {
    Started {
        pid: 20,
        process: Some(Process { number: 20, began: 200 }),
        above,
        by: PathBuf::new(),
        asked: PathBuf::new(),
        file: PathBuf::new(),
        links: 1,
        interpreter: None,
        argv: Vec::new(),
        changed: Vec::new(),
        cwd: PathBuf::new(),
    }
}

#[test]
fn a_program_counts_once_it_runs() {
    let family = ChildPolicies::default();
    family.may_become(Some(BASH), INHERIT);
    assert_eq!(family.of(&started(Some(BASH))), JUDGED);
    family.became(BASH);
    assert_eq!(family.of(&started(Some(BASH))), INHERIT);
}

#[test]
fn a_start_that_failed_changes_nothing() {
    let family = ChildPolicies::default();
    family.may_become(Some(BASH), JUDGED);
    family.became(BASH);
    // A person said no, or the kernel could not run the file.
    family.may_become(Some(BASH), INHERIT);
    assert_eq!(family.of(&started(Some(BASH))), JUDGED);
}

#[test]
fn a_reused_pid_inherits_nothing() {
    let family = ChildPolicies::default();
    family.may_become(Some(BASH), INHERIT);
    let other = Process { began: 101, ..BASH };
    family.became(other);
    assert_eq!(family.of(&started(Some(other))), JUDGED);
    assert_eq!(family.of(&started(Some(BASH))), JUDGED);
    assert_eq!(family.of(&started(None)), JUDGED);
}
