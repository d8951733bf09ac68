//! Programs that are reached by links.
//!
//! A rule knows a program by its name where `PATH` finds it, out of the agent's reach. A project
//! may have links to such programs: `.venv/bin/python` is the system's python. The gate knows
//! which file will run, and looks again before it does, so here a link may be followed.
//!
//! Where a version manager is in use (pyenv, rbenv, asdf, mise), `PATH` finds a small script that
//! starts the program of one of its versions, and a project's links lead to that program itself.

use std::fs;
use std::path::{Path, PathBuf};

use ringfence_core::access::Exec;
use ringfence_core::path::AbsPath;
use ringfence_guard::Guard;
use ringfence_sandbox::gate::Started;

use crate::seen::Seen;

/// The most links from one name to the file.
const MOST_LINKS: usize = 8;

/// A program that a rule may know where `PATH` finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// Where that is.
    pub(crate) path: AbsPath,
    /// The script that lies there and stands for the program, if it is another file.
    pub(crate) shim: Option<PathBuf>,
}

/// Where `PATH` finds the same file by a name that the program was asked for, or that a link on
/// the way has. What it is told to be called must be such a name too: some programs act by it.
pub(crate) fn known_elsewhere(guard: &Guard, seen: &Seen, started: &Started) -> Option<Elsewhere> {
    let names = names(&started.cwd.join(&started.asked));
    let told = Path::new(started.argv.first()?).file_name()?.to_str()?.to_owned();
    if !names.contains(&told) || names.len() < 2 {
        return None;
    }
    let mut found = names.iter().filter_map(|name| guard.find_program(name));
    found.find_map(|path| {
        let real = fs::canonicalize(path.as_str()).ok()?;
        let is_shim = real != started.file;
        let stays = |file: &Path| file.to_str().is_some_and(|file| seen.stays(file));
        let is_known =
            !is_shim || stands_for(&real, &started.file) && stays(&real) && stays(&started.file);
        is_known.then_some(Elsewhere { path, shim: is_shim.then_some(real) })
    })
}

/// Where git keeps its subcommands, and a file that is git itself once more: its scripts find that first.
const GIT_CORE: &str = "git-core";

/// What rustup stands for in `PATH`: told one of these names it starts the program of a toolchain, and
/// does nothing else.
const PROXIES: [&str; 11] = [
    "cargo",
    "cargo-clippy",
    "cargo-fmt",
    "cargo-miri",
    "clippy-driver",
    "rust-analyzer",
    "rust-gdb",
    "rust-lldb",
    "rustc",
    "rustdoc",
    "rustfmt",
];

/// Where `PATH` finds a program, if the file is one that the program there has of its own: git beside
/// its subcommands, what rustup starts. The tree may not be able to change it; of what `PATH` finds the
/// guard sees to that.
pub(crate) fn file_of_its_own(guard: &Guard, seen: &Seen, started: &Started) -> Option<Elsewhere> {
    let name = started.file.file_name()?.to_str()?;
    let told = Path::new(started.argv.first()?).file_name()?;
    let directory = started.file.parent()?;
    let is_git = name == "git" && directory.ends_with(GIT_CORE);
    let is_rustups = PROXIES.contains(&name) && is_in_a_toolchain(directory);
    if told != name || !(is_git || is_rustups) {
        return None;
    }
    let path = guard.find_program(name)?;
    let real = fs::canonicalize(path.as_str()).ok()?;
    let is_known = real.file_name()? == if is_git { "git" } else { "rustup" };
    let file = AbsPath::new(started.file.to_str()?).ok()?;
    let is_known = is_known && (seen.stays(file.as_str()) || guard.is_out_of_reach(&file));
    is_known.then_some(Elsewhere { path, shim: Some(real) })
}

/// Whether this is `toolchains/NAME/bin`.
fn is_in_a_toolchain(directory: &Path) -> bool {
    let above = directory.parent().and_then(Path::parent);
    directory.ends_with("bin") && above.is_some_and(|own| own.ends_with("toolchains"))
}

/// Whether a program that `PATH` finds is rustup, told to be another.
pub(crate) fn is_proxy_of_rustup(exec: &Exec) -> bool {
    let program = &exec.program;
    let is_rustup = program.file.as_ref().is_some_and(|file| file.file_name() == "rustup");
    is_rustup && program.known_as.as_deref().is_some_and(|name| PROXIES.contains(&name))
}

/// Where version managers keep the versions of programs, beside their shims.
const VERSIONS: [&str; 2] = ["versions", "installs"];

/// Whether a version manager's script stands for a program: one of its versions, by the same name
/// but for the version.
fn stands_for(shim: &Path, file: &Path) -> bool {
    let root = shim.parent().filter(|own| own.ends_with("shims")).and_then(Path::parent);
    let Some(inside) = root.and_then(|root| file.strip_prefix(root).ok()) else { return false };
    let is_version = VERSIONS.iter().any(|versions| inside.starts_with(versions));
    let is_program = inside.parent().is_some_and(|own| own.ends_with("bin"));
    is_version && is_program && base(shim).is_some() && base(shim) == base(file)
}

/// The name of a program without its version.
fn base(file: &Path) -> Option<&str> {
    let name = file.file_name()?.to_str()?;
    let base = name.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    Some(base).filter(|base| !base.is_empty())
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

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
