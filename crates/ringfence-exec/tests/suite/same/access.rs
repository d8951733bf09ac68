//! Accesses: their operations, the files they affect, and the guard's verdicts.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ringfence_core::access::{Extent, FileAccess, FileOp};
use ringfence_core::path::FilePath;
use ringfence_core::{AccessKind, Effect, Effects, Ground};
use ringfence_guard::{Action, Call, Guard};

use crate::suite::place::absolute;

/// The kinds of access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Op {
    Read,
    List,
    Write,
    Update,
    Cut,
    Truncate,
    Create,
    Touch,
    Temporary,
    Mkdir,
    Mkfifo,
    Rmdir,
    Unlink,
    Rename,
    Exchange,
    Link,
    Symlink,
    Chmod,
    Utimes,
    Attribute,
    Bind,
    Socket,
    Connect,
    Serve,
    Variable,
    Exec,
}

/// An access: an operation and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) op: Op,
    pub(super) words: Vec<String>,
}

/// The expected outcome of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Allowed,
    Denied,
}

impl Access {
    /// Returns the line that the test agent reads.
    pub(super) fn line(&self) -> String {
        let name = format!("{:?}", self.op).to_lowercase();
        let words = match self.op {
            // The file, then its argv, which starts with the file.
            Op::Exec => [&self.words[..1], &self.words].concat(),
            _ => self.words.clone(),
        };
        format!("{name}\t{}\n", words.join("\t"))
    }

    /// Returns the operations on files, by their real paths.
    pub(super) fn deeds(&self) -> Vec<(FileOp, PathBuf)> {
        use FileOp::{Delete, Read, Write};
        let path = |at: usize| PathBuf::from(&self.words[at]);
        // `/proc/self` is another process here.
        let is_own = |at: usize| path(at).starts_with("/proc");
        let itself = |at| if is_own(at) { path(at) } else { real(&path(at), false) };
        let followed = |at| if is_own(at) { path(at) } else { real(&path(at), true) };
        let mut deeds = match self.op {
            Op::Read | Op::List => vec![(Read, followed(0))],
            Op::Update => vec![(Read, followed(0)), (Write, followed(0))],
            Op::Write | Op::Cut | Op::Truncate | Op::Chmod | Op::Utimes | Op::Attribute => {
                vec![(Write, followed(0))]
            }
            Op::Touch => vec![(Write, followed(0))],
            Op::Create | Op::Mkdir | Op::Mkfifo | Op::Bind => vec![(Write, itself(0))],
            Op::Temporary | Op::Symlink => vec![(Write, itself(1))],
            Op::Rmdir | Op::Unlink => vec![(Delete, itself(0))],
            Op::Link => vec![(Read, itself(0)), (Write, itself(0)), (Write, itself(1))],
            Op::Rename | Op::Exchange => moved(&itself(0), &itself(1)),
            Op::Socket | Op::Connect | Op::Serve | Op::Variable | Op::Exec => Vec::new(),
        };
        if self.op == Op::Exchange {
            deeds.extend(moved(&itself(1), &itself(0)));
        }
        deeds
    }

    /// Returns the paths that are created, removed or opened, or that are symlinks on the way.
    pub(super) fn touches(&self) -> Vec<PathBuf> {
        let named = self.words.iter().map(PathBuf::from).filter(|path| path.is_absolute());
        let named = named.filter(|path| self.op != Op::Exec || !path.starts_with("/usr"));
        let named = named.filter(|path| self.op != Op::Exec || !path.starts_with("/bin"));
        // A symlink on the way has a name too, which other accesses may change.
        let named = named.flat_map(|path| [real(&path, false), path]);
        let mut all: Vec<PathBuf> =
            self.deeds().into_iter().map(|(_, path)| path).chain(named).collect();
        let others: Vec<PathBuf> = all.iter().flat_map(|path| other_names(path)).collect();
        all.extend(others);
        all
    }

    /// Returns whether the access is to a file outside the test tree.
    pub(super) fn is_kernels(&self) -> bool {
        self.words.iter().any(|word| super::kernels::is_outside(Path::new(word)))
    }

