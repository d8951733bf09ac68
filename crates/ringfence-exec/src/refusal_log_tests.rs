//! The log of refusals: bounded, private, safe with several writers, and without secrets.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::sync::Barrier;

use super::*;

fn entry(what: &str) -> LogEntry {
    LogEntry {
        when: 7,
        at: RefusingDoor::Hook,
        who: "codex".to_owned(),
        what: what.to_owned(),
        why: "nothing grants it".to_owned(),
        directory: "/srv".to_owned(),
        times: 1,
    }
}

#[test]
fn entries_are_read_newest_first() {
    let state = tempfile::tempdir().unwrap();
    let diary = RefusalLog::new(state.path());
    assert_eq!(diary.read(), []);
    diary.add([]).unwrap();
    assert!(!state.path().join("refused").exists(), "nothing is made for nothing");
    diary.add([entry("one"), LogEntry { when: 9, ..entry("two") }]).unwrap();
    diary.add([LogEntry { when: 8, ..entry("three") }]).unwrap();
    let whats: Vec<String> = diary.read().into_iter().map(|own| own.what).collect();
    assert_eq!(whats, ["two", "three", "one"]);
}

#[test]
fn other_users_cannot_read_the_log() {
    let state = tempfile::tempdir().unwrap();
    let diary = RefusalLog::new(state.path());
    diary.add([entry("one")]).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&state.path().join("refused")), 0o700);
    assert_eq!(mode(&state.path().join("refused/refused.jsonl")), 0o600);
    // A directory that others can read is not used.
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(state.path().join("refused"), open).unwrap();
    assert!(diary.add([entry("two")]).is_err());
    assert_eq!(diary.read(), []);
}

#[test]
fn a_link_in_its_place_is_not_followed() {
    let state = tempfile::tempdir().unwrap();
    let diary = RefusalLog::new(state.path());
    diary.add([entry("one")]).unwrap();
    let (file, other) = (state.path().join("refused/refused.jsonl"), state.path().join("other"));
    fs::write(&other, "").unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&other, &file).unwrap();
    assert!(diary.add([entry("two")]).is_err());
    assert_eq!(fs::read_to_string(other).unwrap(), "");
}

#[test]
fn secrets_and_long_texts_are_not_written() {
    let state = tempfile::tempdir().unwrap();
    let diary = RefusalLog::new(state.path());
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let line =
        format!("run `curl -H 'Authorization: Bearer {token}' x.example {}`", "y".repeat(9000));
    diary.add([entry(&line)]).unwrap();
    let text = fs::read_to_string(state.path().join("refused/refused.jsonl")).unwrap();
    assert!(!text.contains(&token) && text.contains("redacted"), "{text}");
    assert!(text.len() < 2000, "{}", text.len());
    diary.add([entry("two\nlines\u{202e}")]).unwrap();
    assert_eq!(diary.read().len(), 2, "an entry is one line");
}

#[test]
fn a_truncated_entry_damages_no_other() {
    let state = tempfile::tempdir().unwrap();
    let diary = RefusalLog::new(state.path());
    diary.add([entry("one")]).unwrap();
    let path = state.path().join("refused/refused.jsonl");
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(b"\n{\"when\": 3, \"at\": \"ho").unwrap();
    diary.add([entry("two")]).unwrap();
    assert_eq!(diary.read().len(), 2);
}

#[test]
fn several_writers_lose_nothing_and_the_file_stays_short() {
    const WRITERS: usize = 4;
    let state = tempfile::tempdir().unwrap();
    let diary = RefusalLog::new(state.path());
    let written = Barrier::new(WRITERS);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (diary, written) = (&diary, &written);
            scope.spawn(move || {
                for number in 0..1500 {
                    diary.add([entry(&format!("{writer} {number} {}", "x".repeat(200)))]).unwrap();
                }
                written.wait();
                diary.add([entry(&format!("{writer} is done"))]).unwrap();
            });
        }
    });
    // Even if the process that rotates the file was delayed: the next writer finds the work done,
    // or does it.
    diary.add([entry("the next")]).unwrap();
    let texts =
        NAMES.map(|name| text(&state.path().join("refused").join(name)).unwrap_or_default());
    assert!(texts[0].len() <= usize::try_from(LONGEST).unwrap());
    assert!(!texts[1].is_empty(), "it was turned over");
    let read = diary.read();
    let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty()).count();
    assert_eq!(read.len(), lines, "every line that is there is whole");
    // The oldest entries were removed by rotation.
    for writer in 0..WRITERS {
        let last = format!("{writer} is done");
        assert!(read.iter().any(|own| own.what.starts_with(&last)), "{last}");
    }
}

#[test]
fn a_late_rotation_does_nothing() {
    let state = tempfile::tempdir().unwrap();
    let diary = RefusalLog::new(state.path());
    diary.add([entry("one")]).unwrap();
    fs::remove_file(state.path().join("refused").join(NAMES[0])).unwrap();
    diary.turn_over().unwrap();
    assert!(diary.read().is_empty());
}
