//! Programs that are reached by links.
//!
//! A rule knows a program by its name where `PATH` finds it, out of the agent's reach. A project
//! may have links to such programs: `.venv/bin/python` is the system's python. The gate knows
//! which file will run, and looks again before it does, so here a link may be followed.

use std::fs;
use std::path::{Path, PathBuf};

use ringfence_core::path::AbsPath;
use ringfence_guard::Guard;
use ringfence_sandbox::gate::Started;

/// The most links from one name to the file.
const MOST_LINKS: usize = 8;

/// Where `PATH` finds the same file by a name that the program was asked for, or that a link on
/// the way has. What it is told to be called must be such a name too: some programs act by it.
pub(crate) fn known_elsewhere(guard: &Guard, started: &Started) -> Option<AbsPath> {
    let names = names(&started.cwd.join(&started.asked));
    let told = Path::new(started.argv.first()?).file_name()?.to_str()?.to_owned();
    let is_told = names.contains(&told);
    let mut found = names.iter().filter_map(|name| guard.find_program(name));
    let same =
        |found: &AbsPath| fs::canonicalize(found.as_str()).is_ok_and(|file| file == started.file);
    found.find(same).filter(|_| is_told && names.len() > 1)
}

/// The name of a program, and those of the links that it leads through.
fn names(asked: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = PathBuf::from(asked);
    for _ in 0..MOST_LINKS {
        let Some(name) = at.file_name().and_then(|name| name.to_str()) else { break };
        names.push(name.to_owned());
        let (Ok(target), Some(directory)) = (fs::read_link(&at), at.parent()) else { break };
        at = directory.join(target);
    }
    names
}
