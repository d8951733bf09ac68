//! `cargo xtask fuzz`: runs the fuzz targets for a bounded time, with the pinned stable toolchain.

use std::fs;
use std::path::Path;

use crate::step::{Step, cargo, works};
use crate::{Failure, Outcome};

/// The manifest of the fuzz workspace.
pub(crate) const MANIFEST: &str = "fuzz/Cargo.toml";

/// The version of cargo-fuzz that the targets were run with.
const CARGO_FUZZ: &str = "0.13.2";

/// How long one target runs when nobody says.
const DEFAULT_SECONDS: u32 = 60;

/// Runs the named target, or all of them in turn.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Outcome {
    let wanted = Wanted::parse(arguments)?;
    let known = targets(root)?;
    let chosen: Vec<&String> = match &wanted.target {
        None => known.iter().collect(),
        Some(name) => known.iter().filter(|target| *target == name).collect(),
    };
    if chosen.is_empty() {
        let (asked, known) = (wanted.target.unwrap_or_default(), known.join("`, `"));
        return Err(Failure(format!("no fuzz target `{asked}`\nhint: there are `{known}`")));
    }
    install(root)?;
    chosen.into_iter().try_for_each(|target| fuzz(root, target, wanted.seconds))
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    target: Option<String>,
    seconds: u32,
}

impl Wanted {
    fn parse(arguments: &[&str]) -> Result<Wanted, Failure> {
        let (target, rest) = match arguments {
            [name, rest @ ..] if !name.starts_with('-') => (Some((*name).to_owned()), rest),
            rest => (None, rest),
        };
        let seconds = match rest {
            [] => DEFAULT_SECONDS,
            ["--seconds", number] => number
                .parse()
                .map_err(|_| Failure(format!("`{number}` is not a number of seconds")))?,
            other => return Err(Failure(format!("not understood: `{}`", other.join(" ")))),
        };
        Ok(Wanted { target, seconds })
    }
}

/// The targets' names: the files of `fuzz/fuzz_targets`.
fn targets(root: &Path) -> Result<Vec<String>, Failure> {
    let folder = root.join("fuzz/fuzz_targets");
    let unreadable = |error| Failure(format!("`{}`: {error}", folder.display()));
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

fn install(root: &Path) -> Outcome {
    if works(cargo(), &["fuzz", "--version"]) {
        return Ok(());
    }
    let arguments = ["install", "cargo-fuzz", "--version", CARGO_FUZZ, "--locked"];
    Step::cargo(root, "install cargo-fuzz", arguments).run()
}

fn fuzz(root: &Path, target: &str, seconds: u32) -> Outcome {
    // libFuzzer writes what it finds into the first folder and only reads the second, so the
    // committed seeds stay as small as people made them.
    let found = format!("fuzz/target/corpus/{target}");
    let seeds = format!("fuzz/corpus/{target}");
    fs::create_dir_all(root.join(&found))
        .map_err(|error| Failure(format!("`{found}`: {error}")))?;
    let limit = format!("-max_total_time={seconds}");
    let arguments = ["fuzz", "run", target, &found, &seeds, "--", &limit];
    Step::cargo(root, format!("fuzz {target} for {seconds} s"), arguments)
        // The sanitizers are an unstable option that the stable compiler carries all the same.
        .env("RUSTC_BOOTSTRAP", "1")
        .run()
}

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod tests;
