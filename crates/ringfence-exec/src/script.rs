//! What an answer is bound to beside the words that a person read.

use std::io::Read;
use std::path::{Path, PathBuf};

use ringfence_guard::world::{Links, open_file};
use ringfence_sandbox::gate::Started;
use sha2::{Digest, Sha256};

/// The longest script to which an answer can be bound; for a longer one every answer is a no.
const LONGEST: u64 = 256 * 1024 * 1024;
/// How much is read at once.
const PART: usize = 64 * 1024;

/// The exact call behind a question.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exact {
    text: String,
    script: Option<(PathBuf, Option<[u8; 32]>)>,
}

impl Exact {
    /// Directory, file, words, variables, and the content where the program is a script.
    pub(crate) fn of(started: &Started) -> Exact {
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
        Exact { text, script }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the script is still what it was when the question was put.
    pub(crate) fn still_holds(&self) -> bool {
        self.script
            .as_ref()
            .is_none_or(|(file, before)| before.is_some() && content(file) == *before)
    }
}

/// A fingerprint of a file; none where it cannot be read, is no file or is too long. Another
/// file, or a pipe, may have been put there since it was looked at.
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
#[path = "script_tests.rs"]
mod tests;
