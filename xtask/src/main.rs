//! `cargo xtask`: the project's automation, one subcommand per file.
//!
//! It runs other programs and reads the tree. It never changes a file, except that `schema` writes
//! the committed schema and `dist` a release below `target`, and it never decides anything that the product decides.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "talking to a person is its job")]

mod agents;
mod bench;
mod dist;
mod fuzz;
mod oracle;
mod schema;
mod skips;
mod step;
mod tally;
mod test;
mod tidy;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test                        the whole gate: what CI runs
cargo xtask tidy                        arrows, sizes, unsafe, reasons, schema and the like
cargo xtask bench NAME [--ordinary] [ARG…]
                                        benchmarks beside other programs: decide, line, cold,
                                        hook, egress, run, mcp; asks counts interrupted lines;
                                        others take the program as released, or --ordinary
cargo xtask fuzz [TARGET] [--seconds N] fuzzing, one target or all in turn (60 seconds each)
cargo xtask oracle [--minutes N] [--seed S]
                                        comparison with bash and other parsers (10 minutes)
cargo xtask dist                        a release below target/dist: static program, .deb,
                                        completions, man pages, checksums
cargo xtask schema                      writes schema/ringfence.schema.json anew
";

/// Why a task stopped, in a sentence for a person.
#[derive(Debug)]
struct Failure(String);

/// What a task gives back: it has said everything else already.
type Outcome = Result<(), Failure>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test::run(&root()?),
        ["tidy"] => tidy::run(&root()?),
        ["bench", name, rest @ ..] => bench::run(&root()?, name, rest),
        ["fuzz", rest @ ..] => fuzz::run(&root()?, rest),
        ["oracle", rest @ ..] => oracle::run(&root()?, rest),
        ["dist"] => dist::run(&root()?),
        // Not for people: the server that a release is trained with.
        ["training-server"] => dist::serve(),
        ["schema"] => schema::write(&root()?),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(Failure(format!("no such task: `{}`\n{USAGE}", words.join(" ")))),
    }
}

/// The root of the repository: the directory above this package, as cargo tells it at run time.
fn root() -> Result<PathBuf, Failure> {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let root = package.as_deref().and_then(Path::parent);
    root.map(Path::to_path_buf)
        .ok_or_else(|| Failure("run it as `cargo xtask`, from inside the repository".to_owned()))
}
