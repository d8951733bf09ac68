//! What is kept of the system's trees.

use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn what_was_kept_is_found_again_if_it_depends_on_the_same() {
    let paths = vec![PathBuf::from("/usr/a b"), PathBuf::from("/usr/c\nd")];
    let packed = pack("tree and stamp", &paths);
    assert_eq!(unpack("tree and stamp", &packed), Some(paths));
    assert_eq!(unpack("tree and another stamp", &packed), None);
    assert_eq!(unpack("x", b""), None);
    assert_eq!(unpack("none", &pack("none", &[])), Some(Vec::new()));
}

#[test]
fn a_shelf_is_the_users_own_and_is_made_when_it_is_needed() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = DirShelf::new(directory.path().join("a/b"));
    assert_eq!(shelf.load("x"), None);
    shelf.save("x", b"one");
    shelf.save("x", b"two");
    assert_eq!(shelf.load("x"), Some(b"two".to_vec()));
    let mode = fs::metadata(&shelf.directory).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    assert_eq!(fs::read_dir(&shelf.directory).unwrap().count(), 1);
}

#[test]
fn a_stamp_changes_with_the_upper_levels_of_a_tree() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("bin")).unwrap();
    let shelf = DirShelf::new(directory.path().join("shelf"));
    let stamps = || [1, 2].map(|levels| shelf.stamp(directory.path(), levels));
    let before = stamps();
    assert_eq!(before, stamps());
    fs::write(directory.path().join("bin/new"), "").unwrap();
    let after = stamps();
    assert_eq!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
}
