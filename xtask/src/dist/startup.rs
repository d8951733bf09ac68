//! How big the program is, and how long it takes to start.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Failure, Outcome};

/// How often it is started.
const STARTS: usize = 200;

/// Says both.
pub(super) fn report(program: &Path) -> Outcome {
    let size = fs::metadata(program)
        .map_err(|error| Failure(format!("cannot see {}: {error}", program.display())))?
        .len();
    println!("size       {:.1} MiB", megabytes(size));
    for arguments in [&["--version"][..], &["check", "--", "git status"]] {
        let mut times: Vec<Duration> = Vec::with_capacity(STARTS);
        for _ in 0..STARTS {
            times.push(start(program, arguments)?);
        }
        times.sort();
        let median = times.get(STARTS / 2).copied().unwrap_or_default();
        println!(
            "start-up   {:.2} ms  ringfence {}",
            median.as_secs_f64() * 1e3,
            arguments.join(" ")
        );
    }
    Ok(())
}

fn start(program: &Path, arguments: &[&str]) -> Result<Duration, Failure> {
    let before = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(_) => Ok(before.elapsed()),
        Err(error) => Err(Failure(format!("{} could not start: {error}", program.display()))),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a size for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / (1024.0 * 1024.0)
}
