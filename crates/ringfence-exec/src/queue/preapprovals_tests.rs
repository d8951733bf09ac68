use super::*;

fn slips() -> (tempfile::TempDir, Preapprovals) {
    let directory = tempfile::tempdir().unwrap();
    let slips = Preapprovals::new(directory.path());
    (directory, slips)
}

fn take(
    slips: &Preapprovals,
    asked: &[&str],
    session: &str,
    directory: &str,
) -> Option<ApprovalAnswer> {
    let asked: Vec<String> = asked.iter().map(|own| (*own).to_owned()).collect();
    slips.take(&asked, session, Some(Path::new(directory)))
}

#[test]
fn a_preapproval_for_once_is_used_once() {
    let (_directory, slips) = slips();
    slips.give("cmd:git:push:*", ApprovalAnswer::Once, None).unwrap();
    assert_eq!(take(&slips, &["cmd:git:pull:"], "s", "/p"), None, "another thing");
    assert_eq!(take(&slips, &["cmd:git:push:origin:"], "s", "/p"), Some(ApprovalAnswer::Once));
    assert_eq!(take(&slips, &["cmd:git:push:origin:"], "s", "/p"), None, "it was used");
}

#[test]
fn a_session_preapproval_belongs_to_the_first_session() {
    let (_directory, slips) = slips();
    slips.give("cmd:git:push:*", ApprovalAnswer::Session, None).unwrap();
    assert_eq!(take(&slips, &["cmd:git:push:"], "s", "/p"), Some(ApprovalAnswer::Session));
    assert_eq!(take(&slips, &["cmd:git:push:"], "t", "/p"), None, "another session");
    assert_eq!(take(&slips, &["cmd:git:push:"], "s", "/p"), Some(ApprovalAnswer::Session));
    slips.give("cmd:id", ApprovalAnswer::Session, None).unwrap();
    assert_eq!(
        take(&slips, &["cmd:id:"], "", "/p"),
        Some(ApprovalAnswer::Once),
        "a session without a name"
    );
    assert_eq!(take(&slips, &["cmd:id:"], "", "/p"), None);
}

#[test]
fn every_thing_that_is_asked_about_must_be_covered() {
    let (_directory, slips) = slips();
    slips.give("cmd:git:push:*", ApprovalAnswer::Once, None).unwrap();
    assert_eq!(take(&slips, &["cmd:git:push:", "net:a.example"], "s", "/p"), None);
    assert_eq!(take(&slips, &[], "s", "/p"), None);
    assert_eq!(take(&slips, &["no pattern"], "s", "/p"), None);
    assert_eq!(slips.list().len(), 1, "nothing was used");
    slips.give("net:*.example", ApprovalAnswer::Session, None).unwrap();
    assert_eq!(
        take(&slips, &["cmd:git:push:", "net:a.example"], "s", "/p"),
        Some(ApprovalAnswer::Once)
    );
    assert_eq!(slips.list().len(), 1, "one is the session's now");
}

#[test]
fn a_preapproval_applies_below_its_directory() {
    let (_directory, slips) = slips();
    slips.give("cmd:id", ApprovalAnswer::Once, Some("/home/u/p".to_owned())).unwrap();
    assert_eq!(take(&slips, &["cmd:id:"], "s", "/home/u/pq"), None);
    assert_eq!(slips.take(&["cmd:id:".to_owned()], "s", None), None);
    assert_eq!(take(&slips, &["cmd:id:"], "s", "/home/u/p/src"), Some(ApprovalAnswer::Once));
}

#[test]
fn preapprovals_can_be_revoked_and_expire() {
    let (_directory, slips) = slips();
    slips.give("cmd:id", ApprovalAnswer::Once, None).unwrap();
    assert!(slips.revoke("cmd:id") && !slips.revoke("cmd:id"));
    slips.give("cmd:id", ApprovalAnswer::Once, None).unwrap();
    let mut old = slips.list().remove(0);
    old.given -= KEPT;
    slips.write(&old).unwrap();
    assert!(slips.list().is_empty());
    fs::write(slips.file("aaaaaa"), "{").unwrap();
    assert!(slips.list().is_empty() && !slips.file("aaaaaa").exists(), "nobody can read it");
}

#[test]
fn a_directory_open_to_others_has_no_preapprovals() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, slips) = slips();
    slips.give("cmd:id", ApprovalAnswer::Once, None).unwrap();
    fs::set_permissions(&slips.directory, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(take(&slips, &["cmd:id:"], "s", "/p"), None);
}
