//! `cargo xtask tidy`: what the compiler does not check about this tree.
//!
//! Each check is a function from the tree to findings; it runs nothing and prints nothing. Only
//! the freshness of the schema needs the product itself.

mod arrows;
mod checklist;
mod code;
mod finding;
mod inline_tests;
mod local_names;
mod manifest;
mod named_files;
mod one_builder;
mod permit_makers;
mod reasons;
mod root_files;
mod schema;
mod sizes;
mod tree;
mod unfinished;
mod unsafe_code;

use std::path::Path;

use crate::{Failure, Outcome};
use finding::{Finding, Weight};
use tree::Tree;

/// The checks that look at nothing but the tree.
const CHECKS: [fn(&Tree) -> Vec<Finding>; 11] = [
    arrows::check,
    inline_tests::check,
    local_names::check,
    named_files::check,
    one_builder::check,
    permit_makers::check,
    reasons::check,
    root_files::check,
    sizes::check,
    unfinished::check,
    unsafe_code::check,
];

/// Runs every check and prints what they find, one line each.
pub(crate) fn run(root: &Path) -> Outcome {
    let tree = Tree::scan(root)?;
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    findings.extend(schema::check(root, &tree)?);
    let (coverage, unknown) = checklist::check(root, &tree)?;
    println!("{coverage}");
    findings.extend(unknown);

    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    let faults = findings.iter().filter(|finding| finding.weight == Weight::Fault).count();
    let warnings = findings.len().saturating_sub(faults);
    println!("tidy: {} files, faults: {faults}, warnings: {warnings}", tree.files().len());
    match faults {
        0 => Ok(()),
        _ => Err(Failure("the tree is not tidy".to_owned())),
    }
}
