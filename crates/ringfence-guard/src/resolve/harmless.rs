//! Facts about uses of dangerous programs: whether the reason of a danger entry applies.
//!
//! An entry of the danger list may name a use for which its reason does not apply. Whether a call is
//! such a use is found here, by every effect of the command; the judge decides by it. What is not
//! certain is no such use.
//!
//! Something may change between the check and the act. In a fence the gate asks again at the start of
//! each program, when all lines before it have run. A bare hook sees the whole line before any of it
//! runs; a line that itself changes what it deletes is therefore no harmless use.

use std::sync::Arc;

use ringfence_core::access::{Arg, Exec, Extent, FileAccess, FileOp, UnknownArg};
use ringfence_core::path::{AbsPath, EntryKind};
use ringfence_core::rule::HarmlessUse;
use ringfence_core::{Access, AccessKind};

use super::Surroundings;
use super::git_view::GitView;

/// Returns whether a command is a use of this kind. `all` are the accesses of the whole call, of
/// which `at` is the start of the command; the call has no doubts.
pub(crate) fn is_harmless(
    kind: &HarmlessUse,
    at: usize,
    all: &[Access],
    around: &Surroundings<'_>,
) -> bool {
    let Some(access) = all.get(at).filter(|access| !access.scope.elsewhere) else { return false };
    let AccessKind::Exec(exec) = &access.what else { return false };
    let Some(root) = &around.context.root else { return false };
    match kind {
        HarmlessUse::RecoverableDeletion => {
            names_deleted(exec) && is_recoverable(exec, at, all, root, around).unwrap_or(false)
        }
        HarmlessUse::OwnProcesses => {
            access.scope.enforcement.is_whole() || is_told(exec) && ends_jobs(exec)
        }
        HarmlessUse::ProjectProgram => is_told(exec) && makes_program(exec, all, root),
        // Values are looked at where they are set.
        HarmlessUse::InertValue(_) => false,
    }
}

/// Returns whether every word is known, or can only be an operand.
fn is_told(exec: &Exec) -> bool {
    exec.args.iter().all(|arg| match arg {
        Arg::Known(_) => true,
        Arg::Unknown(UnknownArg { operand, .. }) => *operand,
    })
}

/// Returns whether every word of a deletion is known, or is what `find` puts in. What another command
/// prints may lead out of the directory that stands before it.
fn names_deleted(exec: &Exec) -> bool {
    exec.args.iter().all(|arg| match arg {
        Arg::Known(_) => true,
        Arg::Unknown(UnknownArg { shown, operand, .. }) => *operand && &**shown == "{}",
    })
}

/// Returns whether git can bring back all that a command deletes; `None` if it is not certain.
fn is_recoverable(
    exec: &Arc<Exec>,
    at: usize,
    all: &[Access],
    root: &AbsPath,
    around: &Surroundings<'_>,
) -> Option<bool> {
    let mut view = GitView::of(around.host, root)?;
    let mut deletes = false;
    for access in of_command(exec, all) {
        match &access.what {
            AccessKind::File(file) if file.op == FileOp::Delete => {
                deletes = true;
                if is_touched(file, exec, at, all, root) {
                    return Some(false);
                }
                let path = &file.path.real;
                let is_restorable = match &file.extent {
                    Extent::One | Extent::Tree | Extent::Unknown => view.can_restore(path),
                    Extent::Ending(end) if !end.is_empty() => {
                        view.can_restore_named(path, &|name| end.may_be(name))
                    }
                    _ => false,
                };
                let may_be_root = matches!(file.extent, Extent::Ending(_));
                let is_inside = file
                    .path
                    .spellings()
                    .all(|path| is_below(path, root) || may_be_root && path == root);
                if !is_restorable || !is_inside {
                    return Some(false);
                }
            }
            AccessKind::File(file) if file.op == FileOp::Read => {}
            _ => return Some(false),
        }
    }
    Some(deletes)
}

