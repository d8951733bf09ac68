//! Replaces this process's standard streams, which a run inherits.

use std::fs::File;
use std::io::{Read, pipe};
use std::os::fd::OwnedFd;
use std::thread::{self, JoinHandle};

/// The original streams. Dropping the value restores them.
pub(super) struct Streams {
    kept: [OwnedFd; 3],
}

impl Streams {
    /// Replaces stdin and stdout; stderr stays.
    pub(super) fn replaced(input: OwnedFd, output: OwnedFd) -> Streams {
        let complaints = rustix::stdio::stderr().try_clone_to_owned().unwrap();
        Streams::all(input, output, complaints)
    }

    /// Closes stdin, and collects stdout and stderr until the streams are restored.
    pub(super) fn silent() -> (Streams, JoinHandle<String>) {
        let (mut from, to) = pipe().unwrap();
        let input = OwnedFd::from(File::open("/dev/null").unwrap());
        let streams = Streams::all(input, to.try_clone().unwrap().into(), to.into());
        let said = thread::spawn(move || {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        (streams, said)
    }

    fn all(input: OwnedFd, output: OwnedFd, complaints: OwnedFd) -> Streams {
        use rustix::stdio::{stderr, stdin, stdout};
        let kept = [stdin(), stdout(), stderr()].map(|own| own.try_clone_to_owned().unwrap());
        put([&input, &output, &complaints]);
        Streams { kept }
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        put([&self.kept[0], &self.kept[1], &self.kept[2]]);
    }
}

fn put([input, output, complaints]: [&OwnedFd; 3]) {
    rustix::stdio::dup2_stdin(input).unwrap();
    rustix::stdio::dup2_stdout(output).unwrap();
    rustix::stdio::dup2_stderr(complaints).unwrap();
}
