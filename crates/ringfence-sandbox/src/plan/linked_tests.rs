use std::fs;
use std::sync::Arc;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::PathRules;
use ringfence_core::{AccessScope, Context, Date, Policy, Role};
use ringfence_manifest::{Format, NoLibrary, Source, read};

use super::*;
use crate::plan::{Hiding, Tree};

/// A project with a hidden file, a hidden directory, and other names of what lies there.
struct Project {
    directory: tempfile::TempDir,
    hidden: Hidden,
    files: FilePlan,
}

fn project() -> Project {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for own in ["a/b", "keys/old", "plain"] {
        fs::create_dir_all(root.join(own)).unwrap();
    }
    for own in [".env", "a/b/.env", "keys/old/one", "plain/read"] {
        fs::write(root.join(own), "x").unwrap();
    }
    for (own, name) in [(".env", "one"), ("a/b/.env", "two"), ("keys/old/one", "three")] {
        fs::hard_link(root.join(own), root.join("plain").join(name)).unwrap();
    }
    fs::hard_link(root.join("plain/read"), root.join("plain/four")).unwrap();
    let text = "allow = [\"fs:r:@root/**\"]\ndeny = [\"fs:r:**/.env\", \"fs:r:@root/keys/**\"]";
    let source = Source::new("policy.toml", Format::Toml, text).unwrap();
    let document = read(&source, Role::User, &NoLibrary).unwrap().document;
    let known = AbsPath::new(root.to_str().unwrap()).unwrap();
    let today = Date::new(2026, 11, 15).unwrap();
    let home = AbsPath::new("/nowhere").unwrap();
    let context = Context::new(Some(known.clone()), home, known, today);
    let policy = Policy::compile(vec![document], Vec::new(), &context, &MemoryHost::new()).unwrap();
    let trees = vec![Tree { path: root, rights: Rights::READ }];
    let files = FilePlan { trees, ..FilePlan::default() };
    let hiding = Hiding::new(|| Arc::new(policy), AccessScope::default(), PathRules::LINUX);
    Project { directory, hidden: hiding.prepare(&files).unwrap(), files }
}

impl Project {
    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    fn hides(&self, linked: &LinkedFiles, name: &str) -> bool {
        use std::os::unix::fs::MetadataExt;
        let about = fs::symlink_metadata(self.root().join(name)).unwrap();
        linked.hide((about.dev(), about.ino()))
    }

    /// Looks through with these many names of each kind.
    fn look(&self, began: i64, old: usize, new: usize) -> Option<usize> {
        let found = HashMap::new();
        let (hidden, files) = (&self.hidden, &self.files);
        let mut search = Search { hidden, files, began, old, new, found };
        search.look_below(&self.root()).map(|()| search.found.len())
    }
}

#[test]
fn other_names_of_hidden_files_are_found() {
    let project = project();
    let linked = LinkedFiles::find(&project.hidden, &project.files, SystemTime::now());
    let names = ["plain/one", "plain/two", "plain/three", "plain/read", "plain/four"];
    let hidden = names.map(|name| project.hides(&linked, name));
    assert_eq!(hidden, [true, true, true, false, false]);
}

#[test]
fn a_name_counts_for_as_long_as_it_is_one_of_the_file() {
    let project = project();
    let linked = LinkedFiles::find(&project.hidden, &project.files, SystemTime::now());
    fs::remove_file(project.root().join(".env")).unwrap();
    assert!(!project.hides(&linked, "plain/one"));
    fs::write(project.root().join(".env"), "another file").unwrap();
    assert!(!project.hides(&linked, "plain/one"));
}

#[test]
fn what_is_covered_or_private_is_not_looked_through() {
    let mut project = project();
    project.files.passed = vec![project.root().join("a")];
    let linked = LinkedFiles::find(&project.hidden, &project.files, SystemTime::now());
    assert!(project.hides(&linked, "plain/one"));
    assert!(!project.hides(&linked, "plain/two"));
}

#[test]
fn a_link_is_not_followed() {
    let project = project();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join(".env"), "x").unwrap();
    fs::hard_link(elsewhere.path().join(".env"), project.root().join("plain/five")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), project.root().join("out")).unwrap();
    let linked = LinkedFiles::find(&project.hidden, &project.files, SystemTime::now());
    assert!(!project.hides(&linked, "plain/five"));
}

#[test]
fn a_run_that_makes_too_many_names_hides_every_file_with_several() {
    let project = project();
    let (since_ever, later) = (0, i64::MAX);
    assert_eq!(project.look(since_ever, 0, 100), Some(3));
    assert_eq!(project.look(later, 100, 0), Some(3));
    // The run may have made these names.
    assert_eq!(project.look(since_ever, 100, 5), None);
    // These it cannot have made: the rest is left out.
    assert!(project.look(later, 5, 100).is_some_and(|found| found < 3));
    let flooded = LinkedFiles { is_flooded: true, ..LinkedFiles::default() };
    assert!(project.hides(&flooded, "plain/four"));
}
