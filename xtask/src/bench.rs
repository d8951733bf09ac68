//! `cargo xtask bench NAME`: benchmarks beside other programs, in a workspace of their own.

use std::path::Path;

use crate::step::{Step, target_dir};
use crate::{Failure, Outcome, dist};

/// The benchmarks there are.
const NAMES: [&str; 7] = ["decide", "line", "cold", "hook", "egress", "run", "mcp"];

/// Those that start the program; the others have its code in them.
const OF_THE_PROGRAM: [&str; 4] = ["cold", "hook", "run", "mcp"];

/// The program of an ordinary build is wanted, not the released one.
const ORDINARY: &str = "--ordinary";

/// Builds and runs the named benchmark; further arguments are its own.
///
/// What people install is measured: the program as it is released.
pub(crate) fn run(root: &Path, name: &str, arguments: &[&str]) -> Outcome {
    if !NAMES.contains(&name) {
        let names = NAMES.join("`, `");
        return Err(Failure(format!("no benchmark `{name}`\nhint: there are `{names}`")));
    }
    let released = OF_THE_PROGRAM.contains(&name) && !arguments.contains(&ORDINARY);
    let cargo = [
        ["run", "--release"],
        ["--manifest-path", "bench/Cargo.toml"],
        ["--bin", name],
        ["--locked", "--"],
    ];
    let arguments = arguments.iter().filter(|argument| **argument != ORDINARY);
    let step =
        Step::cargo(root, format!("bench {name}"), cargo.as_flattened().iter().chain(arguments));
    let step = if released {
        let program = dist::build(root, Path::new(&target_dir(root))).map_err(|Failure(why)| {
            let hint = format!("`cargo xtask bench {name} {ORDINARY}` measures the ordinary build");
            Failure(format!("{why}\nhint: {hint}"))
        })?;
        step.env("RINGFENCE_PROGRAM", program)
    } else {
        step
    };
    step.run()
}
