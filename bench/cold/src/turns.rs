//! Programs that run in turns, each from its start to its end.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A program with its arguments.
pub struct Program<'a> {
    /// The name in the table.
    pub name: &'static str,
    /// The file.
    pub file: PathBuf,
    /// Its arguments.
    pub arguments: &'a [&'a str],
}

/// What each program took in each round, in microseconds.
pub fn take_turns<const N: usize>(
    programs: &[Program<'_>; N],
    rounds: usize,
    directory: &Path,
) -> Result<[Vec<f64>; N], Box<dyn Error>> {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (program, times) in programs.iter().zip(&mut times) {
            times.push(run(program, directory)?);
        }
    }
    Ok(times)
}

/// Runs the program once, unmeasured; the error has what it said.
pub fn rehearse(program: &Program<'_>, directory: &Path) -> Result<(), Box<dyn Error>> {
    let output = command(program, directory).output()?;
    if output.status.success() && !output.stdout.is_empty() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}: {}: {}", program.name, output.status, said.trim_end()).into())
}

/// Microseconds from spawning to reaping.
fn run(program: &Program<'_>, directory: &Path) -> Result<f64, Box<dyn Error>> {
    let mut command = command(program, directory);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.spawn()?.wait()?;
    let taken = start.elapsed();
    if !status.success() {
        return Err(format!("{}: {status}", program.name).into());
    }
    Ok(taken.as_secs_f64() * 1e6)
}

/// The program in a directory that is also its home, with a small environment.
fn command(program: &Program<'_>, directory: &Path) -> Command {
    let mut command = Command::new(&program.file);
    command
        .args(program.arguments)
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory)
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .stdin(Stdio::null());
    command
}
