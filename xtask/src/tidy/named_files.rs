//! The files that ARCHITECTURE.md names exist.
//!
//! A path with a crate's name stands below `crates/`. Below a heading that names a crate, paths are
//! relative to that crate's `src/`. A lone file name in a numbered step lies beside the file that the
//! step names first.

use super::finding::Finding;
use super::tree::Tree;

/// The page.
const PAGE: &str = "ARCHITECTURE.md";

/// Returns a fault for each path in the page that is not in the tree.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some((_, text)) = tree.texts(|path| path == PAGE).next() else { return Vec::new() };
    let exists = |path: &str| tree.files().iter().any(|file| is_at(&file.path, path));
    missing(text, &exists)
}

/// Returns whether a file of the tree is the named file, or lies in the named folder.
fn is_at(file: &str, named: &str) -> bool {
    match named.strip_suffix('/') {
        Some(_) => file.starts_with(named),
        None => file == named,
    }
}

fn missing(text: &str, exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut crates: Vec<&str> = Vec::new();
    let mut folder = String::new();
    let mut is_code = false;
    for (line, number) in text.lines().zip(1_usize..) {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        if let Some(heading) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            crates = heading.split(", ").filter(|name| name.starts_with("ringfence")).collect();
        }
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            folder.clear();
        }
        for path in line.split('`').skip(1).step_by(2).filter(|own| is_path(own)) {
            let places = places(path, &crates, &folder);
            match places.iter().find(|place| exists(place)) {
                Some(place) if folder.is_empty() => folder = folder_of(place).to_owned(),
                Some(_) => {}
                None => {
                    let message = format!("`{path}` does not exist");
                    findings.push(Finding::fault(PAGE, number, message));
                }
            }
        }
    }
    findings
}

/// Returns whether the text in backquotes is the path of a file or a folder.
fn is_path(text: &str) -> bool {
    let is_name = |own: char| own.is_ascii_alphanumeric() || "/_-.".contains(own);
    text.chars().all(is_name) && (text.ends_with(".rs") || text.ends_with('/')) && text != "src/"
}

/// Returns where a path may be meant to lie.
fn places(path: &str, crates: &[&str], folder: &str) -> Vec<String> {
    let of_crates = crates.iter().map(|name| format!("crates/{name}/src/{path}"));
    let with_crate = match path.split_once('/') {
        Some((name, below)) if name.starts_with("ringfence") => {
            Some(format!("crates/{name}/{below}"))
        }
        _ => None,
    };
    of_crates.chain(with_crate).chain([format!("{folder}{path}"), path.to_owned()]).collect()
}

fn folder_of(path: &str) -> &str {
    path.rfind('/').and_then(|end| path.get(..=end)).unwrap_or_default()
}

#[cfg(test)]
#[path = "named_files_tests.rs"]
mod tests;
