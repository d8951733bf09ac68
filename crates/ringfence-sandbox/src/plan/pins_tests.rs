use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::plan::{Lister, PinningLister};

/// A directory with a file, a link to the directory, and an empty directory.
fn place() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    fs::create_dir_all(base.join("one/sub")).unwrap();
    fs::create_dir(base.join("two")).unwrap();
    fs::write(base.join("one/sub/file"), "").unwrap();
    symlink(base.join("one"), base.join("link")).unwrap();
    (directory, base)
}

fn error(result: io::Result<Arc<Pin>>) -> Option<i32> {
    result.err().and_then(|error| error.raw_os_error())
}

#[test]
fn links_are_not_followed_anywhere_in_a_path() {
    let (_directory, base) = place();
    let pins = Pins::default();
    for name in ["link", "link/sub", "link/sub/file"] {
        assert_eq!(error(pins.pin(&base.join(name))), Some(libc::ELOOP), "{name}");
    }
    assert_eq!(error(pins.pin(&base.join("none"))), Some(libc::ENOENT));
    assert!(pins.pin(&base.join("one/sub")).unwrap().is_directory);
    assert!(!pins.pin(&base.join("one/sub/file")).unwrap().is_directory);
}

#[test]
fn a_pinned_directory_is_listed_whatever_lies_at_its_path() {
    let (_directory, base) = place();
    let lister = PinningLister::new();
    let (one, sub) = (base.join("one"), base.join("one/sub"));
    assert!(lister.pin(&one));
    fs::rename(&one, base.join("away")).unwrap();
    for swap in [base.join("link"), base.join("two")] {
        fs::rename(swap, &one).unwrap();
        let names = |path: &Path| lister.list(path).into_iter().map(|own| own.name).collect();
        let listed: [Vec<_>; 2] = [names(&one), names(&sub)];
        assert_eq!(listed, [["sub"], ["file"]]);
        assert!(lister.pin(&sub.join("file")));
        assert!(fs::read_dir(lister.pinned(&one)).unwrap().count() == 1);
        let _ = fs::remove_file(&one);
    }
}

#[test]
fn the_first_run_has_what_was_pinned_and_later_ones_what_was_saved_since() {
    let (_directory, base) = place();
    let pins = Pins::of_plan();
    let (file, sub) = (base.join("one/sub/file"), base.join("one/sub"));
    let (first, directory) = (pins.pin(&file).unwrap().inode, pins.pin(&sub).unwrap().inode);
    fs::write(base.join("fresh"), "").unwrap();
    fs::rename(base.join("fresh"), &file).unwrap();
    fs::rename(&sub, base.join("away")).unwrap();
    fs::create_dir(&sub).unwrap();
    let run = pins.for_run();
    assert!(run.are_of_plan());
    assert_eq!(run.pin(&file).unwrap().inode, first);
    assert!(run.pin(&file).unwrap().is_removed());
    let later = pins.for_run();
    assert!(!later.are_of_plan());
    // A directory that was walked is the one that is meant, for as long as the plan is used.
    assert_eq!(later.pin(&sub).unwrap().inode, directory);
    assert_ne!(later.pin(&file).unwrap().inode, first);
}

#[test]
fn where_few_files_may_be_open_inodes_are_known_without_descriptors() {
    let (_directory, base) = place();
    let pins = Pins::default();
    pins.lock().left = Some(1);
    let kept = pins.pin(&base.join("one")).unwrap();
    let known = pins.pin(&base.join("one/sub")).unwrap();
    assert!(kept.fd.is_some() && known.fd.is_none());
    assert!(!known.is_removed());
    assert!(pins.open(&base.join("one/sub/file"), libc::O_PATH).is_ok());
}
