use std::os::unix::fs::PermissionsExt;

use super::*;

struct Place {
    _directory: tempfile::TempDir,
    shelf: Shelf,
}

fn place() -> Place {
    let directory = tempfile::tempdir().unwrap();
    let shelf = Shelf::new(directory.path());
    Place { _directory: directory, shelf }
}

fn question(what: &str) -> Question {
    Question { what: what.to_owned(), exact: what.to_owned(), ..Question::default() }
}

fn run() -> Run {
    let (command, directory, policy) = ("claude-code".into(), "/p".into(), "/policy.toml".into());
    Run { pid: 1, command, directory, policy }
}

#[test]
fn an_answer_for_one_time_is_used_once() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.put(&run(), &asked, "s").unwrap();
    assert_eq!(place.shelf.given(&asked, "s"), None, "nobody has answered");
    assert_eq!(place.shelf.pending().len(), 1);
    assert!(place.shelf.answer(&id, Answer::Once).unwrap().is_some());
    assert!(place.shelf.pending().is_empty(), "it waits no more");
    assert!(place.shelf.answer(&id, Answer::No).unwrap().is_none(), "it was answered");
    assert_eq!(place.shelf.given(&question("pull"), "s"), None, "another call");
    assert_eq!(place.shelf.given(&asked, "t"), None, "another session");
    assert_eq!(place.shelf.given(&asked, "s"), Some(Answer::Once));
    assert_eq!(place.shelf.given(&asked, "s"), None, "it was used");
}

#[test]
fn an_answer_for_the_session_stays() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.put(&run(), &asked, "s").unwrap();
    place.shelf.answer(&id, Answer::Session).unwrap();
    assert_eq!(place.shelf.given(&asked, "s"), Some(Answer::Session));
    assert_eq!(place.shelf.given(&asked, "s"), Some(Answer::Session));
}

#[test]
fn the_same_question_keeps_its_name() {
    let place = place();
    let first = place.shelf.put(&run(), &question("push"), "s").unwrap();
    assert_eq!(place.shelf.put(&run(), &question("push"), "s").unwrap(), first);
    assert_ne!(place.shelf.put(&run(), &question("pull"), "s").unwrap(), first);
}

#[test]
fn whoever_waits_hears_the_answer_and_nobody_waits_for_ever() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.put(&run(), &asked, "s").unwrap();
    assert_eq!(place.shelf.wait(&asked, "s", Duration::from_millis(20)), None);
    let shelf = place.shelf.clone();
    let waits = std::thread::spawn(move || shelf.wait(&asked, "s", Duration::from_secs(20)));
    place.shelf.answer(&id, Answer::No).unwrap();
    assert_eq!(waits.join().unwrap(), Some(Answer::No));
}

#[test]
fn only_so_many_are_kept() {
    let place = place();
    for number in 0..MOST + 10 {
        place.shelf.put(&run(), &question(&number.to_string()), "s").unwrap();
    }
    assert_eq!(place.shelf.pending().len(), MOST);
}

#[test]
fn what_others_could_have_written_is_not_believed() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.put(&run(), &asked, "s").unwrap();
    place.shelf.answer(&id, Answer::Session).unwrap();
    let open = fs::Permissions::from_mode(0o777);
    fs::set_permissions(&place.shelf.directory, open).unwrap();
    assert_eq!(place.shelf.given(&asked, "s"), None);
    assert!(place.shelf.put(&run(), &asked, "s").is_err());
}

#[test]
fn what_is_old_or_cannot_be_read_is_gone() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.put(&run(), &asked, "s").unwrap();
    place.shelf.answer(&id, Answer::Once).unwrap();
    let file = place.shelf.file(&id);
    let text = fs::read_to_string(&file).unwrap();
    let mut note: Note = serde_json::from_str(&text).unwrap();
    note.asked -= KEPT + 1;
    place.shelf.write(&note).unwrap();
    assert_eq!(place.shelf.given(&asked, "s"), None);
    assert!(!file.exists());
    fs::write(&file, "nonsense").unwrap();
    assert!(place.shelf.pending().is_empty());
    assert!(!file.exists());
}

#[test]
fn an_answer_is_bound_to_what_a_call_reads() {
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("deploy.sh");
    let files = [script.to_str().unwrap().to_owned()];
    assert_eq!(fingerprints(&files), "", "what is not there has no content");
    fs::write(&script, "echo one").unwrap();
    let before = fingerprints(&files);
    fs::write(&script, "echo two").unwrap();
    assert_ne!(fingerprints(&files), before);
}
