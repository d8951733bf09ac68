use std::fs;
use std::os::fd::AsRawFd;

use super::*;
use crate::gate::target::open_path;

fn name(text: &str) -> CString {
    CString::new(text).unwrap()
}

/// A directory that is the root of a tree, with two files in it.
fn root() -> (tempfile::TempDir, OwnedFd) {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("bin")).unwrap();
    for file in ["one", "two"] {
        fs::write(directory.path().join("bin").join(file), file).unwrap();
    }
    let root = open_path(directory.path()).unwrap();
    (directory, root)
}

fn found(directory: &Path) -> Found {
    let path = directory.join("bin/one");
    Found::new(open_path(&path).unwrap(), path).unwrap()
}

fn is_known(programs: &Programs, root: &OwnedFd) -> bool {
    let target = Target { pid: 1, broker: 0, root: root.as_raw_fd() };
    programs.again(target, &name("/bin/one")).is_some()
}

#[test]
fn a_name_that_stays_is_known_for_as_long_as_the_same_file_lies_there() {
    let (directory, root) = root();
    let programs = Programs::default();
    let one = found(directory.path());
    assert!(!is_known(&programs, &root) && !programs.is_binary(&one.stat));
    programs.keep(name("/bin/one"), &one, |path| path == Path::new("/bin/one"));
    assert!(is_known(&programs, &root) && programs.is_binary(&one.stat));
    fs::rename(directory.path().join("bin/two"), directory.path().join("bin/one")).unwrap();
    assert!(!is_known(&programs, &root));
    fs::remove_file(directory.path().join("bin/one")).unwrap();
    assert!(!is_known(&programs, &root));
}

#[test]
fn a_file_that_was_written_to_is_looked_at_anew() {
    let (directory, root) = root();
    let programs = Programs::default();
    programs.keep(name("/bin/one"), &found(directory.path()), |_| true);
    fs::write(directory.path().join("bin/one"), "#!/bin/sh").unwrap();
    assert!(!is_known(&programs, &root));
}

#[test]
fn names_that_the_tree_may_change_and_relative_ones_are_not_kept() {
    let (directory, root) = root();
    let programs = Programs::default();
    programs.keep(name("/bin/one"), &found(directory.path()), |_| false);
    programs.keep(name("bin/one"), &found(directory.path()), |_| true);
    assert!(!is_known(&programs, &root) && programs.names.borrow().is_empty());
}

#[test]
fn after_a_moment_nothing_is_known() {
    let (directory, root) = root();
    let programs = Programs::default();
    programs.keep(name("/bin/one"), &found(directory.path()), |_| true);
    let long_ago = Instant::now().checked_sub(MOMENT * 2).unwrap();
    programs.names.borrow_mut().values_mut().for_each(|(_, since)| *since = long_ago);
    assert!(!is_known(&programs, &root));
}
