//! Programs that run in turns, each from its start to its end.

use std::error::Error;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// A program with its arguments.
#[derive(Debug, Clone)]
pub struct Program {
    /// The name in the table.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Its home directory.
    pub home: PathBuf,
    /// A file that it reads; nothing where there is none.
    pub input: Option<PathBuf>,
    /// The environment variables that it has besides `HOME` and `PATH`.
    pub variables: Vec<(&'static str, &'static str)>,
    /// A file that its output goes to, anew in every round.
    pub output: PathBuf,
    /// The statuses with which it may end.
    pub statuses: Vec<i32>,
}

/// What one program took, in microseconds, one figure per round.
#[derive(Debug, Default, Clone)]
pub struct Times {
    /// From spawning to reaping.
    pub elapsed: Vec<f64>,
    /// The processor's time, in the program and in the kernel; other programs do not add to it.
    pub processor: Vec<f64>,
}

/// What each program took in each round.
pub fn take_turns(programs: &[Program], rounds: usize) -> Result<Vec<Times>, Box<dyn Error>> {
    let mut times = vec![Times::default(); programs.len()];
    for _ in 0..rounds {
        for (program, times) in programs.iter().zip(&mut times) {
            run(program, times)?;
        }
    }
    Ok(times)
}

/// Runs the program once, unmeasured; what it printed. The error has what it said.
pub fn rehearse(program: &Program) -> Result<String, Box<dyn Error>> {
    let output = command(program)?.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    check(program, output.status).map_err(|error| format!("{error}: {}", said.trim_end()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the program once and notes what it took.
fn run(program: &Program, times: &mut Times) -> Result<(), Box<dyn Error>> {
    let mut command = command(program)?;
    // No pipe, which someone would have to empty meanwhile; and not `/dev/null`, for which some
    // programs leave out their work.
    command.stdout(File::create(&program.output)?).stderr(Stdio::null());
    let before = processor_time()?;
    let start = Instant::now();
    let status = command.spawn()?.wait()?;
    times.elapsed.push(start.elapsed().as_secs_f64() * 1e6);
    times.processor.push(processor_time()? - before);
    Ok(check(program, status)?)
}

fn check(program: &Program, status: ExitStatus) -> Result<(), String> {
    match status.code() {
        Some(code) if program.statuses.contains(&code) => Ok(()),
        _ => Err(format!("{}: {status}", program.name)),
    }
}

impl Program {
    /// What it printed in its last round.
    pub fn printed(&self) -> Result<String, Box<dyn Error>> {
        Ok(fs::read_to_string(&self.output)?)
    }
}

/// The processor's time in microseconds, over all programs that were run and reaped so far.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64)
}

/// The program with a small environment.
fn command(program: &Program) -> Result<Command, Box<dyn Error>> {
    let input = match &program.input {
        Some(file) => Stdio::from(File::open(file)?),
        None => Stdio::null(),
    };
    let mut command = Command::new(&program.file);
    command
        .args(&program.arguments)
        .current_dir(&program.directory)
        .env_clear()
        .env("HOME", &program.home)
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .envs(program.variables.iter().copied())
        .stdin(input);
    Ok(command)
}
