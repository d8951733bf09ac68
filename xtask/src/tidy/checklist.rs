//! How much of the checklist of behaviours has a test named after it.
//!
//! The checklist stands beside the repository, not in it. A number that it does not have is a
//! slip of the pen and is said; a row without a test is only counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use super::code::{code_only, words};
use super::finding::Finding;
use super::tree::Tree;
use crate::Failure;

/// Where the checklist stands, from the repository's root.
const FILE: &str = "../shared/checklist.md";

/// A place in the tree.
type Place = (String, usize);

/// A line on how many rows have a test, and the names that belong to no row.
pub(super) fn check(root: &Path, tree: &Tree) -> Result<(String, Vec<Finding>), Failure> {
    let text = match fs::read_to_string(root.join(FILE)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((format!("checklist: skipped, there is no {FILE}"), Vec::new()));
        }
        Err(error) => return Err(Failure(format!("`{FILE}`: {error}"))),
    };
    Ok(compare(&text, &used(tree)))
}

fn compare(checklist: &str, used: &BTreeMap<u32, Place>) -> (String, Vec<Finding>) {
    let rows: BTreeSet<u32> = checklist
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next())
        .filter_map(|cell| number(&format!("{cell}_")))
        .collect();
    let covered = used.keys().filter(|number| rows.contains(number)).count();
    let unknown = used.iter().filter(|(number, _)| !rows.contains(number));
    let findings = unknown.map(|(number, (file, line))| {
        Finding::warning(file, *line, format!("the checklist has no row c{number:03}"))
    });
    (format!("checklist: {covered} of {} rows have a test", rows.len()), findings.collect())
}

/// The numbers that tests and case folders carry, each with one place where it is used.
fn used(tree: &Tree) -> BTreeMap<u32, Place> {
    let mut used = BTreeMap::new();
    for (file, text) in tree.rust() {
        let code = code_only(text);
        let tests = words(&code).filter(|word| word.text == "fn");
        for name in tests.filter_map(|word| words(word.after).next()) {
            if let Some(number) = number(name.text) {
                let line = words(&code).find(|word| word.text == name.text);
                used.insert(number, (file.to_owned(), line.map_or(0, |word| word.line)));
            }
        }
    }
    for file in tree.files() {
        for folder in file.path.split('/') {
            if let Some(number) = number(folder) {
                used.entry(number).or_insert_with(|| (file.path.clone(), 0));
            }
        }
    }
    used
}

/// The number in a name of the form `c042_what_it_shows`.
fn number(name: &str) -> Option<u32> {
    let (digits, _) = name.strip_prefix('c')?.split_once('_')?;
    let three = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    three.then(|| digits.parse().ok())?
}

#[cfg(test)]
#[path = "checklist_tests.rs"]
mod tests;
