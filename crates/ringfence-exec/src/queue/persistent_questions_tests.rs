use std::os::unix::fs::PermissionsExt;

use super::*;

struct Place {
    _directory: tempfile::TempDir,
    shelf: PersistentQuestions,
}

fn place() -> Place {
    let directory = tempfile::tempdir().unwrap();
    let shelf = PersistentQuestions::new(directory.path());
    Place { _directory: directory, shelf }
}

fn question(what: &str) -> ApprovalQuestion {
    ApprovalQuestion {
        what: what.to_owned(),
        exact: what.to_owned(),
        ..ApprovalQuestion::default()
    }
}

fn run() -> RunInfo {
    let (command, directory, policy) = ("claude-code".into(), "/p".into(), "/policy.toml".into());
    RunInfo { pid: 1, command, directory, policy }
}

#[test]
fn an_answer_for_one_time_is_used_once() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.store(&run(), &asked, "s").unwrap();
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), None, "nobody has answered");
    assert_eq!(place.shelf.pending().len(), 1);
    assert!(place.shelf.answer(&id, ApprovalAnswer::Once).unwrap().is_some());
    assert!(place.shelf.pending().is_empty(), "it waits no more");
    assert!(place.shelf.answer(&id, ApprovalAnswer::No).unwrap().is_none(), "it was answered");
    assert_eq!(place.shelf.earlier_answer(&question("pull"), "s"), None, "another call");
    assert_eq!(place.shelf.earlier_answer(&asked, "t"), None, "another session");
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), Some(ApprovalAnswer::Once));
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), None, "it was used");
}

#[test]
fn an_answer_for_the_session_stays() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.store(&run(), &asked, "s").unwrap();
    place.shelf.answer(&id, ApprovalAnswer::Session).unwrap();
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), Some(ApprovalAnswer::Session));
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), Some(ApprovalAnswer::Session));
}

#[test]
fn the_same_question_keeps_its_name() {
    let place = place();
    let first = place.shelf.store(&run(), &question("push"), "s").unwrap();
    assert_eq!(place.shelf.store(&run(), &question("push"), "s").unwrap(), first);
    assert_ne!(place.shelf.store(&run(), &question("pull"), "s").unwrap(), first);
}

#[test]
fn a_waiting_hook_gets_the_answer_or_times_out() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.store(&run(), &asked, "s").unwrap();
    assert_eq!(place.shelf.wait(&asked, "s", Duration::from_millis(20)), None);
    let shelf = place.shelf.clone();
    let waits = std::thread::spawn(move || shelf.wait(&asked, "s", Duration::from_secs(20)));
    place.shelf.answer(&id, ApprovalAnswer::No).unwrap();
    assert_eq!(waits.join().unwrap(), Some(ApprovalAnswer::No));
}

#[test]
fn the_number_of_questions_is_limited() {
    let place = place();
    for number in 0..MOST + 10 {
        place.shelf.store(&run(), &question(&number.to_string()), "s").unwrap();
    }
    assert_eq!(place.shelf.pending().len(), MOST);
}

#[test]
fn a_directory_that_others_can_write_to_is_ignored() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.store(&run(), &asked, "s").unwrap();
    place.shelf.answer(&id, ApprovalAnswer::Session).unwrap();
    let open = fs::Permissions::from_mode(0o777);
    fs::set_permissions(&place.shelf.directory, open).unwrap();
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), None);
    assert!(place.shelf.store(&run(), &asked, "s").is_err());
}

#[test]
fn old_and_unreadable_questions_are_removed() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.store(&run(), &asked, "s").unwrap();
    place.shelf.answer(&id, ApprovalAnswer::Once).unwrap();
    let file = place.shelf.file(&id);
    let text = fs::read_to_string(&file).unwrap();
    let mut note: StoredQuestion = serde_json::from_str(&text).unwrap();
    note.asked -= KEPT + 1;
    place.shelf.write(&note).unwrap();
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), None);
    assert!(!file.exists());
    fs::write(&file, "nonsense").unwrap();
    assert!(place.shelf.pending().is_empty());
    assert!(!file.exists());
}

