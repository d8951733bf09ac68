use std::fs;

use super::*;

#[test]
fn what_appears_and_leaves_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    fs::write(root.join("there"), "").unwrap();
    let inotify = Inotify::new().unwrap();
    let watch = inotify.add(root).unwrap();
    assert_eq!(inotify.add(root).unwrap(), watch);
    assert_eq!(inotify.read().unwrap(), []);
    fs::write(root.join("there"), "changed").unwrap();
    fs::create_dir(root.join("directory")).unwrap();
    fs::rename(root.join("there"), root.join("moved")).unwrap();
    let event = |mask, name: &str| Event { watch, mask, name: name.into() };
    let expected = [
        event(libc::IN_CREATE | libc::IN_ISDIR, "directory"),
        event(libc::IN_MOVED_FROM, "there"),
        event(libc::IN_MOVED_TO, "moved"),
    ];
    assert_eq!(inotify.read().unwrap(), expected);
    inotify.remove(watch);
    assert!(inotify.read().unwrap().iter().all(|event| event.is(libc::IN_IGNORED)));
    assert!(inotify.add(&root.join("moved")).is_err(), "a file is not watched");
}

#[test]
fn what_is_cut_off_is_no_event() {
    assert_eq!(events(&[0; HEAD - 1]), []);
    let mut bytes = vec![0; HEAD + 3];
    bytes[12] = 4;
    assert_eq!(events(&bytes), []);
}
