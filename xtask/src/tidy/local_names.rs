//! Nothing in the tree names one person's machine: no home directories, no mirrors, no registries.
//!
//! Profiles speak of registries by symbol (`net:@npm`), because the host behind the symbol differs
//! from place to place.

use super::finding::Finding;
use super::tree::Tree;

/// Directories that exist on a developer's machine alone.
const MACHINE_FOLDERS: [&str; 2] = ["/work/", "/root/"];

/// Folders that hold people's home directories.
const HOME_FOLDERS: [&str; 2] = ["/home/", "/Users/"];

/// People who exist only in examples.
const NOBODIES: [&str; 8] = ["u", "v", "user", "ana", "bob", "eve", "other", "USER"];

/// Hosts of package registries.
const REGISTRIES: [&str; 8] = [
    "index.crates.io",
    "static.crates.io",
    "registry.npmjs.org",
    "pypi.org",
    "files.pythonhosted.org",
    "proxy.golang.org",
    "repo.maven.apache.org",
    "deb.debian.org",
];

/// The one registry that a lock file names.
const LOCKED_REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Files that hold the lists: where symbols get their hosts, and this one.
const LISTS: [&str; 2] =
    ["crates/ringfence-core/src/host/registry.rs", "xtask/src/tidy/local_names.rs"];

/// No text file names a developer's directories or a registry's host.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts(|path| !is_exempt(path))
        .flat_map(|(file, text)| {
            let lock = file.ends_with("Cargo.lock");
            text.lines().zip(1..).filter_map(move |(line, number)| {
                let message = if lock { foreign_source(line) } else { local_name(line) };
                message.map(|message| Finding::fault(file, number, message))
            })
        })
        .collect()
}

/// Tests and cases name whatever the outside world names.
fn is_exempt(path: &str) -> bool {
    path.split('/').any(|part| ["tests", "corpus"].contains(&part))
        || path.ends_with("_tests.rs")
        || LISTS.contains(&path)
}

fn foreign_source(line: &str) -> Option<String> {
    let source = line.strip_prefix("source = \"")?.trim_end_matches('"');
    (source != LOCKED_REGISTRY).then(|| format!("locked from `{source}`"))
}

fn local_name(line: &str) -> Option<String> {
    machine_folder(line).or_else(|| home(line)).or_else(|| registry(line))
}

fn machine_folder(line: &str) -> Option<String> {
    let named = |folder: &&'static str| absolute(line, folder).next().is_some();
    let folder = MACHINE_FOLDERS.into_iter().find(named)?;
    Some(format!("`{folder}` is a folder of one machine"))
}

fn home(line: &str) -> Option<String> {
    let homes = HOME_FOLDERS.into_iter().flat_map(|folder| absolute(line, folder));
    let owner = homes.map(leading_name).find(|owner| !is_nobody(owner))?;
    Some(format!("`{owner}` may be a person: examples have `/home/u`"))
}

fn registry(line: &str) -> Option<String> {
    let host = REGISTRIES.into_iter().find(|host| line.contains(host))?;
    Some(format!("`{host}` is a registry: say `@npm`, `@pypi`, `@crates` and so on"))
}

/// What follows each occurrence of `folder` as the start of an absolute path.
fn absolute<'line>(line: &'line str, folder: &'static str) -> impl Iterator<Item = &'line str> {
    line.match_indices(folder).filter_map(move |(at, _)| {
        let (before, from) = line.split_at(at);
        let within_path = before
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || "_-.~*}/".contains(c));
        (!within_path).then(|| from.strip_prefix(folder)).flatten()
    })
}

fn leading_name(path: &str) -> &str {
    let end = path.find(|c: char| !c.is_alphanumeric() && !"_-.".contains(c));
    path.split_at(end.unwrap_or(path.len())).0
}

/// Nobody: an example's person, a placeholder such as `<name>` or `$USER`, or a glob.
fn is_nobody(owner: &str) -> bool {
    owner.is_empty() || NOBODIES.contains(&owner)
}

#[cfg(test)]
#[path = "local_names_tests.rs"]
mod tests;
