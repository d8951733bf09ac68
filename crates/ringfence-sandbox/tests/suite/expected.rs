//! Rooms that are begun like the one of an earlier run.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use ringfence_sandbox::gate::Judge;
use ringfence_sandbox::{Command, Ended, Keep, Room, Terms};

use super::fixture::{Fixture, Rules};

/// Runs a line in a room of which something is expected; what it said, and what was to be kept.
fn run(fixture: &Fixture, expected: Option<&[u8]>, line: &str) -> (String, Option<Vec<u8>>) {
    let kept = Arc::new(Mutex::new(None));
    let to = Arc::clone(&kept);
    let judge: Arc<dyn Judge> = Arc::new(Rules::all());
    let keep = Keep::new(move |made| *to.lock().unwrap() = Some(made.to_vec()));
    let terms = Terms { keep: Some(keep), ..Terms::new(judge) };
    let line = format!("exec > said 2>&1; {line}");
    let argv = ["sh", "-c", &line].map(Into::into).to_vec();
    let command = Command { program: PathBuf::from("/bin/sh"), argv };
    let mut room = Room::new().unwrap();
    if let Some(expected) = expected {
        room.expect(expected);
    }
    let ended = ringfence_sandbox::run_in(room, &fixture.plan, &command, terms).unwrap();
    assert!(matches!(ended, Ended::Exited(_)), "{ended:?}");
    let said = fs::read_to_string(fixture.root().join("said")).unwrap();
    let kept = kept.lock().unwrap().take();
    (said, kept)
}

/// A project with two files of which one is hidden.
fn project() -> Fixture {
    let mut fixture = Fixture::new();
    for name in ["one", "two"] {
        fs::write(fixture.root().join(name), format!("{name}\n")).unwrap();
    }
    fixture.plan.files.masks = vec![fixture.root().join("one")];
    fixture
}

const LOOK: &str = "cat one two; touch /usr/made; echo x > three; cat three";

#[test]
fn a_run_that_wants_the_same_is_held_to_the_same() {
    let fixture = project();
    let (first, kept) = run(&fixture, None, LOOK);
    assert_eq!(first.matches("Permission denied").count(), 1, "{first}");
    assert!(first.contains("Read-only") && first.ends_with("x\n"), "{first}");
    let (second, again) = run(&fixture, kept.as_deref(), LOOK);
    assert_eq!((second, again), (first, None));
}

#[test]
fn a_run_that_wants_something_else_is_held_to_that() {
    let mut fixture = project();
    let (first, kept) = run(&fixture, None, LOOK);
    assert!(first.contains("two") && !first.contains("one\n"), "{first}");
    fixture.plan.files.masks = vec![fixture.root().join("two")];
    let (second, other) = run(&fixture, kept.as_deref(), LOOK);
    assert!(second.contains("one\n") && !second.contains("two\n"), "{second}");
    assert_ne!(other, kept);
    assert!(other.is_some());
}

#[test]
fn variables_and_words_are_those_of_this_run() {
    let mut fixture = project();
    let (_, kept) = run(&fixture, None, "echo $WHO");
    fixture.plan.variables.push(("WHO".to_owned(), "someone".to_owned()));
    let (said, again) = run(&fixture, kept.as_deref(), "echo now $WHO");
    assert_eq!((said.as_str(), again), ("now someone\n", None));
}

#[test]
fn what_cannot_be_read_is_not_expected() {
    let fixture = project();
    let (_, kept) = run(&fixture, None, "true");
    let kept = kept.unwrap();
    let (half, _) = kept.split_at(kept.len() / 2);
    for bytes in [b"".as_slice(), b"none", half] {
        let (said, again) = run(&fixture, Some(bytes), "cat two");
        assert_eq!((said.as_str(), again.as_ref()), ("two\n", Some(&kept)));
    }
}

#[test]
fn a_room_for_which_there_is_no_plan_leaves_nothing_behind() {
    let fixture = project();
    let (_, kept) = run(&fixture, None, "true");
    let children = || {
        let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
        let read = |path: PathBuf| fs::read_to_string(path.join("children")).unwrap_or_default();
        threads.map(|thread| read(thread.path())).collect::<String>()
    };
    let before = children();
    for _ in 0..5 {
        let mut room = Room::new().unwrap();
        room.expect(kept.as_ref().unwrap());
        drop(room);
    }
    assert_eq!(children(), before);
}
