//! `cargo xtask bench NAME`: benchmarks beside other programs, in a workspace of their own.

use std::path::Path;

use crate::step::Step;
use crate::{Failure, Outcome};

/// The benchmarks there are.
const NAMES: [&str; 7] = ["decide", "line", "cold", "hook", "egress", "run", "mcp"];

/// Builds and runs the named benchmark; further arguments are its own.
pub(crate) fn run(root: &Path, name: &str, arguments: &[&str]) -> Outcome {
    if !NAMES.contains(&name) {
        let names = NAMES.join("`, `");
        return Err(Failure(format!("no benchmark `{name}`\nhint: there are `{names}`")));
    }
    let cargo = [
        ["run", "--release"],
        ["--manifest-path", "bench/Cargo.toml"],
        ["--bin", name],
        ["--locked", "--"],
    ];
    Step::cargo(root, format!("bench {name}"), cargo.as_flattened().iter().chain(arguments)).run()
}
