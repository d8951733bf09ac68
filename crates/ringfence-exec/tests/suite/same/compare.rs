//! Compares what became of an access with what the guard said of it.

use std::fmt;
use std::fs;
use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_guard::Guard;

use super::access::{Access, Expected, Op, may, other_names, real};
use super::kernels;
use super::talk::Outcome;

/// Where the fence does not say what the guard says of the same words, as its documents state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// The names in a directory may be seen where something in it may be read.
    Listed,
    /// What a cover hides can neither be read nor changed.
    Covered,
    /// A file that is hidden is hidden under all its names.
    OtherName,
    /// A program that is none of the system's must be readable to be run.
    Unreadable,
    /// Settings in the home directory that may not be read are empty.
    Blank,
    /// Git tries on its settings whether permissions hold.
    Tried,
    /// A run makes repositories, and changes and removes those that it made.
    Repository,
    /// Trees that are granted apart are as file systems of their own: what moves is copied.
    Apart,
    /// Files of the kernel and devices that every run has, if no rule stands against them.
    Usual,
    /// Directories that a run has for itself: what lies there outside is not there.
    Private,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Listed => "names listed where files in it are judged by themselves",
            Class::Covered => "covered, so not written either",
            Class::OtherName => "hidden under another name",
            Class::Unreadable => "programs that cannot be read",
            Class::Blank => "found empty",
            Class::Tried => "permissions, times and attributes of git's settings",
            Class::Repository => "repositories by their own name",
            Class::Apart => "moved between trees that are granted apart",
            Class::Usual => "files that every run has",
            Class::Private => "files in directories that the run has for itself",
        })
    }
}

/// What came of a comparison.
#[derive(Debug)]
pub(super) struct Compared {
    pub(super) allowed: bool,
    pub(super) works_outside: bool,
    pub(super) class: Option<Class>,
    /// What is wrong, in words.
    pub(super) wrong: Option<String>,
}

/// Why the fence may be stricter or milder with an access than the guard.
pub(super) fn reasons(access: &Access, guard: &Guard) -> Vec<Class> {
    let deeds = access.deeds();
    if access.is_kernels() {
        return kernels::reasons(access, guard);
    }
    let mut classes = Vec::new();
    if access.op == Op::List && deeds.iter().any(|(_, path)| is_partly_read(guard, path)) {
        classes.push(Class::Listed);
    }
    let is_hidden = |path: &Path| is_hidden(guard, path);
    // By a name in a directory that is hidden, whatever it leads to.
    let used = access.words.iter().map(Path::new).filter(|path| path.is_absolute());
    let paths = deeds.iter().map(|(_, path)| path.as_path());
    if paths.chain(used).any(is_hidden) {
        classes.push(Class::Covered);
    }
    let mut others = deeds.iter().flat_map(|(_, path)| other_names(path));
    if others.any(|path| is_hidden(&path)) {
        classes.push(Class::OtherName);
    }
    let is_blank = |path: &Path| path.ends_with("home/.bashrc");
    if access.op == Op::Read && deeds.iter().any(|(_, path)| is_blank(path)) {
        classes.push(Class::Blank);
    }
    let is_tried = |path: &Path| {
        let beside = path.with_file_name("\u{fdd0}");
        path.ends_with(".git/config") && may(guard, FileOp::Write, &beside)
    };
    let is_about = matches!(access.op, Op::Chmod | Op::Utimes | Op::Attribute);
    if is_about && deeds.iter().any(|(_, path)| is_tried(path)) {
        classes.push(Class::Tried);
    }
    let is_repository = |path: &Path| {
        let beside = path.with_file_name("\u{fdd0}");
        path.ends_with(".git") && may(guard, FileOp::Write, &beside)
    };
    if deeds.iter().any(|(_, path)| is_repository(path)) {
        classes.push(Class::Repository);
    }
    let root = guard.context().root.as_ref().map(|root| Path::new(root.as_str()));
    let in_project = |path: &Path| root.is_some_and(|root| path.starts_with(root));
    let moves = matches!(access.op, Op::Rename | Op::Exchange | Op::Link);
    if moves && !deeds.iter().all(|(_, path)| in_project(path)) {
        classes.push(Class::Apart);
    }
    let program = (access.op == Op::Exec).then(|| real(Path::new(&access.words[0]), true));
    if program.is_some_and(|own| !own.starts_with("/usr") && !may(guard, FileOp::Read, &own)) {
        classes.push(Class::Unreadable);
    }
    classes
}

