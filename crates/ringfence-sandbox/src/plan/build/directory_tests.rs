use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};

use super::*;

fn seen(path: &Path) -> BTreeMap<String, EntryKind> {
    let mut all = BTreeMap::new();
    Directory::open(path).unwrap().each(|name, kind| {
        assert!(all.insert(name.to_str().unwrap().to_owned(), kind).is_none());
    });
    all
}

/// What the library sees.
fn library(path: &Path) -> BTreeMap<String, EntryKind> {
    let entries = fs::read_dir(path).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let kind = match entry.file_type().unwrap() {
            kind if kind.is_dir() => EntryKind::Dir,
            kind if kind.is_file() => EntryKind::File,
            kind if kind.is_symlink() => EntryKind::Link,
            _ => EntryKind::Other,
        };
        (entry.file_name().into_string().unwrap(), kind)
    });
    entries.collect()
}

#[test]
fn the_same_is_seen_as_by_the_library() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    // More than is fetched at once.
    for number in 0..1_000 {
        fs::write(at(&format!("{number}-{}", "n".repeat(number % 200))), "").unwrap();
    }
    fs::create_dir(at("directory")).unwrap();
    symlink("directory", at("link")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    let kind = fs::symlink_metadata(at("socket")).unwrap().file_type();
    assert!(kind.is_socket());
    let seen = seen(directory.path());
    assert_eq!(seen, library(directory.path()));
    assert_eq!(seen.len(), 1_003);
    assert_eq!(seen["socket"], EntryKind::Other);
    for system in ["/", "/etc", "/dev", "/proc/self", "/sys"] {
        assert_eq!(self::seen(Path::new(system)), library(Path::new(system)), "{system}");
    }
}

#[test]
fn what_is_no_directory_cannot_be_looked_through() {
    for path in ["/etc/passwd", "/nowhere", "/etc/pass\0wd"] {
        assert!(Directory::open(Path::new(path)).is_err(), "{path}");
    }
}

#[test]
fn bytes_that_are_no_entry_are_none() {
    assert!(entry(&[]).is_none());
    assert!(entry(&[0; 24]).is_none());
    assert!(entry(&[0xff; 24]).is_none());
}

#[test]
fn a_kind_that_was_not_said_is_looked_up() {
    let directory = Directory::open(Path::new("/")).unwrap();
    assert_eq!(directory.kind(c"etc", libc::DT_UNKNOWN), Some(EntryKind::Dir));
    assert_eq!(directory.kind(c"nowhere", libc::DT_UNKNOWN), None);
}
