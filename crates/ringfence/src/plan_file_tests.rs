#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use super::*;

struct Place {
    directory: tempfile::TempDir,
    shelf: DirShelf,
}

impl Place {
    fn new() -> Place {
        let directory = tempfile::tempdir().unwrap();
        let shelf = DirShelf::new(directory.path().join("shelf"));
        Place { directory, shelf }
    }

    fn file(&self) -> PlanFile<'_> {
        PlanFile::new(&self.shelf, &[7, 3])
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("shelf/plan-0000000000000007-3")
    }
}

#[test]
fn what_was_kept_is_found() {
    let place = Place::new();
    assert_eq!(place.file().load(), None);
    for content in [&b""[..], b"1", b"12345678", b"a plan of some length"] {
        place.file().save(content);
        assert_eq!(place.file().load().as_deref(), Some(content));
    }
}

#[test]
fn bytes_that_do_not_add_up_are_nothing() {
    let place = Place::new();
    place.file().save(b"a plan of some length");
    let whole = fs::read(place.path()).unwrap();
    for length in 0..whole.len() {
        fs::write(place.path(), &whole[..length]).unwrap();
        assert_eq!(place.file().load(), None, "{length} bytes");
    }
    for (byte, bit) in (0..whole.len()).flat_map(|byte| (0..8).map(move |bit| (byte, bit))) {
        let mut garbled = whole.clone();
        garbled[byte] ^= 1 << bit;
        fs::write(place.path(), &garbled).unwrap();
        assert_eq!(place.file().load(), None, "bit {bit} of byte {byte}");
    }
    fs::write(place.path(), vec![0; 4096]).unwrap();
    assert_eq!(place.file().load(), None);
    fs::write(place.path(), &whole).unwrap();
    assert!(place.file().load().is_some());
}

#[test]
fn a_file_that_others_can_reach_is_nothing() {
    let place = Place::new();
    place.file().save(b"a plan");
    for mode in [0o620, 0o602, 0o640, 0o604, 0o666] {
        fs::set_permissions(place.path(), Permissions::from_mode(mode)).unwrap();
        assert_eq!(place.file().load(), None, "{mode:o}");
    }
    fs::set_permissions(place.path(), Permissions::from_mode(0o600)).unwrap();
    assert!(place.file().load().is_some());
    if is_root() {
        std::os::unix::fs::chown(place.path(), Some(65_534), None).unwrap();
        assert_eq!(place.file().load(), None, "somebody else's");
    }
}

#[test]
fn a_link_a_directory_and_a_pipe_are_nothing() {
    let place = Place::new();
    place.file().save(b"a plan");
    let elsewhere = place.directory.path().join("elsewhere");
    fs::rename(place.path(), &elsewhere).unwrap();
    symlink(&elsewhere, place.path()).unwrap();
    assert_eq!(place.file().load(), None);
    fs::remove_file(place.path()).unwrap();
    fs::create_dir(place.path()).unwrap();
    assert_eq!(place.file().load(), None);
    fs::remove_dir(place.path()).unwrap();
    let made = std::process::Command::new("mkfifo").arg("-m600").arg(place.path()).status();
    assert!(made.unwrap().success());
    assert_eq!(place.file().load(), None);
}

#[test]
fn a_plan_that_is_too_large_is_not_cached() {
    let place = Place::new();
    place.file().save(&vec![1; LONGEST]);
    assert_eq!(place.file().load(), None);
}

/// Returns whether this process may change the owner of files.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}
