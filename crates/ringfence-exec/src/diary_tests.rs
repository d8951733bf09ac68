//! The diary: bounded, private, safe with several writers, and never a place for secrets.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::sync::Barrier;

use super::*;

fn entry(what: &str) -> Entry {
    Entry {
        when: 7,
        at: At::Hook,
        who: "codex".to_owned(),
        what: what.to_owned(),
        why: "nothing grants it".to_owned(),
        directory: "/srv".to_owned(),
        times: 1,
    }
}

#[test]
fn what_is_written_is_read_the_newest_first() {
    let state = tempfile::tempdir().unwrap();
    let diary = Diary::new(state.path());
    assert_eq!(diary.read(), []);
    diary.add([]).unwrap();
    assert!(!state.path().join("refused").exists(), "nothing is made for nothing");
    diary.add([entry("one"), Entry { when: 9, ..entry("two") }]).unwrap();
    diary.add([Entry { when: 8, ..entry("three") }]).unwrap();
    let whats: Vec<String> = diary.read().into_iter().map(|own| own.what).collect();
    assert_eq!(whats, ["two", "three", "one"]);
}

#[test]
fn nobody_else_reads_it() {
    let state = tempfile::tempdir().unwrap();
    let diary = Diary::new(state.path());
    diary.add([entry("one")]).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&state.path().join("refused")), 0o700);
    assert_eq!(mode(&state.path().join("refused/refused.jsonl")), 0o600);
    // A directory that others may look into is not used.
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(state.path().join("refused"), open).unwrap();
    assert!(diary.add([entry("two")]).is_err());
    assert_eq!(diary.read(), []);
}

#[test]
fn a_link_in_its_place_is_not_followed() {
    let state = tempfile::tempdir().unwrap();
    let diary = Diary::new(state.path());
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
    let diary = Diary::new(state.path());
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
fn an_entry_that_was_cut_short_spoils_itself_alone() {
    let state = tempfile::tempdir().unwrap();
    let diary = Diary::new(state.path());
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
    let diary = Diary::new(state.path());
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
    // However long whoever turned a file over was held up: the next to write finds it done, or
    // does it.
    diary.add([entry("the next")]).unwrap();
    let texts =
        NAMES.map(|name| text(&state.path().join("refused").join(name)).unwrap_or_default());
    assert!(texts[0].len() <= usize::try_from(LONGEST).unwrap());
    assert!(!texts[1].is_empty(), "it was turned over");
    let read = diary.read();
    let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty()).count();
    assert_eq!(read.len(), lines, "every line that is there is whole");
    // What was turned away is the oldest.
    for writer in 0..WRITERS {
        let last = format!("{writer} is done");
        assert!(read.iter().any(|own| own.what.starts_with(&last)), "{last}");
    }
}

#[test]
fn whoever_comes_late_to_turn_a_file_over_finds_nothing_to_do() {
    let state = tempfile::tempdir().unwrap();
    let diary = Diary::new(state.path());
    diary.add([entry("one")]).unwrap();
    fs::remove_file(state.path().join("refused").join(NAMES[0])).unwrap();
    diary.turn_over().unwrap();
    assert!(diary.read().is_empty());
}