#[test]
fn an_answer_is_bound_to_the_files_that_a_call_reads() {
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
fn a_question_without_a_waiting_process_is_removed() {
    let place = place();
    let ask = || place.shelf.store_while_waiting(&run(), &question("push"), "s").unwrap();
    let (first, second) = (ask(), ask());
    assert_eq!(place.shelf.pending().len(), 1, "two ask the same");
    drop(first);
    assert_eq!(place.shelf.pending().len(), 1, "the other one waits");
    drop(second);
    assert!(place.shelf.pending().is_empty(), "both were ended");
    // A hook that times out leaves its question in the queue.
    let id = ask().leave_pending().unwrap();
    assert_eq!(place.shelf.pending().len(), 1);
    drop(ask());
    assert!(place.shelf.answer(&id, ApprovalAnswer::Once).unwrap().is_some());
    assert_eq!(place.shelf.earlier_answer(&question("push"), "s"), Some(ApprovalAnswer::Once));
}

#[test]
fn an_answer_is_not_lost_when_a_hook_leaves_its_question() {
    let place = place();
    let held = place.shelf.store_while_waiting(&run(), &question("push"), "s").unwrap();
    let id = place.shelf.pending()[0].1.id.clone();
    place.shelf.answer(&id, ApprovalAnswer::Once).unwrap();
    held.leave_pending().unwrap();
    assert_eq!(place.shelf.earlier_answer(&question("push"), "s"), Some(ApprovalAnswer::Once));
}

fn run_at(directory: &str) -> RunInfo {
    RunInfo { directory: directory.to_owned(), ..run() }
}

#[test]
fn an_answer_that_was_asked_elsewhere_does_not_count_inside_a_run() {
    let place = place();
    let asked = question("push");
    let id = place.shelf.store(&run_at("/a/sub"), &asked, "s").unwrap();
    place.shelf.answer(&id, ApprovalAnswer::Session).unwrap();
    let given = |at: &str| place.shelf.earlier_answer_below(&asked, "s", Path::new(at));
    assert_eq!(given("/b"), None);
    assert_eq!(given("/a/su"), None, "another name");
    assert_eq!(given("/a"), Some(ApprovalAnswer::Session));
    assert_eq!(place.shelf.earlier_answer(&asked, "s"), Some(ApprovalAnswer::Session));
}

#[test]
fn questions_from_inside_a_run_remove_none_asked_elsewhere() {
    let place = place();
    let asked = question("push");
    let of_other = place.shelf.store(&run_at("/a"), &asked, "s").unwrap();
    place.shelf.answer(&of_other, ApprovalAnswer::Session).unwrap();
    for number in 0..MOST + 10 {
        place.shelf.store_isolated(&run_at("/b"), &question(&number.to_string()), "s").unwrap();
    }
    assert_eq!(place.shelf.log().len(), MOST);
    assert_eq!(
        place.shelf.earlier_answer(&asked, "s"),
        Some(ApprovalAnswer::Session),
        "it is still there"
    );
    // Nothing is removed, even if all questions were asked elsewhere.
    assert!(place.shelf.store_isolated(&run_at("/c"), &question("x"), "s").is_err());
    assert!(place.shelf.store(&run_at("/c"), &question("x"), "s").is_ok());
}

#[test]
fn a_question_from_inside_a_run_joins_no_question_asked_elsewhere() {
    let place = place();
    let held = place.shelf.store_while_waiting(&run_at("/a"), &question("push"), "s").unwrap();
    let own = place.shelf.store_isolated(&run_at("/b"), &question("push"), "s").unwrap();
    assert_ne!(own, held.id);
    drop(held);
    assert_eq!(place.shelf.pending().len(), 1, "it goes with whoever asked it");
}
