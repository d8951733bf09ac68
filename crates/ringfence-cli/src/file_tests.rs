use std::os::unix::fs::symlink;

use super::*;

fn passes(_: &Path) -> Result<(), Failure> {
    Ok(())
}

#[test]
fn a_file_is_replaced_whole_and_keeps_its_mode() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.json");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let found = Found::look(&path, place.path()).unwrap();
    assert_eq!(found.text().unwrap(), Some("old"));
    found.replace(b"new", 0o600, passes).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_new_file_gets_its_directories() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a/b/c");
    let found = Found::look(&path, place.path()).unwrap();
    let directories = found.missing_directories();
    assert_eq!(directories.len(), 2, "{directories:?}");
    found.replace(b"new", 0o755, passes).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn what_does_not_pass_or_changed_meanwhile_is_not_written() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a");
    fs::write(&path, "old").unwrap();
    let found = Found::look(&path, place.path()).unwrap();
    found.replace(b"new", 0o600, |_| Err(Failure::new("no"))).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    fs::write(&path, "other").unwrap();
    assert!(found.replace(b"new", 0o600, passes).unwrap_err().message.contains("just now"));
    assert!(found.remove().is_err());
    assert_eq!(fs::read(&path).unwrap(), b"other");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn links_are_followed_inside_the_place_and_nowhere_else() {
    let (place, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (inside, link) = (place.path().join("real"), place.path().join("link"));
    fs::write(&inside, "old").unwrap();
    symlink(&inside, &link).unwrap();
    Found::look(&link, place.path()).unwrap().replace(b"new", 0o600, passes).unwrap();
    assert_eq!(fs::read(&inside).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "the link stays one");

    fs::remove_file(&link).unwrap();
    fs::write(outside.path().join("x"), "theirs").unwrap();
    symlink(outside.path().join("x"), &link).unwrap();
    assert!(Found::look(&link, place.path()).unwrap_err().message.contains("leads out"));
    fs::remove_file(&link).unwrap();
    symlink(place.path().join("gone"), &link).unwrap();
    assert!(Found::look(&link, place.path()).unwrap_err().message.contains("leads nowhere"));
    fs::remove_file(&link).unwrap();
    symlink(outside.path(), &link).unwrap();
    assert!(Found::look(&link.join("new"), place.path()).is_err(), "a directory on the way");
}
