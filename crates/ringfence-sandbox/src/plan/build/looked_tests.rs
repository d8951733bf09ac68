use std::fs;

use super::super::{DirShelf, RealLister};
use super::*;

/// A tree with a file that has two names, looked at once with something on the shelf.
struct World {
    directory: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let world = World { directory: tempfile::tempdir().unwrap() };
        fs::create_dir_all(world.at("tree/inner")).unwrap();
        fs::write(world.at("tree/inner/file"), "").unwrap();
        fs::hard_link(world.at("tree/inner/file"), world.at("tree/second")).unwrap();
        world.shelf().save("masks", b"kept");
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn shelf(&self) -> DirShelf {
        DirShelf::new(self.at("shelf"))
    }

    fn look(&self, looked: &Looked<'_>) {
        looked.list(&self.at("tree"));
        looked.list(&self.at("tree/inner"));
        looked.list(&self.at("gone"));
        looked.shared(&self.at("tree/second"));
        looked.shared(&self.at("gone"));
        looked.stamp(&self.at("tree/inner"), 1);
        looked.load("masks");
        looked.load("nothing");
    }

    fn packed(&self) -> Vec<u8> {
        let shelf = self.shelf();
        let looked = Looked::new(&RealLister, &shelf);
        self.look(&looked);
        looked.pack().unwrap()
    }

    fn still_holds(&self, packed: &[u8]) -> bool {
        Looked::still_holds(packed, &RealLister, &self.shelf())
    }
}

#[test]
fn what_was_seen_holds_until_something_is_another() {
    let changes: [fn(&World); 8] = [
        |world| fs::write(world.at("tree/new"), "").unwrap(),
        |world| fs::remove_file(world.at("tree/inner/file")).unwrap(),
        |world| fs::rename(world.at("tree/inner/file"), world.at("tree/inner/life")).unwrap(),
        |world| {
            fs::create_dir(world.at("gone"))
                .map(|()| fs::write(world.at("gone/x"), ""))
                .map(drop)
                .unwrap()
        },
        |world| {
            fs::remove_file(world.at("tree/second")).unwrap();
            fs::write(world.at("tree/second"), "").unwrap();
        },
        |world| world.shelf().save("masks", b"other"),
        |world| world.shelf().save("nothing", b""),
        |world| {
            fs::remove_file(world.at("tree/second")).unwrap();
            fs::create_dir(world.at("tree/second")).unwrap();
        },
    ];
    for (number, change) in changes.iter().enumerate() {
        let world = World::new();
        let packed = world.packed();
        assert!(world.still_holds(&packed));
        change(&world);
        assert!(!world.still_holds(&packed), "change {number}");
    }
}

#[test]
fn bytes_that_were_not_packed_hold_nothing() {
    let world = World::new();
    let packed = world.packed();
    for length in 0..packed.len() {
        assert!(!world.still_holds(&packed[..length]), "{length} bytes");
    }
    assert!(!world.still_holds(&[&packed[..], b"x"].concat()));
    for place in 0..packed.len() {
        let mut garbled = packed.clone();
        garbled[place] ^= 0xff;
        // Another path may be as empty as the one that was meant; whoever keeps bytes adds them up.
        let _ = world.still_holds(&garbled);
    }
}

#[test]
fn one_look_sees_one_state() {
    let world = World::new();
    let shelf = world.shelf();
    let looked = Looked::new(&RealLister, &shelf);
    let before = looked.list(&world.at("tree"));
    fs::write(world.at("tree/new"), "").unwrap();
    assert_eq!(looked.list(&world.at("tree")), before);
}

#[test]
fn what_was_put_on_the_shelf_is_seen_next_time() {
    let world = World::new();
    let shelf = world.shelf();
    let looked = Looked::new(&RealLister, &shelf);
    world.look(&looked);
    looked.save("masks", b"new");
    assert_eq!(looked.pack(), None);
    assert_eq!(shelf.load("masks").as_deref(), Some(&b"new"[..]));
}

/// Sees the same as always, but for what is mounted.
struct Mounted(&'static str);

impl Lister for Mounted {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        RealLister.list(directory)
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        RealLister.shared(path)
    }

    fn mounts(&self) -> Option<Mounts> {
        Mounts::parse(self.0.as_bytes())
    }

    fn counts_processes(&self) -> bool {
        true
    }
}

#[test]
fn what_was_seen_holds_for_as_long_as_the_same_is_mounted_twice() {
    const ONCE: &str = "1 0 8:1 / / rw - ext4 a rw\n";
    const OTHER: &str = "1 0 8:1 / / rw - ext4 a rw\n2 1 0:9 / /srv rw - tmpfs b rw\n";
    const TWICE: &str = "1 0 8:1 / / rw - ext4 a rw\n2 1 8:1 /p /srv rw - ext4 a rw\n";
    let shelf = DirShelf::new(PathBuf::from("/nowhere"));
    let check = |then: &'static str, now: &'static str, expected: bool| {
        let lister = Mounted(then);
        let looked = Looked::new(&lister, &shelf);
        looked.mounts();
        let packed = looked.pack().unwrap();
        assert_eq!(Looked::still_holds(&packed, &Mounted(now), &shelf), expected, "{then} {now}");
    };
    check(ONCE, ONCE, true);
    check(ONCE, OTHER, true);
    check(ONCE, TWICE, false);
    check(TWICE, TWICE, true);
    check(TWICE, ONCE, false);
    check(ONCE, "no list", false);
}
