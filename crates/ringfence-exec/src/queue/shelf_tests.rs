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

#[test]
fn a_question_that_nobody_waits_for_is_gone() {
    let place = place();
    let ask = || place.shelf.hold(&run(), &question("push"), "s").unwrap();
    let (first, second) = (ask(), ask());
    assert_eq!(place.shelf.pending().len(), 1, "two ask the same");
    drop(first);
    assert_eq!(place.shelf.pending().len(), 1, "the other one waits");
    drop(second);
    assert!(place.shelf.pending().is_empty(), "both were ended");
    // One that waited as long as it may leaves the question to people who come later.
    let id = ask().leave().unwrap();
    assert_eq!(place.shelf.pending().len(), 1);
    drop(ask());
    assert!(place.shelf.answer(&id, Answer::Once).unwrap().is_some());
    assert_eq!(place.shelf.given(&question("push"), "s"), Some(Answer::Once));
}

#[test]
fn an_answer_is_not_lost_when_a_hook_leaves_its_question() {
    let place = place();
    let held = place.shelf.hold(&run(), &question("push"), "s").unwrap();
    let id = place.shelf.pending()[0].1.id.clone();
    place.shelf.answer(&id, Answer::Once).unwrap();
    held.leave().unwrap();
    assert_eq!(place.shelf.given(&question("push"), "s"), Some(Answer::Once));
}

fn run_at(directory: &str) -> Run {
    Run { directory: directory.to_owned(), ..run() }
}

#[test]
fn an_answer_that_was_asked_elsewhere_does_not_count_inside_a_run() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.put(&run_at("/a/sub"), &asked, "s").unwrap();
    place.shelf.answer(&id, Answer::Session).unwrap();
    let given = |at: &str| place.shelf.given_below(&asked, "s", Path::new(at));
    assert_eq!(given("/b"), None);
    assert_eq!(given("/a/su"), None, "another name");
    assert_eq!(given("/a"), Some(Answer::Session));
    assert_eq!(place.shelf.given(&asked, "s"), Some(Answer::Session));
}

#[test]
fn what_is_asked_inside_a_run_drives_out_nothing_of_others() {
    let place = place();
    let asked = question("push");
    let of_other = place.shelf.put(&run_at("/a"), &asked, "s").unwrap();
    place.shelf.answer(&of_other, Answer::Session).unwrap();
    for number in 0..MOST + 10 {
        place.shelf.put_apart(&run_at("/b"), &question(&number.to_string()), "s").unwrap();
    }
    assert_eq!(place.shelf.log().len(), MOST);
    assert_eq!(place.shelf.given(&asked, "s"), Some(Answer::Session), "it is still there");
    // Not even one, where all of them are of others.
    assert!(place.shelf.put_apart(&run_at("/c"), &question("x"), "s").is_err());
    assert!(place.shelf.put(&run_at("/c"), &question("x"), "s").is_ok());
}

#[test]
fn nobody_inside_joins_a_question_of_others() {
    let place = place();
    let held = place.shelf.hold(&run_at("/a"), &question("push"), "s").unwrap();
    let own = place.shelf.put_apart(&run_at("/b"), &question("push"), "s").unwrap();
    assert_ne!(own, held.id);
    drop(held);
    assert_eq!(place.shelf.pending().len(), 1, "it goes with whoever asked it");
}
