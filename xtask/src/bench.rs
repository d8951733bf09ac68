//! `cargo xtask bench NAME`: benchmarks beside other programs, in a workspace of their own.

use std::path::Path;

use crate::step::{Step, target_dir};
use crate::{Failure, Outcome, dist};

/// The benchmarks there are.
const NAMES: [&str; 8] = ["decide", "line", "cold", "hook", "egress", "run", "mcp", ASKS];

/// Counts verdicts instead of time: the test of the gate, with every line of its corpus.
const ASKS: &str = "asks";

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
    if name == ASKS {
        return asks(root);
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

/// Judges every line of `tests/corpus/asks.jsonl` and prints those that are interrupted.
fn asks(root: &Path) -> Outcome {
    let cargo = ["test", "--locked", "--package", "ringfence-cli", "--test", "all"];
    let test = ["interruptions::", "--", "--nocapture"];
    let step = Step::cargo(root, "bench asks", cargo.iter().chain(&test));
    step.env("RINGFENCE_EVERY_LINE", "1").run()
}
