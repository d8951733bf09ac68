use std::fs;

use super::*;

struct Tree {
    _directory: tempfile::TempDir,
    top: AbsPath,
}

impl Tree {
    fn new(entries: &[&str]) -> Tree {
        let directory = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(directory.path()).unwrap();
        for entry in entries {
            let path = top.join(entry.trim_end_matches('/'));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match entry.ends_with('/') {
                true => fs::create_dir_all(path).unwrap(),
                false => fs::write(path, "").unwrap(),
            }
        }
        Tree { top: AbsPath::new(top.to_str().unwrap()).unwrap(), _directory: directory }
    }

    fn at(&self, path: &str) -> AbsPath {
        self.top.join(path).unwrap()
    }

    /// Asserts the root for `cwd`, with home directories at `home/*`.
    fn check(&self, cwd: &str, root: &str) {
        let homes = [self.at("home/ana"), self.at("home/bob")];
        assert_eq!(find(&self.at(cwd), &homes).root, Ok(self.at(root)), "{cwd}");
    }
}

#[test]
fn the_root_is_the_nearest_ancestor_with_a_policy_or_a_repository() {
    let tree = Tree::new(&[
        "home/ana/repo/.git/",
        "home/ana/repo/sub/deep/",
        "home/ana/repo/inner/ringfence.yml",
        "home/ana/repo/inner/src/",
        "home/ana/work/.git",
        "home/ana/work/x/",
        "home/ana/plain/dir/",
        "home/ana/odd/ringfence.tml",
    ]);
    tree.check("home/ana/repo", "home/ana/repo");
    tree.check("home/ana/repo/sub/deep", "home/ana/repo");
    tree.check("home/ana/repo/inner/src", "home/ana/repo/inner");
    tree.check("home/ana/work/x", "home/ana/work");
    tree.check("home/ana/plain/dir", "home/ana/plain/dir");
    tree.check("home/ana/odd", "home/ana/odd");
    for name in PROJECT_FILES {
        let tree = Tree::new(&[&format!("p/{name}"), "p/a/b/"]);
        tree.check("p/a/b", "p");
    }
}

#[test]
fn a_home_directory_or_its_ancestor_is_never_the_root() {
    let tree =
        Tree::new(&["home/ana/.git/", "home/ana/ringfence.toml", "home/ana/work/", "home/bob/"]);
    let homes = [tree.at("home/ana"), tree.at("home/bob")];
    let at = |path: &str| find(&tree.at(path), &homes);
    assert_eq!(at("home/ana").root, Err(NoRoot::Home(tree.at("home/ana"))));
    assert!(matches!(at("home").root, Err(NoRoot::HoldsHome { .. })));
    assert!(matches!(at(".").root, Err(NoRoot::HoldsHome { .. })));
    assert_eq!(find(&AbsPath::root(), &homes).root, Err(NoRoot::Everything));
    assert_eq!(find(&AbsPath::root(), &[]).root, Err(NoRoot::Everything));
    // A repository around a whole home directory is not the root of projects in it.
    let work = at("home/ana/work");
    assert_eq!(work.root, Ok(tree.at("home/ana/work")));
    assert_eq!(work.passed_over, Some(tree.at("home/ana/ringfence.toml")));
    // A directory whose name begins like a home directory's is not a home directory.
    assert_eq!(check(&tree.at("home/an"), &homes), Ok(()));
}

#[test]
fn the_reason_is_said() {
    let home = AbsPath::new("/home/u").unwrap();
    let directory = AbsPath::new("/home").unwrap();
    let text = NoRoot::HoldsHome { directory, home }.to_string();
    assert_eq!(
        text,
        "there is no project here, so `@root` matches nothing: `/home` holds the home directory `/home/u`"
    );
}
