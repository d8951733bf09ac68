//! Compares the outcome of an access with the guard's verdict.

use std::fmt;
use std::fs;
use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_guard::Guard;

use super::access::{Access, Expected, Op, may, other_names, real};
use super::kernels;
use super::talk::Outcome;

/// Documented differences between the fence and the guard's verdict on the same access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// A directory's names are visible if something in it may be read.
    Listed,
    /// A file under a cover mount can be neither read nor changed.
    Covered,
    /// A hidden file is hidden under all its names.
    OtherName,
    /// A program outside the system directories must be readable to run.
    Unreadable,
    /// Unreadable settings in the home directory appear empty.
    Blank,
    /// Git tests on its config whether permissions work.
    Tried,
    /// A run may create repositories, and change and remove those.
    Repository,
    /// Separately granted trees are separate file systems, so moves become copies.
    Apart,
    /// Kernel files and devices that every run has unless a rule objects.
    Usual,
    /// Private directories of a run, in which files from outside do not exist.
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

/// The result of a comparison.
#[derive(Debug)]
pub(super) struct Compared {
    pub(super) allowed: bool,
    pub(super) works_outside: bool,
    pub(super) class: Option<Class>,
    /// The difference in words, if there is one.
    pub(super) wrong: Option<String>,
}

/// Returns why the fence may be stricter or milder than the guard for an access.
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
    // The path may go through a hidden directory, whatever it leads to.
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
        // Files in a hidden directory do not exist inside, a cover cannot be removed, and no socket
        // behind one is served.
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
        // A grant of everything does not include the private directories of others.
        Class::Private => [ENOENT, ECONNREFUSED].contains(&inside.errno),
    };
    compared.class = reasons.iter().find(excuses).copied();
    if compared.class.is_none() {
        let text = format!("{expected:?}, but inside {inside:?} and outside {outside:?}");
        compared.wrong = Some(text);
    }
    compared
}

/// Compares the outcomes. The name that a socket reports is ignored, because the broker binds it
/// elsewhere.
fn is_same(access: &Access, inside: &Outcome, outside: &Outcome) -> bool {
    // Kernel files change, and differ between processes.
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

/// Returns whether an error number is a refusal. If the access fails outside too, any error is
/// accepted.
fn is_refusal(access: &Access, errno: i32, works_outside: bool) -> bool {
    // If nothing may be changed at all, the kernel itself reports these errors.
    let plain = [EPERM, EACCES, EROFS].contains(&errno);
    let other = match access.op {
        // No process listens.
        Op::Connect | Op::Serve => errno == ECONNREFUSED,
        // The variable is not set.
        Op::Variable => errno == ENOENT,
        _ => false,
    };
    plain || other || (errno != 0 && !works_outside)
}

/// Returns whether a path is covered, or lies in a directory in which nothing may be read.
fn is_hidden(guard: &Guard, path: &Path) -> bool {
    let reads = |path: &Path| may(guard, FileOp::Read, path);
    let is_closed = |above: &Path| above.is_dir() && !is_partly_read(guard, above);
    let is_there = path.exists() && !path.is_dir();
    // Directories above the tree and elsewhere are not hidden, and too large to check.
    let base = Path::new(guard.context().home.as_str()).parent();
    let is_ours = |above: &&Path| base.is_some_and(|base| above.starts_with(base));
    let mut above = path.ancestors().take_while(is_ours);
    (is_there && !reads(path)) || above.any(is_closed)
}

/// Returns whether something in a directory may be read, even if it does not exist.
fn is_partly_read(guard: &Guard, directory: &Path) -> bool {
    let reads = |path: &Path| may(guard, FileOp::Read, path);
    reads(&directory.join("\u{fdd0}"))
        || reads(&directory.join("\u{fdd0}/\u{fdd0}"))
        || fs::read_dir(directory).into_iter().flatten().flatten().any(|entry| {
            let path = entry.path();
            // Symlinks are skipped, because one to an ancestor would never end.
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            reads(&path) || (is_directory && is_partly_read(guard, &path))
        })
}
