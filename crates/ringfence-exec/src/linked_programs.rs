//! Matches programs that are reached through symlinks.
//!
//! Grants know a program by its name, if a PATH lookup finds it where the agent cannot write. A
//! project may contain symlinks to such programs: `.venv/bin/python` is the system's python. The
//! exec gate knows which file will run and checks it again, so it may follow the link.
//!
//! With a version manager (pyenv, rbenv, asdf, mise), the PATH lookup finds a shim script that
//! starts one version, and the project's symlinks lead to that version directly.

use std::fs;
use std::path::{Path, PathBuf};

use ringfence_core::access::Exec;
use ringfence_core::path::AbsPath;
use ringfence_guard::Guard;
use ringfence_sandbox::gate::Started;

use crate::lookup_cache::LookupCache;

/// The maximum number of symlinks from a name to the file.
const MOST_LINKS: usize = 8;

/// A program in `PATH` under whose name rules may match another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownProgram {
    /// The path that the PATH lookup finds.
    pub(crate) path: AbsPath,
    /// The shim at that path, if it is another file than the one that runs.
    pub(crate) shim: Option<PathBuf>,
}

/// Finds the started file in `PATH` under the requested name, or under the name of a symlink on the
/// way to the file. argv[0] must be one of these names, because some programs act by it.
pub(crate) fn find_by_symlink(
    guard: &Guard,
    seen: &LookupCache,
    started: &Started,
) -> Option<KnownProgram> {
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
        is_known.then_some(KnownProgram { path, shim: is_shim.then_some(real) })
    })
}

/// Git's directory for subcommands, which also contains another copy of git that its scripts find
/// first.
const GIT_CORE: &str = "git-core";

/// Programs that rustup stands for: called by one of these names, rustup only starts the same
/// program of a toolchain.
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

/// Returns the program in `PATH` that the started file belongs to: git for its copy next to the
/// subcommands, rustup for a toolchain's program. The run must not be able to change the file; for
/// the program in `PATH`, the guard checks that.
pub(crate) fn find_private_copy(
    guard: &Guard,
    seen: &LookupCache,
    started: &Started,
) -> Option<KnownProgram> {
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
    is_known.then_some(KnownProgram { path, shim: Some(real) })
}

/// Returns whether a directory is `toolchains/NAME/bin`.
fn is_in_a_toolchain(directory: &Path) -> bool {
    let above = directory.parent().and_then(Path::parent);
    directory.ends_with("bin") && above.is_some_and(|own| own.ends_with("toolchains"))
}

/// Returns whether the program that a PATH lookup finds is rustup under another name.
pub(crate) fn is_proxy_of_rustup(exec: &Exec) -> bool {
    let program = &exec.program;
    let is_rustup = program.file.as_ref().is_some_and(|file| file.file_name() == "rustup");
    is_rustup && program.known_as.as_deref().is_some_and(|name| PROXIES.contains(&name))
}

/// The directories in which version managers keep versions, next to their shims.
const VERSIONS: [&str; 2] = ["versions", "installs"];

/// Returns whether a version manager's shim stands for a file: one of the manager's versions, with
/// the same name except for a version number.
fn stands_for(shim: &Path, file: &Path) -> bool {
    let root = shim.parent().filter(|own| own.ends_with("shims")).and_then(Path::parent);
    let Some(inside) = root.and_then(|root| file.strip_prefix(root).ok()) else { return false };
    let is_version = VERSIONS.iter().any(|versions| inside.starts_with(versions));
    let is_program = inside.parent().is_some_and(|own| own.ends_with("bin"));
    is_version && is_program && base(shim).is_some() && base(shim) == base(file)
}

/// Returns a program's name without its version number.
fn base(file: &Path) -> Option<&str> {
    let name = file.file_name()?.to_str()?;
    let base = name.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    Some(base).filter(|base| !base.is_empty())
}

/// Returns the name of a program, and of every symlink on the way to its file.
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
#[path = "linked_programs_tests.rs"]
mod tests;
