//! Running other programs, one step at a time, with their output where a reader finds it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::{Failure, Outcome};

/// One program to run, with the heading under which it runs.
#[derive(Debug)]
pub(crate) struct Step {
    title: String,
    command: Command,
}

impl Step {
    /// A run of cargo in the repository's root.
    ///
    /// Where nobody will build a second time, cargo keeps nothing for that: it would be half of
    /// what the gate writes to the disk.
    pub(crate) fn cargo<S: AsRef<OsStr>>(
        root: &Path,
        title: impl Into<String>,
        arguments: impl IntoIterator<Item = S>,
    ) -> Step {
        let mut command = Command::new(cargo());
        command.args(arguments).current_dir(root);
        if env::var_os("CI").is_some() {
            command.env("CARGO_INCREMENTAL", "0");
        }
        Step { title: title.into(), command }
    }

    /// The same step with a variable set.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Step {
        self.command.env(name, value);
        self
    }

    /// Runs the step under its heading; the failure names the step.
    ///
    /// Everything goes to standard output in the order in which it was said: cargo and nextest
    /// talk on standard error, and a log of one stream alone would lack their closing lines.
    pub(crate) fn run(mut self) -> Outcome {
        println!("\n== {}", self.title);
        let start = Instant::now();
        let status = self.command.stderr(Stdio::from(io::stdout())).status();
        self.ended(start, status)
    }

    /// The same; each line also goes to `on_line` once the program has ended.
    pub(crate) fn run_watched(mut self, mut on_line: impl FnMut(&str)) -> Outcome {
        println!("\n== {}", self.title);
        if io::stdout().is_terminal() {
            self.command.env("CARGO_TERM_COLOR", "always");
        }
        let start = Instant::now();
        let status = watch(&mut self.command).map(|(status, lines)| {
            lines.iter().for_each(|line| on_line(line));
            status
        });
        self.ended(start, status)
    }

    fn ended(&self, start: Instant, status: io::Result<ExitStatus>) -> Outcome {
        match status {
            Ok(status) if status.success() => {
                println!("-- {}: {:.1} s", self.title, start.elapsed().as_secs_f64());
                Ok(())
            }
            Ok(status) => Err(Failure(format!("{}: {status}", self.title))),
            Err(error) => Err(Failure(format!("{}: could not start: {error}", self.title))),
        }
    }
}

/// How long output is waited for after a program has ended: something that it left behind may keep
/// the pipe open for ever.
const GRACE: Duration = Duration::from_secs(2);

/// Runs a program, prints its output and its errors as they come, and returns their lines.
fn watch(command: &mut Command) -> io::Result<(ExitStatus, Vec<String>)> {
    let (reader, writer) = io::pipe()?;
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The command keeps its ends of the pipe, and the reader would wait for them.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            let mut out = io::stdout().lock();
            let _ = out.write_all(&line).and_then(|()| out.write_all(b"\n"));
            let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
        }
    });
    let status = child.wait()?;
    let mut lines = Vec::new();
    while let Ok(line) = receiver.recv_timeout(GRACE) {
        lines.push(line);
    }
    Ok((status, lines))
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

/// Whether a program starts and ends well, its output unseen: for asking whether it is there.
pub(crate) fn works(program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Installs a package of Debian, where that can be done.
pub(crate) fn install_package(package: &str) -> bool {
    println!("installing {package}");
    let installs = || works("apt-get", &["install", "-y", "--no-install-recommends", package]);
    installs() || (works("apt-get", &["update"]) && installs())
}

/// The product's target directory, for the workspaces beside it too: most of what they build is
/// the same.
pub(crate) fn target_dir(root: &Path) -> OsString {
    env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| root.join("target").into_os_string())
}

/// What cargo prints on standard output when run in the root with these arguments.
pub(crate) fn cargo_output(root: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let asked = format!("cargo {}", arguments.join(" "));
    let output = Command::new(cargo())
        .args(arguments)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure(format!("`{asked}` could not start: {error}")))?;
    if !output.status.success() {
        return Err(Failure(format!("`{asked}`: {}", output.status)));
    }
    String::from_utf8(output.stdout).map_err(|_| Failure(format!("`{asked}` printed no UTF-8")))
}

#[cfg(test)]
#[path = "step_tests.rs"]
mod tests;