pub(super) fn compare(
    access: &Access,
    expected: Expected,
    (inside, outside): (&Outcome, &Outcome),
    reasons: &[Class],
) -> Compared {
    let allowed = expected == Expected::Allowed;
    let works_outside = outside.errno == 0;
    let mut compared = Compared { allowed, works_outside, class: None, wrong: None };
    let is_right = match expected {
        Expected::Allowed => is_same(access, inside, outside),
        Expected::Denied => is_refusal(access, inside.errno, works_outside),
    };
    if is_right {
        return compared;
    }
    let excuses = |class: &&Class| match class {
        Class::Listed => !allowed && inside == outside,
        Class::Tried | Class::Repository => !allowed && inside == outside,
        Class::Blank => !allowed && inside.errno == 0 && inside.got.is_empty(),
        // What lies in a hidden directory is not there, and a cover cannot be taken away.
        // Nobody listens behind one either.
        Class::Covered => {
            let unheard = access.op == Op::Socket && inside.errno == ECONNREFUSED;
            let fails_so = [ENOENT, EBUSY].contains(&inside.errno);
            let is_gone = if allowed { fails_so } else { inside.errno == ENOENT };
            unheard || is_refusal(access, inside.errno, !is_gone)
        }
        Class::Apart => allowed && inside.errno == EXDEV,
        Class::OtherName => allowed && is_refusal(access, inside.errno, inside.errno != EBUSY),
        Class::Unreadable => allowed && is_refusal(access, inside.errno, true),
        Class::Usual => !allowed && inside.errno == outside.errno,
        // A grant of everything does not bring the directories of others in.
        Class::Private => [ENOENT, ECONNREFUSED].contains(&inside.errno),
    };
    compared.class = reasons.iter().find(excuses).copied();
    if compared.class.is_none() {
        let text = format!("{expected:?}, but inside {inside:?} and outside {outside:?}");
        compared.wrong = Some(text);
    }
    compared
}

/// What a socket says of its own name is not compared: the broker binds it from another place.
fn is_same(access: &Access, inside: &Outcome, outside: &Outcome) -> bool {
    // What the kernel tells changes, and each process is told of itself.
    let says_same = || access.is_kernels() || access.op == Op::Bind || inside.got == outside.got;
    inside.errno == outside.errno && says_same()
}

const EPERM: i32 = 1;
const ENOENT: i32 = 2;
const EACCES: i32 = 13;
const EBUSY: i32 = 16;
const EXDEV: i32 = 18;
const EROFS: i32 = 30;
const ECONNREFUSED: i32 = 111;

/// Whether an error is a refusal; where it fails anyway, any error will do.
fn is_refusal(access: &Access, errno: i32, works_outside: bool) -> bool {
    // Where nothing may be changed at all, the kernel says that by itself.
    let plain = [EPERM, EACCES, EROFS].contains(&errno);
    let other = match access.op {
        // Nobody is there.
        Op::Connect | Op::Serve => errno == ECONNREFUSED,
        // It is not set.
        Op::Variable => errno == ENOENT,
        _ => false,
    };
    plain || other || (errno != 0 && !works_outside)
}

/// Whether something is covered, or lies in a directory in which nothing may be read.
fn is_hidden(guard: &Guard, path: &Path) -> bool {
    let reads = |path: &Path| may(guard, FileOp::Read, path);
    let is_closed = |above: &Path| above.is_dir() && !is_partly_read(guard, above);
    let is_there = path.exists() && !path.is_dir();
    // What lies above the tree, or elsewhere, is not hidden, and there is much of it.
    let base = Path::new(guard.context().home.as_str()).parent();
    let is_ours = |above: &&Path| base.is_some_and(|base| above.starts_with(base));
    let mut above = path.ancestors().take_while(is_ours);
    (is_there && !reads(path)) || above.any(is_closed)
}

/// Whether something in a directory may be read, be it there or not.
fn is_partly_read(guard: &Guard, directory: &Path) -> bool {
    let reads = |path: &Path| may(guard, FileOp::Read, path);
    reads(&directory.join("\u{fdd0}"))
        || reads(&directory.join("\u{fdd0}/\u{fdd0}"))
        || fs::read_dir(directory).into_iter().flatten().flatten().any(|entry| {
            let path = entry.path();
            // A link may lead upwards, and then there is no end.
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            reads(&path) || (is_directory && is_partly_read(guard, &path))
        })
}