    /// Returns whether other accesses notice this one.
    pub(super) fn is_felt(&self) -> bool {
        self.deeds().iter().any(|(op, _)| *op != FileOp::Read)
    }

    /// Returns the outcome that the guard predicts.
    pub(super) fn decide(&self, guard: &Guard) -> Expected {
        let word = || self.words[0].clone();
        let call = |action| guard.consider(&Call::new(action)).verdict;
        let verdict = match self.op {
            Op::Exec => call(Action::Argv { argv: self.words.clone(), env: Vec::new() }),
            Op::Connect => {
                let endpoint = format!("127.0.0.1:{}", self.words[0]);
                call(Action::Connect { endpoint, ip: None, sni: None, host: None })
            }
            Op::Serve => call(Action::Access { text: format!("listen:{}", self.words[0]) }),
            Op::Socket => call(Action::Access { text: format!("sock:{}", self.words[0]) }),
            Op::Variable => {
                let verdict = call(Action::SetEnv { name: word() });
                let denied =
                    |ground: &Ground| matches!(ground, Ground::Rule(_) | Ground::Danger(_));
                // Variables that every program expects are removed only if a rule says so.
                let is_usual = ["HOME", "LANG", "TZ"].contains(&self.words[0].as_str());
                if is_usual && !verdict.decisive().any(denied) {
                    return Expected::Allowed;
                }
                verdict
            }
            _ => {
                let mut effects = Effects::default();
                let all = self.deeds();
                effects.accesses.extend(all.iter().map(|(op, path)| file(*op, path)));
                guard.consider_effects(effects).verdict
            }
        };
        match verdict.effect {
            Effect::Allow => Expected::Allowed,
            Effect::Ask | Effect::Deny => Expected::Denied,
        }
    }
}

/// Returns whether the guard allows an operation on one file.
pub(super) fn may(guard: &Guard, op: FileOp, path: &Path) -> bool {
    let mut effects = Effects::default();
    effects.accesses.push(file(op, path));
    guard.consider_effects(effects).verdict.effect == Effect::Allow
}

fn file(op: FileOp, path: &Path) -> ringfence_core::Access {
    let path = FilePath::named(absolute(path));
    ringfence_core::Access::new(AccessKind::File(FileAccess { op, extent: Extent::One, path }))
}

/// Returns the operations of moving a directory, including everything in it.
fn moved(from: &Path, to: &Path) -> Vec<(FileOp, PathBuf)> {
    let own = |from: &Path, to: &Path| {
        let (from, to) = (from.to_owned(), to.to_owned());
        [(FileOp::Read, from.clone()), (FileOp::Delete, from), (FileOp::Write, to)]
    };
    let mut deeds = own(from, to).to_vec();
    if fs::symlink_metadata(from).is_ok_and(|about| about.is_dir()) {
        for entry in fs::read_dir(from).unwrap() {
            let name = entry.unwrap().file_name();
            deeds.extend(moved(&from.join(&name), &to.join(&name)));
        }
    }
    deeds
}

/// Returns the real path.
pub(super) fn real(path: &Path, follow: bool) -> PathBuf {
    if follow && let Ok(real) = path.canonicalize() {
        return real;
    }
    let (parent, name) = (path.parent().unwrap(), path.file_name().unwrap());
    let place = parent.canonicalize().unwrap_or_else(|_| parent.to_owned()).join(name);
    match fs::read_link(&place) {
        // The symlink is dangling; its target can be created.
        Ok(target) if follow => real(&place.parent().unwrap().join(target), false),
        _ => place,
    }
}

/// Returns the file's other names: each project has them in one directory.
pub(super) fn other_names(path: &Path) -> Vec<PathBuf> {
    let Ok(about) = fs::symlink_metadata(path) else { return Vec::new() };
    if !about.is_file() || about.nlink() < 2 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for project in path.ancestors().skip(1).take(2) {
        let names = ["out/hard-key", "out/hard-a", "secret/key", "a.txt"];
        found.extend(names.map(|name| project.join(name)).into_iter().filter(|other| {
            other != path && fs::symlink_metadata(other).is_ok_and(|own| own.ino() == about.ino())
        }));
    }
    found
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.line().trim_end())
    }
}
