//! The inputs with which a command of a session is started.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use ringfence_core::bytes::{ByteReader, ByteWriter};

use super::bounds::Bounds;
use crate::relay::Hold;

/// The inputs with which a command of a session is started, apart from its three streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file to execute.
    pub program: PathBuf,
    /// Its arguments, `argv[0]` included.
    pub argv: Vec<OsString>,
    /// Its environment, as `NAME=value`.
    pub variables: Vec<OsString>,
    /// The working directory, as a path: the command changes to it inside, where rules hold.
    pub cwd: PathBuf,
    /// The file mode creation mask.
    pub umask: u32,
    /// Which stream is the terminal of the command.
    pub terminal: EntryTerminal,
    /// The limits and the priority of the caller.
    pub bounds: Bounds,
}

/// Which of the three streams becomes the controlling terminal of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EntryTerminal {
    /// None of them.
    #[default]
    None,
    /// The stream with this number; the command is in the foreground from the first.
    InFront(u8),
    /// The stream with this number; the command comes to the foreground when it wants to read.
    OnDemand(u8),
}

impl EntryTerminal {
    /// Returns the number of the stream.
    pub fn stream(self) -> Option<u8> {
        match self {
            EntryTerminal::None => None,
            EntryTerminal::InFront(own) | EntryTerminal::OnDemand(own) => Some(own),
        }
    }
}

impl From<Hold> for EntryTerminal {
    fn from(hold: Hold) -> EntryTerminal {
        let number = |own: i32| u8::try_from(own).unwrap_or(0);
        match hold {
            Hold::InFront(own) => EntryTerminal::InFront(number(own)),
            Hold::OnDemand(own) => EntryTerminal::OnDemand(number(own)),
            Hold::Nothing => EntryTerminal::None,
        }
    }
}

impl Entry {
    /// Writes the entry as bytes.
    pub fn pack(&self, to: &mut ByteWriter) {
        to.text(self.program.as_os_str().as_bytes());
        to.each(&self.argv, |to, own| to.text(own.as_bytes()));
        to.each(&self.variables, |to, own| to.text(own.as_bytes()));
        to.text(self.cwd.as_os_str().as_bytes());
        to.number(self.umask.into());
        let (kind, stream) = match self.terminal {
            EntryTerminal::None => (0, 0),
            EntryTerminal::InFront(own) => (1, own),
            EntryTerminal::OnDemand(own) => (2, own),
        };
        to.number(kind);
        to.number(stream.into());
        self.bounds.pack(to);
    }

    /// Reads an entry; `None` where the bytes are none.
    pub fn unpack(from: &mut ByteReader<'_>) -> Option<Entry> {
        let own = |from: &mut ByteReader<'_>| Some(OsString::from_vec(from.bytes()?.to_vec()));
        let program = own(from)?.into();
        let argv = from.each(own)?;
        let variables = from.each(own)?;
        let cwd = own(from)?.into();
        let umask = from.small()?;
        let kind = from.number()?;
        let stream: u8 = from.small::<u8>().filter(|own| *own <= 2)?;
        let terminal = match kind {
            0 => EntryTerminal::None,
            1 => EntryTerminal::InFront(stream),
            2 => EntryTerminal::OnDemand(stream),
            _ => return None,
        };
        let bounds = Bounds::unpack(from)?;
        Some(Entry { program, argv, variables, cwd, umask, terminal, bounds })
    }

    /// Returns whether no text has a NUL in it, which the kernel could not be given.
    pub(crate) fn is_plain(&self) -> bool {
        let mut all = self.argv.iter().chain(&self.variables).map(OsString::as_os_str);
        let paths = [&self.program, &self.cwd].map(|own| own.as_os_str());
        let has_nul = |own: &OsStr| own.as_bytes().contains(&0);
        !all.any(has_nul) && !paths.into_iter().any(has_nul)
    }
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