/// Returns whether another command of the call may have put something at the deleted path: what
/// wrote there before, what moves files there at any time, and what changes the repository that
/// would bring it back.
fn is_touched(
    deleted: &FileAccess,
    exec: &Arc<Exec>,
    at: usize,
    all: &[Access],
    root: &AbsPath,
) -> bool {
    let path = &deleted.path.real;
    let git = root.child(".git");
    let changes_git = |access: &Access| match &access.what {
        AccessKind::File(file) if matches!(file.op, FileOp::Write | FileOp::Delete) => {
            git.as_ref().is_ok_and(|git| {
                file.path.spellings().any(|path| path.starts_with(git))
                    || file.op == FileOp::Delete && git.starts_with(&file.path.real)
            })
        }
        _ => false,
    };
    let meets = |access: &Access| match &access.what {
        AccessKind::File(file) if file.op == FileOp::Write => {
            file.path.real.starts_with(path)
                || path.starts_with(&file.path.real) && file.extent != Extent::One
        }
        _ => false,
    };
    let moves = |access: &Access| {
        let Some(own) = &access.scope.command else { return false };
        of_command(own, all)
            .any(|other| matches!(&other.what, AccessKind::File(file) if file.op == FileOp::Delete))
    };
    all.iter().enumerate().any(|(number, access)| {
        let is_own = access.scope.command.as_ref().is_some_and(|own| Arc::ptr_eq(own, exec));
        !is_own && (changes_git(access) || meets(access) && (number < at || moves(access)))
    })
}

/// Returns the accesses of one command.
fn of_command<'a>(exec: &'a Arc<Exec>, all: &'a [Access]) -> impl Iterator<Item = &'a Access> {
    let is_own = move |access: &&Access| {
        access.scope.command.as_ref().is_some_and(|own| Arc::ptr_eq(own, exec) || own == exec)
    };
    all.iter().filter(is_own)
}

/// Returns whether `kill` names jobs of its own shell alone.
fn ends_jobs(exec: &Exec) -> bool {
    let Some(words) = exec.args.iter().map(Arg::known).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let is_signal = |word: &str| {
        word.strip_prefix('-').is_some_and(|signal| {
            !signal.is_empty()
                && signal.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        })
    };
    // Only the first word can be a signal: behind it, `-1` is every process.
    let jobs = match words.as_slice() {
        [signal, jobs @ ..] if is_signal(signal) => jobs,
        jobs => jobs,
    };
    !jobs.is_empty() && jobs.iter().all(|word| word.starts_with('%'))
}

/// Returns whether `chmod` only makes files of the project programs.
fn makes_program(exec: &Arc<Exec>, all: &[Access], root: &AbsPath) -> bool {
    let Some((mode, files)) = exec.args.split_first() else { return false };
    let is_mode = mode.known().is_some_and(|mode| {
        let who = mode.strip_suffix("+x");
        who.is_some_and(|who| who.bytes().all(|byte| matches!(byte, b'u' | b'g' | b'o' | b'a')))
    });
    let mut some = false;
    let is_own_file = |access: &Access| match &access.what {
        AccessKind::File(file) => {
            some = true;
            let is_git =
                |path: &AbsPath| path.components().any(|name| name.eq_ignore_ascii_case(".git"));
            let path = &file.path;
            path.kind == Some(EntryKind::File)
                && file.extent == Extent::One
                && !path.is_shared()
                && path.spellings().all(|path| is_below(path, root) && !is_git(path))
        }
        _ => false,
    };
    is_mode
        && files.iter().filter_map(Arg::known).all(|word| !word.starts_with('-'))
        && of_command(exec, all).all(is_own_file)
        && some
}

/// Returns whether a path lies strictly below a directory.
fn is_below(path: &AbsPath, root: &AbsPath) -> bool {
    path.starts_with(root) && path != root
}

#[cfg(test)]
#[path = "harmless_tests.rs"]
mod tests;
