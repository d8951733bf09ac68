//! Plans of policies on a described host.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ringfence_core::host::MemoryHost;
use ringfence_core::{Date, Document, Role};
use ringfence_manifest::{Format, NoLibrary, Source, builtin, profiles, read};

use super::*;

#[path = "files_tests.rs"]
mod files;
#[path = "laws_tests.rs"]
mod laws;
#[path = "made_tests.rs"]
mod missing;
#[path = "rest_tests.rs"]
mod rest;
#[path = "root_tests.rs"]
mod root;
#[path = "snapshots_tests.rs"]
mod snapshots;
#[path = "twice_tests.rs"]
mod twice;

pub(super) fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

pub(super) fn context() -> Context {
    let today = Date::new(2026, 11, 15).unwrap();
    Context::new(Some(path("/home/u/proj")), path("/home/u"), path("/home/u/proj"), today)
}

/// A host with these files; a name that ends in a slash is a directory.
pub(super) fn host(files: &[&str]) -> MemoryHost {
    let mut host = MemoryHost::new();
    for directory in ["/var/tmp", "/dev/shm", "/dev/pts", "/proc", "/usr/share"] {
        host.add_dir(&path(directory));
    }
    for file in files {
        match file.strip_suffix('/') {
            Some(directory) => host.add_dir(&path(directory)),
            None => host.add_file(&path(file), *file),
        }
    }
    host
}

/// A document of the user, with the ceilings that come with it.
pub(super) fn documents(text: &str) -> Vec<Document> {
    let source = Source::new("policy.toml", Format::Toml, text).unwrap();
    let loaded = read(&source, Role::User, &NoLibrary).unwrap();
    [loaded.document].into_iter().chain(loaded.ceilings).collect()
}

/// The plan by these documents alone, or beside the built-in lists.
pub(super) fn make(host: &MemoryHost, mut documents: Vec<Document>, lists: bool) -> Plan {
    let context = context();
    let mut dangers = Vec::new();
    if lists {
        documents.push(builtin::protected_document());
        dangers = builtin::danger_rules();
    }
    let policy = Policy::compile(documents, dangers, &context, host).unwrap();
    let variable = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let environment = [("PATH", "/usr/bin"), ("HOME", "/home/u"), ("AWS_SECRET", "x"), ("CI", "1")];
    let mut wanted = wanted(&policy, &context, host);
    wanted.environment = environment.map(variable).to_vec();
    make_and_remember(wanted)
}

/// The plan; it masks the same where what is found is kept, and where that is remembered.
pub(super) fn make_and_remember(wanted: Wanted<'_>) -> Plan {
    let plan = Plan::make(&wanted);
    let shelf = MemoryShelf::default();
    let wanted = Wanted { shelf: Some(&shelf), ..wanted };
    for _ in 0..2 {
        assert_eq!(Plan::make(&wanted).files.masks, plan.files.masks);
    }
    plan
}

/// Keeps what was found, of trees that never change.
#[derive(Default)]
struct MemoryShelf(RefCell<BTreeMap<String, Vec<u8>>>);

impl Shelf for MemoryShelf {
    fn stamp(&self, _: &std::path::Path, _: usize) -> String {
        String::new()
    }

    fn load(&self, key: &str) -> Option<Vec<u8>> {
        self.0.borrow().get(key).cloned()
    }

    fn save(&self, key: &str, content: &[u8]) {
        self.0.borrow_mut().insert(key.to_owned(), content.to_vec());
    }
}

pub(super) fn wanted<'a>(
    policy: &'a Policy,
    context: &'a Context,
    host: &'a MemoryHost,
) -> Wanted<'a> {
    Wanted {
        policy,
        context,
        host,
        lister: host,
        shelf: None,
        scope: AccessScope::default(),
        programs: Vec::new(),
        given: Vec::new(),
        environment: Vec::new(),
    }
}

pub(super) fn profile(name: &str) -> Vec<Document> {
    vec![profiles::get(name).unwrap().document(Role::User)]
}
