use super::*;

fn slips() -> (tempfile::TempDir, Slips) {
    let directory = tempfile::tempdir().unwrap();
    let slips = Slips::new(directory.path());
    (directory, slips)
}

fn take(slips: &Slips, asked: &[&str], session: &str, directory: &str) -> Option<Answer> {
    let asked: Vec<String> = asked.iter().map(|own| (*own).to_owned()).collect();
    slips.take(&asked, session, Some(Path::new(directory)))
}

#[test]
fn once_is_once() {
    let (_directory, slips) = slips();
    slips.give("cmd:git:push:*", Answer::Once, None).unwrap();
    assert_eq!(take(&slips, &["cmd:git:pull:"], "s", "/p"), None, "another thing");
    assert_eq!(take(&slips, &["cmd:git:push:origin:"], "s", "/p"), Some(Answer::Once));
    assert_eq!(take(&slips, &["cmd:git:push:origin:"], "s", "/p"), None, "it was used");
}

#[test]
fn a_session_keeps_what_it_got_first() {
    let (_directory, slips) = slips();
    slips.give("cmd:git:push:*", Answer::Session, None).unwrap();
    assert_eq!(take(&slips, &["cmd:git:push:"], "s", "/p"), Some(Answer::Session));
    assert_eq!(take(&slips, &["cmd:git:push:"], "t", "/p"), None, "another session");
    assert_eq!(take(&slips, &["cmd:git:push:"], "s", "/p"), Some(Answer::Session));
    slips.give("cmd:id", Answer::Session, None).unwrap();
    assert_eq!(
        take(&slips, &["cmd:id:"], "", "/p"),
        Some(Answer::Once),
        "a session without a name"
    );
    assert_eq!(take(&slips, &["cmd:id:"], "", "/p"), None);
}

#[test]
fn every_thing_that_is_asked_about_must_be_covered() {
    let (_directory, slips) = slips();
    slips.give("cmd:git:push:*", Answer::Once, None).unwrap();
    assert_eq!(take(&slips, &["cmd:git:push:", "net:a.example"], "s", "/p"), None);
    assert_eq!(take(&slips, &[], "s", "/p"), None);
    assert_eq!(take(&slips, &["no pattern"], "s", "/p"), None);
    assert_eq!(slips.list().len(), 1, "nothing was used");
    slips.give("net:*.example", Answer::Session, None).unwrap();
    assert_eq!(take(&slips, &["cmd:git:push:", "net:a.example"], "s", "/p"), Some(Answer::Once));
    assert_eq!(slips.list().len(), 1, "one is the session's now");
}

#[test]
fn a_slip_holds_where_it_was_given() {
    let (_directory, slips) = slips();
    slips.give("cmd:id", Answer::Once, Some("/home/u/p".to_owned())).unwrap();
    assert_eq!(take(&slips, &["cmd:id:"], "s", "/home/u/pq"), None);
    assert_eq!(slips.take(&["cmd:id:".to_owned()], "s", None), None);
    assert_eq!(take(&slips, &["cmd:id:"], "s", "/home/u/p/src"), Some(Answer::Once));
}

#[test]
fn slips_can_be_taken_back_and_grow_old() {
    let (_directory, slips) = slips();
    slips.give("cmd:id", Answer::Once, None).unwrap();
    assert!(slips.take_back("cmd:id") && !slips.take_back("cmd:id"));
    slips.give("cmd:id", Answer::Once, None).unwrap();
    let mut old = slips.list().remove(0);
    old.given -= KEPT;
    slips.write(&old).unwrap();
    assert!(slips.list().is_empty());
    fs::write(slips.file("aaaaaa"), "{").unwrap();
    assert!(slips.list().is_empty() && !slips.file("aaaaaa").exists(), "nobody can read it");
}

#[test]
fn a_place_that_others_can_enter_has_no_slips() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, slips) = slips();
    slips.give("cmd:id", Answer::Once, None).unwrap();
    fs::set_permissions(&slips.directory, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(take(&slips, &["cmd:id:"], "s", "/p"), None);
}
