//! Property: an existing path on this machine resolves to the location that the kernel gives.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use proptest::prelude::*;
use ringfence_core::path::{Follow, resolve, resolve_literal};
use rustix::io::Errno;

use super::*;

/// Draws from few names, so that symlinks meet.
fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("a"), Just("b"), Just("c"), Just("d")]
}

/// Draws a path over these names; an absolute one starts at the top of the tree.
fn text() -> impl Strategy<Value = String> {
    let step = prop_oneof![8 => name(), 3 => Just(".."), 1 => Just("."), 1 => Just("")];
    let steps = prop::collection::vec(step, 1..6);
    (any::<bool>(), steps).prop_map(|(is_absolute, steps)| {
        let start = if is_absolute { "/" } else { "./" };
        start.to_owned() + &steps.join("/")
    })
}

#[derive(Debug, Clone)]
enum Made {
    Dir,
    File,
    Link(String),
}

fn entries() -> impl Strategy<Value = Vec<(String, Made)>> {
    let place = prop::collection::vec(name(), 1..4).prop_map(|names| names.join("/"));
    let made = prop_oneof![
        3 => Just(Made::Dir),
        1 => Just(Made::File),
        4 => text().prop_map(Made::Link),
    ];
    prop::collection::vec((place, made), 1..14)
}

struct Tree {
    _directory: tempfile::TempDir,
    top: AbsPath,
}

impl Tree {
    fn new(entries: &[(String, Made)]) -> Tree {
        let directory = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(directory.path()).unwrap();
        let tree =
            Tree { top: AbsPath::new(top.to_str().unwrap()).unwrap(), _directory: directory };
        for (place, made) in entries {
            tree.make(place, made);
        }
        tree
    }

    /// Creates an entry, unless the path exists.
    fn make(&self, place: &str, made: &Made) {
        let mut path = PathBuf::from(self.top.as_str());
        let mut names: Vec<&str> = place.split('/').collect();
        let last = names.pop().unwrap();
        for name in names {
            path.push(name);
            let _ = fs::create_dir(&path);
            // Below a symlink the entry would lie elsewhere, perhaps outside the tree.
            if !fs::symlink_metadata(&path).unwrap().is_dir() {
                return;
            }
        }
        path.push(last);
        let _ = match made {
            Made::Dir => fs::create_dir(&path),
            Made::File => fs::File::create_new(&path).map(|_| ()),
            Made::Link(target) => symlink(self.place(target), &path),
        };
    }

    /// Returns the real path of a drawn text; absolute ones start at the top of the tree.
    fn place(&self, text: &str) -> String {
        match text.strip_prefix('/') {
            Some(rest) => format!("{}/{rest}", self.top),
            None => text.to_owned(),
        }
    }
}

fn check(tree: &Tree, text: &str) -> Result<(), TestCaseError> {
    let host = RealHost::with_environment(Vec::new());
    let text = tree.place(text);
    let seen_from_top = Path::new(tree.top.as_str()).join(&text);
    let resolved = resolve(&host, &text, &tree.top, &AbsPath::root());
    match fs::canonicalize(&seen_from_top) {
        Ok(real) => match resolved {
            Ok(file) => {
                prop_assert_eq!(file.real.as_str(), real.to_str().unwrap());
                prop_assert!(file.kind.is_some());
            }
            // The path is refused because tools that simplify `..` in the text would end elsewhere.
            Err(error) => prop_assert!(text.contains(".."), "{}", error),
        },
        Err(error) if Errno::from_io_error(&error) == Some(Errno::LOOP) => {
            prop_assert!(resolved.is_err(), "{:?}", resolved);
        }
        Err(_) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn existing_paths_are_resolved_as_the_kernel_does(
        entries in entries(),
        texts in prop::collection::vec(text(), 1..8),
    ) {
        let tree = Tree::new(&entries);
        for text in &texts {
            check(&tree, text)?;
        }
        for (place, _) in &entries {
            check(&tree, &format!("/{place}"))?;
        }
    }
}

#[test]
fn the_symlink_limit_is_the_kernels() {
    let tree = Tree::new(&[("0".to_owned(), Made::Dir)]);
    for number in 1..=42 {
        let link = Path::new(tree.top.as_str()).join(number.to_string());
        symlink((number - 1).to_string(), link).unwrap();
    }
    let host = RealHost::with_environment(Vec::new());
    for number in 0..=42 {
        let path = tree.top.join(&number.to_string()).unwrap();
        let resolved = resolve_literal(&host, path.as_str(), &tree.top, Follow::Final);
        let real = fs::canonicalize(path.as_str());
        assert_eq!(resolved.is_ok(), real.is_ok(), "{number} links: {resolved:?} {real:?}");
    }
}
