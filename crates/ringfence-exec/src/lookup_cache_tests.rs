use std::cell::Cell;
use std::path::PathBuf;

use ringfence_sandbox::plan::Tree;

use super::*;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// A run that can write to `/p` and has a private `/tmp`.
fn seen(search_path: &str) -> LookupCache {
    let tree = |path: &str, rights| Tree { path: PathBuf::from(path), rights };
    let files = FilePlan {
        trees: vec![tree("/p", Rights::READ | Rights::WRITE), tree("/usr", Rights::READ)],
        private: vec![PathBuf::from("/tmp")],
        ..FilePlan::default()
    };
    LookupCache::new(&files, Some(search_path.to_owned()))
}

/// Returns how often `look` was called in each of three questions, the last of them later.
fn looks(seen: &LookupCache, ask: impl Fn(&Cell<usize>)) -> [usize; 3] {
    let count = Cell::new(0);
    let counted = |later: bool| {
        if later {
            let long_ago = Instant::now().checked_sub(MOMENT.saturating_mul(2)).unwrap();
            seen.known().since = long_ago;
        }
        seen.forget();
        ask(&count);
        ask(&count);
        count.get()
    };
    [counted(false), counted(false), counted(true)]
}

fn looks_at(seen: &LookupCache, at: &str, entry: &FileEntry) -> [usize; 3] {
    looks(seen, |count| {
        let look = || {
            count.set(count.get() + 1);
            entry.clone()
        };
        assert_eq!(seen.entry(&path(at), look), *entry);
    })
}

#[test]
fn a_lookup_is_cached_within_one_question() {
    let seen = seen("/usr/bin");
    assert_eq!(looks_at(&seen, "/p/src", &FileEntry::Dir), [1, 2, 3]);
    assert_eq!(looks_at(&seen, "/tmp/x", &FileEntry::Missing), [1, 2, 3]);
    assert_eq!(looks_at(&seen, "/proc/1", &FileEntry::Dir), [1, 2, 3]);
}

#[test]
fn where_the_tree_changes_nothing_the_next_question_is_told_the_same() {
    let seen = seen("/usr/bin");
    assert_eq!(looks_at(&seen, "/usr/lib", &FileEntry::Dir), [1, 1, 2]);
    assert_eq!(looks_at(&seen, "/usr/none", &FileEntry::Missing), [1, 1, 2]);
    assert_eq!(looks_at(&seen, "/lib", &FileEntry::Link("usr/lib".into())), [1, 1, 2]);
}

#[test]
fn the_number_of_hard_links_is_never_cached() {
    assert_eq!(
        looks_at(&seen("/usr/bin"), "/usr/bin/true", &FileEntry::File { links: 1 }),
        [1, 2, 3]
    );
}

#[test]
fn programs_are_remembered_where_the_tree_can_put_none() {
    let ask = |seen: &LookupCache| {
        looks(seen, |count| {
            let look = || {
                count.set(count.get() + 1);
                None
            };
            assert_eq!(seen.program("tool", look), None);
        })
    };
    assert_eq!(ask(&seen("/usr/bin:/bin")), [1, 1, 2]);
    assert_eq!(ask(&seen("/usr/bin:/p/bin")), [2, 4, 6]);
    assert_eq!(ask(&seen("/usr/bin::/bin")), [2, 4, 6]);
}

#[test]
fn write_permission_is_cached_outside_the_trees_of_the_run() {
    let ask = |seen: &LookupCache, at: &str| {
        looks(seen, |count| {
            let look = || {
                count.set(count.get() + 1);
                false
            };
            assert!(!seen.may_write(&path(at), look));
        })
    };
    assert_eq!(ask(&seen("/bin"), "/usr/bin"), [1, 1, 2]);
    assert_eq!(ask(&seen("/bin"), "/p/bin"), [2, 4, 6]);
}

#[test]
fn entries_seen_by_the_gate_are_not_looked_up_again() {
    let seen = seen("/usr/bin");
    let looked = |at: &str| seen.entry(&path(at), || FileEntry::Missing);
    seen.tell(Path::new("/p"), FileEntry::Dir);
    seen.tell(Path::new("/p/x (deleted)"), FileEntry::Dir);
    assert_eq!((looked("/p"), looked("/p/x (deleted)")), (FileEntry::Dir, FileEntry::Missing));
    seen.forget();
    assert_eq!(looked("/p"), FileEntry::Missing);
}

#[test]
fn a_path_leads_where_it_led_if_the_tree_changes_nothing_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for directory in ["kept", "written"] {
        std::fs::create_dir(root.join(directory)).unwrap();
    }
    std::fs::write(root.join("kept/file"), "").unwrap();
    let link = |from: &str, to: &str| std::os::unix::fs::symlink(to, root.join(from)).unwrap();
    link("kept/straight", "file");
    link("kept/upwards", "../kept/straight");
    link("kept/absolute", root.join("kept/file").to_str().unwrap());
    link("kept/away", "../written/back");
    link("written/back", "../kept/file");
    link("kept/round", "round");
    let tree = Tree { path: root.join("written"), rights: Rights::READ | Rights::WRITE };
    let seen = LookupCache::new(&FilePlan { trees: vec![tree], ..FilePlan::default() }, None);
    let leads = |name: &str| seen.leads_where_it_led(&root.join(name));
    for name in ["kept/file", "kept/straight", "kept/upwards", "kept/absolute", "kept"] {
        assert!(leads(name), "{name}");
    }
    for name in ["kept/away", "written/back", "kept/round", "kept/none", "written/../kept/file"] {
        assert!(!leads(name), "{name}");
    }
}
