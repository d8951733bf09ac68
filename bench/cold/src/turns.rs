//! Programs that run in turns, each from its start to its end.

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// A program with its arguments.
pub struct Program<'a> {
    /// The name in the table.
    pub name: &'static str,
    /// The file.
    pub file: PathBuf,
    /// Its arguments.
    pub arguments: &'a [&'a str],
    /// What it reads; nothing where there is none.
    pub input: Option<&'a Path>,
}

/// What one program took, in microseconds, one figure per round.
#[derive(Default)]
pub struct Times {
    /// From spawning to reaping.
    pub elapsed: Vec<f64>,
    /// The processor's time, in the program and in the kernel; other programs do not add to it.
    pub processor: Vec<f64>,
}

/// What each program took in each round.
pub fn take_turns<const N: usize>(
    programs: &[Program<'_>; N],
    rounds: usize,
    directory: &Path,
) -> Result<[Times; N], Box<dyn Error>> {
    let mut times = std::array::from_fn(|_| Times::default());
    for _ in 0..rounds {
        for (program, times) in programs.iter().zip(&mut times) {
            run(program, directory, times)?;
        }
    }
    Ok(times)
}

/// Runs the program once, unmeasured; the error has what it said.
pub fn rehearse(program: &Program<'_>, directory: &Path) -> Result<(), Box<dyn Error>> {
    let output = command(program, directory)?.output()?;
    if output.status.success() && !output.stdout.is_empty() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}: {}: {}", program.name, output.status, said.trim_end()).into())
}

/// Runs the program once and notes what it took.
fn run(program: &Program<'_>, directory: &Path, times: &mut Times) -> Result<(), Box<dyn Error>> {
    let mut command = command(program, directory)?;
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let before = processor_time()?;
    let start = Instant::now();
    let status = command.spawn()?.wait()?;
    times.elapsed.push(start.elapsed().as_secs_f64() * 1e6);
    times.processor.push(processor_time()? - before);
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", program.name).into()) }
}

/// The processor's time in microseconds, over all programs that were run and reaped so far.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64)
}

/// The program in a directory that is also its home, with a small environment.
fn command(program: &Program<'_>, directory: &Path) -> Result<Command, Box<dyn Error>> {
    let input = match program.input {
        Some(file) => Stdio::from(File::open(file)?),
        None => Stdio::null(),
    };
    let mut command = Command::new(&program.file);
    command
        .args(program.arguments)
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory)
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .stdin(input);
    Ok(command)
}
