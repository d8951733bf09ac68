//! A question at a terminal, and what is typed.

use std::fs::File;
use std::io::{self, Read, Write};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcflush};

/// How long it takes to see that there is a question: what is typed before is no answer.
const TO_NOTICE: Duration = Duration::from_millis(400);
/// How often it is looked whether the question still waits.
const LOOK_AGAIN: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
/// The longest answer that is read.
const LONGEST: usize = 64;

/// The answer that a person chose; a number names a scope as it was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// No.
    No,
    /// This once.
    Once,
    /// Until the run ends.
    Session(Option<usize>),
    /// From now on.
    Always(Option<usize>),
    /// From now on, in this project.
    Here(Option<usize>),
    /// No, from now on.
    Never(Option<usize>),
}

impl Choice {
    /// Returns what was meant by a line; anything but a clear yes is a no.
    pub(super) fn of(line: &str) -> Choice {
        let line = line.trim().to_ascii_lowercase();
        let end = line.find(|c: char| c.is_ascii_digit()).unwrap_or(line.len());
        let (word, number) = line.split_at_checked(end).unwrap_or_default();
        let number = match number {
            "" => None,
            number => match number.parse::<usize>() {
                Ok(number) if number > 0 => Some(number),
                _ => return Choice::No,
            },
        };
        match (word.trim(), number) {
            ("y" | "yes", None) => Choice::Once,
            ("s" | "session", number) => Choice::Session(number),
            ("a" | "always", number) => Choice::Always(number),
            ("p" | "project", number) => Choice::Here(number),
            ("d" | "deny" | "never", number) => Choice::Never(number),
            _ => Choice::No,
        }
    }
}

/// Asks at a terminal; none where the question no longer waits.
pub(crate) fn ask(
    terminal: &File,
    lines: &[String],
    waits: impl Fn() -> bool,
) -> io::Result<Option<Choice>> {
    let mut out = terminal;
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        text.push_str(if number == 0 { "ringfence: " } else { "  " });
        text.push_str(line);
        text.push('\n');
    }
    text.push_str(
        "  [y] this once  [s] until the run ends  [a] always  [p] always in this project\n  \
         [d] never  [N] no; a number behind the letter chooses the scope, as in s2: ",
    );
    out.write_all(text.as_bytes())?;
    std::thread::sleep(TO_NOTICE);
    tcflush(terminal, QueueSelector::IFlush)?;
    loop {
        let mut fds = [PollFd::new(terminal, PollFlags::IN)];
        match poll(&mut fds, Some(&LOOK_AGAIN)) {
            Ok(0) | Err(rustix::io::Errno::INTR) if waits() => {}
            Ok(0) | Err(rustix::io::Errno::INTR) => {
                out.write_all(b"\nringfence: the question is settled, or its time was over\n")?;
                return Ok(None);
            }
            Ok(_) => return line(terminal).map(|line| Some(Choice::of(&line))),
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// What was typed. A terminal gives whole lines; a line that is too long is no answer.
fn line(mut terminal: &File) -> io::Result<String> {
    let mut bytes = [0; LONGEST];
    let length = terminal.read(&mut bytes)?;
    let typed = bytes.get(..length).unwrap_or_default();
    Ok(match typed.strip_suffix(b"\n") {
        Some(line) => String::from_utf8_lossy(line).into_owned(),
        None => String::new(),
    })
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
