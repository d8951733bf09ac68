use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn empty() -> (tempfile::TempDir, PathBuf, Vec<PathBuf>) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("cache/tool");
    (home, path.clone(), vec![path])
}

#[test]
fn what_stays_empty_is_taken_away() {
    let (home, path, wanted) = empty();
    let made = Made::of(&wanted);
    assert!(made.is_new() && path.is_dir());
    drop(made);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn what_was_used_stays() {
    let (_home, path, wanted) = empty();
    let made = Made::of(&wanted);
    fs::write(path.join("file"), "x").unwrap();
    drop(made);
    assert!(path.join("file").exists());
}

#[test]
fn what_was_there_stays() {
    let (_home, path, wanted) = empty();
    fs::create_dir_all(&path).unwrap();
    let made = Made::of(&wanted);
    assert!(!made.is_new());
    drop(made);
    assert!(path.is_dir());
}

#[test]
fn what_another_run_uses_stays() {
    let (_home, path, wanted) = empty();
    let first = Made::of(&wanted);
    let second = Made::of(&wanted);
    drop(first);
    assert!(path.is_dir());
    drop(second);
    assert!(path.is_dir(), "who did not make it does not remove it");
}

#[test]
fn what_cannot_be_made_stays_missing() {
    let (home, ..) = empty();
    let file = home.path().join("file");
    fs::write(&file, "x").unwrap();
    let link = home.path().join("link");
    std::os::unix::fs::symlink(home.path().join("nowhere"), &link).unwrap();
    drop(Made::of(&[file.join("below"), link.join("below"), link]));
    assert_eq!(fs::read(&file).unwrap(), b"x");
    assert!(!home.path().join("nowhere").exists());
}

#[test]
fn runs_that_begin_and_end_at_once_find_what_they_were_granted() {
    let (home, path, wanted) = empty();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..200 {
                    let made = Made::of(&wanted);
                    assert!(path.is_dir(), "round {round}: {made:?}");
                }
            });
        }
    });
    let _ = home;
}

#[test]
fn nothing_is_made_behind_a_link_nor_removed_there() {
    let (home, path, wanted) = empty();
    let other = tempfile::tempdir().unwrap();
    symlink(other.path(), home.path().join("cache")).unwrap();
    assert!(!Made::of(&wanted).is_new());
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    fs::remove_file(home.path().join("cache")).unwrap();
    let made = Made::of(&wanted);
    assert!(made.is_new() && path.is_dir());
    // The parent is swapped for a link to a directory with an empty one of the same name.
    fs::create_dir(other.path().join("tool")).unwrap();
    fs::rename(home.path().join("cache"), home.path().join("away")).unwrap();
    symlink(other.path(), home.path().join("cache")).unwrap();
    drop(made);
    assert!(other.path().join("tool").is_dir());
    assert!(!home.path().join("away/tool").exists());
}
