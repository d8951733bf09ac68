//! Identifies the exact call that an answer is bound to.

use std::io::Read;
use std::path::{Path, PathBuf};

use ringfence_guard::world::{Links, open_file};
use ringfence_sandbox::gate::Started;
use sha2::{Digest, Sha256};

/// The maximum size of a script that an answer can be bound to; for a larger one the answer is
/// always no.
const LONGEST: u64 = 256 * 1024 * 1024;
/// The size of one read.
const PART: usize = 64 * 1024;

/// The exact call behind a question.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExactCall {
    text: String,
    script: Option<(PathBuf, Option<[u8; 32]>)>,
}

impl ExactCall {
    /// Collects the directory, file, argv, changed variables and, for a script, its content.
    pub(crate) fn of(started: &Started) -> ExactCall {
        let script = started.interpreter.is_some().then(|| started.file.clone());
        let script = script.map(|file| (file.clone(), content(&file)));
        let text = format!(
            "{:?} {:?} {:?} {:?} {:?}",
            started.cwd,
            started.file,
            started.argv,
            started.changed,
            script.as_ref().map(|(_, content)| content)
        );
        ExactCall { text, script }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the script's content is unchanged since the question.
    pub(crate) fn still_holds(&self) -> bool {
        self.script
            .as_ref()
            .is_none_or(|(file, before)| before.is_some() && content(file) == *before)
    }
}

/// Returns the SHA-256 of a file, or `None` if it cannot be read, is not a regular file, or is too
/// large. The file may have been replaced, even by a FIFO, since it was checked.
pub(crate) fn content(path: &Path) -> Option<[u8; 32]> {
    let mut file = open_file(path, Links::Followed).ok()?.take(LONGEST);
    let (mut hash, mut part) = (Sha256::new(), vec![0; PART]);
    loop {
        match file.read(&mut part).ok()? {
            0 => break,
            length => hash.update(part.get(..length)?),
        }
    }
    (file.limit() > 0).then(|| hash.finalize().into())
}

#[cfg(test)]
#[path = "exact_call_tests.rs"]
mod tests;
