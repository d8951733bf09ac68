//! The kernel's own files and devices that every run has: its terminal, its own processes.

use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_core::path::AbsPath;
use ringfence_core::{AccessKind, Effect, Ground, Role, Verdict};
use ringfence_sandbox::plan::{Rights, always};

/// Where the kernel makes up files and devices.
const KERNELS: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Returns whether every run has it, unless a rule stands against it. Whoever may be started may do
/// with these files by a word what any code may do there.
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

/// Returns whether it is a device that meets no rule.
pub(crate) fn is_free_device(what: &AccessKind) -> bool {
    matches!(what, AccessKind::File(file) if file.path.is_free_device())
}

/// Returns whether a rule decided against it, and not only that nobody grants it. The danger list
/// speaks of the files of other processes, of which a run sees none.
pub(crate) fn is_opposed(verdict: &Verdict) -> bool {
    let opposes = |ground: &Ground| match ground {
        Ground::Rule(rule) | Ground::Danger(rule) => rule.role() != Role::BuiltIn,
        Ground::Protected(_) => true,
        _ => false,
    };
    let is_against = |ground: &&Ground| ground.effect() != Effect::Allow;
    verdict.effect != Effect::Allow && verdict.grounds.iter().filter(is_against).any(opposes)
}

/// Returns the names by which a process itself knows its files, and those of its threads, which say
/// the same.
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
#[path = "usual_tests.rs"]
mod tests;
