use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn names_are_plain_words() {
    for good in ["a", "dev-1", "claude_0.3", "X"] {
        assert_eq!(SessionName::new(good).unwrap().as_str(), good);
    }
    for bad in ["", ".", "..", "-x", ".hidden", "a/b", "a b", "ä", "a\n", &"x".repeat(65)] {
        assert_eq!(SessionName::new(bad), None, "{bad}");
    }
}

#[test]
fn a_session_is_reached_by_its_name_alone() {
    let state = tempfile::tempdir().unwrap();
    // Longer than the address of a socket can be.
    let state = state.path().join("x".repeat(120));
    let place = SessionPlace::open(&state).unwrap();
    let (one, two) = (SessionName::new("one").unwrap(), SessionName::new("two").unwrap());
    let listener = place.listen(&one).unwrap();
    assert!(place.connect(&one).unwrap().is_some());
    assert!(place.connect(&two).unwrap().is_none());
    assert_eq!(place.names().unwrap(), std::slice::from_ref(&one));
    assert_eq!(place.listen(&one).unwrap_err().kind(), io::ErrorKind::AddrInUse);
    // One that was killed leaves its socket behind.
    drop(listener);
    assert!(place.connect(&one).unwrap().is_none());
    let _listener = place.listen(&one).unwrap();
    place.remove(&one);
    assert!(place.connect(&one).unwrap().is_none());
}

#[test]
fn a_directory_that_others_can_read_is_refused() {
    let state = tempfile::tempdir().unwrap();
    drop(SessionPlace::open(state.path()).unwrap());
    fs::set_permissions(state.path().join(NAME), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(SessionPlace::open(state.path()).is_err());
}

#[test]
fn last_words_are_said_once() {
    let state = tempfile::tempdir().unwrap();
    let place = SessionPlace::open(state.path()).unwrap();
    let name = SessionName::new("one").unwrap();
    assert_eq!(place.take_word(&name), None);
    place.leave_word(&name, "it was idle");
    assert_eq!(place.take_word(&name).as_deref(), Some("it was idle"));
    assert_eq!(place.take_word(&name), None);
}
