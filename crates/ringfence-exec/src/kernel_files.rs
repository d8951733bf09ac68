//! Kernel files and devices that every run may use, such as its terminal and its own `/proc`
//! entries.

use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_core::path::AbsPath;
use ringfence_core::{AccessKind, Effect, Ground, Role, Verdict};
use ringfence_sandbox::plan::{Rights, always};

/// File systems whose contents the kernel generates.
const KERNELS: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Returns whether every run has this access unless a rule objects. Every program in a run can use
/// these files in its code, so naming them in a command needs no grant.
pub(crate) fn is_every_runs(what: &AccessKind) -> bool {
    let AccessKind::File(file) = what else { return false };
    let needed = match file.op {
        FileOp::Read => Rights::READ,
        FileOp::Write => Rights::WRITE,
        _ => return false,
    };
    let path = Path::new(file.path.real.as_str());
    let is_kernels = KERNELS.iter().any(|tree| path.starts_with(tree));
    is_kernels && always().any(|(own, rights, _)| rights.has(needed) && path.starts_with(own))
}

/// Returns whether an access is to a device that no rule applies to.
pub(crate) fn is_free_device(what: &AccessKind) -> bool {
    matches!(what, AccessKind::File(file) if file.path.is_free_device())
}

/// Returns whether a rule of a document objects, as opposed to a missing grant. Built-in danger
/// entries about files of other processes do not count, because a run sees no other processes.
pub(crate) fn is_opposed(verdict: &Verdict) -> bool {
    let opposes = |ground: &Ground| match ground {
        Ground::Rule(rule) | Ground::Danger(rule) => rule.role() != Role::BuiltIn,
        Ground::Protected(_) => true,
        _ => false,
    };
    let is_against = |ground: &&Ground| ground.effect() != Effect::Allow;
    verdict.effect != Effect::Allow && verdict.grounds.iter().filter(is_against).any(opposes)
}

/// Returns the other names by which a process knows its own files and those of its threads.
pub(crate) fn names_of_process(path: &AbsPath) -> impl Iterator<Item = AbsPath> {
    let mut names = Vec::new();
    let inside =
        path.as_str().strip_prefix("/proc/").map(|rest| rest.split_once('/').unwrap_or((rest, "")));
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((process, inside)) = inside.filter(|(process, _)| is_number(process)) {
        names.push(format!("/proc/self/{inside}"));
        let of_thread = inside.strip_prefix("task/").and_then(|own| own.split_once('/'));
        if let Some((_, inside)) = of_thread {
            names.extend([format!("/proc/{process}/{inside}"), format!("/proc/self/{inside}")]);
        }
        let (_, inside) = of_thread.unwrap_or(("", inside));
        names.push(format!("/proc/thread-self/{inside}"));
    }
    names.into_iter().filter_map(|name| AbsPath::new(name.trim_end_matches('/')).ok())
}

#[cfg(test)]
#[path = "kernel_files_tests.rs"]
mod tests;
