use std::fs;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ringfence::{Approver, Command, Ended, Error, Stdio};
use ringfence_exec::queue::{Queue, QueueTimeouts, RunInfo};

use super::project::{Project, Yes, sh};

#[test]
fn a_command_runs_with_its_streams() {
    let project = Project::new();
    let command = sh("cat; echo said; echo complained >&2; exit 3");
    let mut child = ringfence::spawn(&project.fence(&command), project.typed(&command)).unwrap();
    child.stdin.take().unwrap().write_all(b"typed\n").unwrap();
    let (mut said, mut complained) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut complained).unwrap();
    let (ended, report) = child.wait().unwrap();
    assert_eq!((said.as_str(), complained.as_str()), ("typed\nsaid\n", "complained\n"));
    assert_eq!(ended, Ended::Exited(3));
    assert_eq!(report.refused, []);
}

#[test]
fn refusals_are_in_the_report() {
    let project = Project::with("deny = [\"fs:w:@root/kept\"]\n");
    fs::write(project.root().join("kept"), "as it was").unwrap();
    let command = sh("echo changed > kept");
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert!(!outcome.is_success());
    assert!(String::from_utf8(outcome.stderr).unwrap().contains("Permission denied"));
    assert_eq!(outcome.report.refused.len(), 1, "{:?}", outcome.report);
    assert_eq!(fs::read_to_string(project.root().join("kept")).unwrap(), "as it was");
}

#[test]
fn the_policy_chooses_the_variables() {
    let project = Project::with("");
    let command = sh("echo $LANG-$SECRET_TOKEN");
    let path = std::env::var("PATH").unwrap();
    let variables = [("LANG", "C.UTF-8"), ("SECRET_TOKEN", "secret"), ("PATH", &path)];
    let command = command.variables(variables);
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), "C.UTF-8-\n");
}

#[test]
fn a_handle_that_is_dropped_ends_all_of_it() {
    let project = Project::new();
    let line = "(setsid sh -c 'echo > begun; while :; do date +%N > alive; done') & wait";
    let command = sh(line).stdout(Stdio::Null).stderr(Stdio::Null);
    let child = ringfence::spawn(&project.fence(&command), project.typed(&command)).unwrap();
    let begun = Instant::now();
    while !project.root().join("alive").exists() {
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(child);
    let alive = || fs::read(project.root().join("alive")).unwrap_or_default();
    let before = alive();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(alive(), before, "something still writes");
}

#[test]
fn a_killed_command_is_reported_as_killed() {
    let project = Project::new();
    let command = sh("sleep 100");
    let child = ringfence::spawn(&project.fence(&command), project.typed(&command)).unwrap();
    assert!(!child.has_ended());
    child.kill();
    assert_eq!(child.wait().unwrap().0, Ended::Killed);
}

#[test]
fn limits_hold() {
    let project = Project::with("[limits]\ntime = \"1s\"\noutput = \"10B\"\n");
    let command = sh("sleep 100");
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert_eq!(outcome.ended, Ended::TimedOut);
    let command = sh("echo 123456; echo 123456 >&2; sleep 100");
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert_eq!(outcome.ended, Ended::SaidTooMuch);
    assert_eq!(outcome.stdout.len() + outcome.stderr.len(), 10);
}

#[test]
fn a_command_that_cannot_start_is_an_error() {
    let project = Project::new();
    let missing = Command::new("no-such-program");
    assert!(matches!(project.try_typed(&missing), Err(Error::NotFound(_))));
    let nowhere = ringfence::Door::open(project.root().join("nowhere"), [] as [&str; 0]);
    assert!(matches!(nowhere, Err(Error::Directory(..))));
    fs::write(project.root().join("bad.toml"), "alow = []").unwrap();
    let bad = ringfence::Door::open(project.path(), [project.root().join("bad.toml")]);
    assert!(matches!(bad, Err(Error::Policy(_))));
}

const ASKS: &str = "ask = [\"fs:w:@root/kept\", \"cmd:id:*\"]\n";

#[test]
fn somebody_is_asked() {
    let yes = Arc::new(Yes::default());
    let project = Project::with(ASKS).asking(Arc::clone(&yes) as Arc<dyn Approver>);
    let command = sh("echo changed > kept && id -u > /dev/null");
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert!(outcome.is_success(), "{outcome:?}");
    let asked = yes.asked();
    assert!(asked[0].ends_with("/kept") && asked[1].contains("id -u"), "{asked:?}");
}

#[test]
fn no_answer_in_time_is_a_no() {
    let place = tempfile::tempdir().unwrap();
    let words = || String::from("a test");
    let run = RunInfo { pid: 1, command: words(), directory: words(), policy: words() };
    let times = QueueTimeouts { limit: Duration::from_millis(300), ..QueueTimeouts::default() };
    let queue = Arc::new(Queue::new(run, vec![place.path().join("ringfence")], times));
    let project = Project::with(ASKS).asking(Arc::clone(&queue) as Arc<dyn Approver>);
    let command = sh("echo changed > kept; echo $?; id -u; echo $?");
    let begun = Instant::now();
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), "2\n126\n");
    assert!(begun.elapsed() >= Duration::from_millis(600), "nobody was waited for");
    assert_eq!(queue.unanswered(), 2);
    assert!(!project.root().join("kept").exists());
}
