//! Paths through which a process reaches its own files: `/proc/PID/…`, `/dev/fd/N`, `/dev/std*`.
//!
//! The kernel resolves these for the process that asks. The judge asks for another process, so it
//! never asks the host: it resolves the known ones itself and refuses the others. Files below
//! `/proc/PID` that are no links (`environ`, `status`) keep their names, and `thread-self` becomes
//! `self/task/self`.

use super::AbsPath;

/// The target of a name in a directory.
pub(super) enum ProcTarget {
    /// The host knows the target.
    Host,
    /// The name is no link; the host is not asked.
    Itself,
    /// A link to this path.
    To(Box<str>),
    /// A target that is not known outside the process.
    Unknown,
}

/// Returns the target of `name` in the directory `real`. `ahead` is the rest of the path.
pub(super) fn proc_target(real: &str, name: &str, ahead: &str, cwd: &AbsPath) -> ProcTarget {
    // Most paths lie elsewhere.
    if !is_special(real) {
        return ProcTarget::Host;
    }
    let ahead: Vec<&str> = components(ahead).filter(|name| *name != ".").collect();
    match components(real).collect::<Vec<_>>().as_slice() {
        ["proc"] => target_in_proc(name),
        ["proc", process, rest @ ..] if is_process(process) => {
            let own = *process == "self";
            match rest {
                ["task"] => ProcTarget::Itself,
                ["task", _, rest @ ..] | rest => target_in_process(own, rest, name, &ahead, cwd),
            }
        }
        ["dev"] => target_in_dev(name, &ahead),
        ["dev", "fd"] => ProcTarget::Itself,
        _ => ProcTarget::Host,
    }
}

/// Returns whether a path is in `/proc` or `/dev`.
pub(super) fn is_special(real: &str) -> bool {
    let below = real.strip_prefix("/proc").or_else(|| real.strip_prefix("/dev"));
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

fn components(text: &str) -> impl Iterator<Item = &str> {
    text.split('/').filter(|name| !name.is_empty())
}

/// Returns whether an entry of `/proc` is a process.
fn is_process(name: &str) -> bool {
    name == "self" || is_number(name)
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

fn target_in_proc(name: &str) -> ProcTarget {
    match name {
        "thread-self" => ProcTarget::To("self/task/self".into()),
        name if is_process(name) => ProcTarget::Itself,
        _ => ProcTarget::Host,
    }
}

fn target_in_process(
    own: bool,
    rest: &[&str],
    name: &str,
    ahead: &[&str],
    cwd: &AbsPath,
) -> ProcTarget {
    match (rest, name) {
        ([], "root") if own => ProcTarget::To("/".into()),
        ([], "cwd") if own => ProcTarget::To(cwd.as_str().into()),
        ([], "root" | "cwd" | "exe") => ProcTarget::Unknown,
        (["fd"], "0") if own && ahead.is_empty() => ProcTarget::To("/dev/stdin".into()),
        (["fd"], "1") if own && ahead.is_empty() => ProcTarget::To("/dev/stdout".into()),
        (["fd"], "2") if own && ahead.is_empty() => ProcTarget::To("/dev/stderr".into()),
        (["fd" | "map_files"], _) => ProcTarget::Unknown,
        _ => ProcTarget::Itself,
    }
}

fn target_in_dev(name: &str, ahead: &[&str]) -> ProcTarget {
    match (name, ahead) {
        ("stdin" | "stdout" | "stderr", []) => ProcTarget::Itself,
        ("stdin" | "stdout" | "stderr", _) => ProcTarget::Unknown,
        ("fd", []) => ProcTarget::Itself,
        ("fd", [number]) if is_number(number) => ProcTarget::Itself,
        ("fd", _) => ProcTarget::To("/proc/self/fd".into()),
        _ => ProcTarget::Host,
    }
}

/// Returns whether the host can be asked for the entry at a path.
pub(super) fn is_askable(real: &str) -> bool {
    if !is_special(real) {
        return true;
    }
    match components(real).collect::<Vec<_>>().as_slice() {
        ["proc", process, ..] => !is_process(process),
        ["dev", "fd", ..] | ["dev", "stdin" | "stdout" | "stderr"] => false,
        _ => true,
    }
}
