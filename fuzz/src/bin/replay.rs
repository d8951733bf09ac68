//! Feeds every file of the corpus to its target, without a fuzzer; the toolchain may be stable.
//!
//! It fails if an input breaks a law or takes too long, and if a target has no corpus or a corpus
//! no target: an empty replay would show nothing.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ringfence_fuzz::{TARGETS, Target};

/// What one input may take, in a build without optimisation on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

fn main() -> io::Result<ExitCode> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let (mut passed, mut failed) = (0, 0);
    for target in TARGETS {
        for input in entries(&corpus.join(target.name))? {
            match replay(target, &input)? {
                Ok(()) => passed += 1,
                Err(complaint) => {
                    failed += 1;
                    println!("{}: {}: {complaint}", target.name, input.display());
                }
            }
        }
    }
    for complaint in strays(&corpus)? {
        failed += 1;
        println!("{complaint}");
    }
    println!("{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs one input; what the panic said stands on standard error already.
fn replay(target: Target, input: &Path) -> io::Result<Result<(), String>> {
    let data = fs::read(input)?;
    let start = Instant::now();
    if catch_unwind(|| (target.run)(&data)).is_err() {
        return Ok(Err("broke a law".to_owned()));
    }
    let taken = start.elapsed();
    Ok(if taken > PATIENCE { Err(format!("took {taken:.1?}")) } else { Ok(()) })
}

/// Targets without a corpus, and corpora without a target.
fn strays(corpus: &Path) -> io::Result<Vec<String>> {
    let targets: BTreeSet<PathBuf> =
        TARGETS.iter().map(|target| corpus.join(target.name)).collect();
    let folders: BTreeSet<PathBuf> = entries(corpus)?.into_iter().collect();
    let without_target = folders.difference(&targets);
    let mut complaints: Vec<String> =
        without_target.map(|folder| format!("{}: no such target", folder.display())).collect();
    for folder in targets {
        if entries(&folder)?.is_empty() {
            complaints.push(format!("{}: no inputs", folder.display()));
        }
    }
    Ok(complaints)
}

/// What lies in a folder, in order of names; nothing if there is no such folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut paths: Vec<PathBuf> =
        listing.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}
