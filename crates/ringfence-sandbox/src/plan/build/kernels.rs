//! Rules on files that the kernel makes up.
//!
//! What is there from the start is hidden like other files. Files of processes come and go: none of
//! them can be hidden, so that a rule on them has every opening judged.

use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_core::judge::{PathSet, PathStates, RuleKind, RulePlace};
use ringfence_core::path::{AbsPath, EntryKind, PathRules};
use ringfence_core::{Role, Rule};

use super::always::{FREE_DEVICES, is_kernels};
use super::lister::Lister;
use super::oracle::Oracle;
use super::site::Site;
use super::trees::Trees;
use super::walk::is_process;
use crate::plan::Rights;

/// What rules are asked about in the place of all processes, and of all terminals.
const PROCESSES: [&str; 4] = ["self", "thread-self", "1", "12"];
const TERMINALS: [&str; 3] = ["0", "1", "12"];
/// The files of a process, and of its threads, lie no deeper.
const DEEPEST: usize = 3;
/// What lies there is told of another process, or leads elsewhere.
const NOT_LISTED: [&str; 4] = ["task", "fd", "map_files", "fdinfo"];

/// The rights at a path that every run can reach, without those that a rule stands against.
pub(super) fn unopposed(
    oracle: &Oracle<'_>,
    site: &Site<'_>,
    path: &AbsPath,
    rights: Rights,
) -> Rights {
    if !is_kernels(path.as_str()) || FREE_DEVICES.contains(&path.as_str()) {
        return rights;
    }
    let objects = |op| match site.is_dir(path) {
        true => oracle.objects_below(op, path),
        false => oracle.objects_to(op, path),
    };
    let mut left = rights;
    if objects(FileOp::Read) {
        left = left.without(Rights::READ);
    }
    if rights.has(Rights::WRITE) && objects(FileOp::Write) {
        left = left.without(Rights::WRITE | Rights::IOCTL);
    }
    left
}

/// Whether a place is one of a rule that stands against reading. The danger list speaks of other
/// processes, and a run sees its own alone.
pub(super) fn objects_to_reading(own: &RulePlace<'_>) -> bool {
    own.role != Role::BuiltIn && super::objects_to_reading(own)
}

/// Whether a place is one of a rule that stands against changes.
pub(super) fn objects_to_writing(own: &RulePlace<'_>) -> bool {
    let objects = matches!(own.kind, RuleKind::Deny | RuleKind::Danger | RuleKind::Ask);
    own.role != Role::BuiltIn && objects && own.rights.write
}

/// Whether one of these rules takes files of processes, or what makes terminals, and not all that lies
/// beside them.
pub(super) fn come_later(trees: &Trees<'_>, objects: fn(&RulePlace<'_>) -> bool) -> bool {
    let objecting = || trees.places.iter().filter(|own| objects(own));
    if objecting().next().is_none() {
        return false;
    }
    let makes_terminals = |path: &AbsPath| path.as_str() == "/dev/pts/ptmx";
    if objecting().any(|own| is_of_process(&own.literal) || makes_terminals(&own.literal)) {
        return true;
    }
    let mut set = PathSet::new(trees.site.host.path_rules());
    objecting().for_each(|own| set.add(&own.literal, own.rest));
    AbsPath::new("/proc").is_ok_and(|directory| {
        !trees.rights_at(&directory).is_empty() && takes_of_process(trees, &set, &directory)
    })
}

/// How much of what a rule says can be held of the kernel's own files.
pub(super) enum Said {
    /// All of it.
    All,
    /// All but this.
    AllBut(&'static str),
    /// None, and why.
    Nothing(&'static str),
}

/// How much of a rule on files can be held.
pub(super) fn says(oracle: &Oracle<'_>, kind: RuleKind, rule: &Rule) -> Said {
    let places = oracle.policy.file_places(&oracle.anything);
    let own = |own: &RulePlace<'_>| std::ptr::eq(own.rule, rule) && own.narrows.is_none();
    let places: Vec<RulePlace<'_>> = places.filter(own).collect();
    let is_free = |own: &RulePlace<'_>| FREE_DEVICES.contains(&own.literal.as_str());
    let grants = matches!(kind, RuleKind::Allow | RuleKind::OptIn | RuleKind::Fallback);
    if places.iter().any(|own| is_descriptor(&own.literal)) {
        return Said::Nothing("names what is open already, which whoever has it reads and writes");
    }
    if grants {
        let is_of_proc = |own: &RulePlace<'_>| {
            let changes = own.rights.write || own.rights.delete;
            let is_below = Path::new(own.literal.as_str()).starts_with("/proc");
            is_below && (changes || !own.rest.is_empty() || is_of_process(&own.literal))
        };
        return match places.iter().any(is_of_proc) {
            true => Said::AllBut("the run's own /proc: its own processes, and nothing is written"),
            false => Said::All,
        };
    }
    if !places.is_empty() && places.iter().all(is_free) {
        return Said::Nothing("meets no rule: nothing is kept in this device");
    }
    let mut set = PathSet::new(PathRules::default());
    places.iter().for_each(|own| set.add(&own.literal, own.rest));
    if let Some(said) = says_of_terminals(oracle, &places, &set) {
        return said;
    }
    let takes = |path: &&str| AbsPath::new(path).is_ok_and(|path| set.matches(&set.at(&path)));
    match FREE_DEVICES.iter().any(takes) {
        true => Said::AllBut("but /dev/null, /dev/zero and /dev/full, in which nothing is kept"),
        false => Said::All,
    }
}

/// What is to be said of a rule on some terminals and not on all: whoever makes one opens its other
/// end without a name.
fn says_of_terminals(oracle: &Oracle<'_>, places: &[RulePlace<'_>], set: &PathSet) -> Option<Said> {
    let directory = AbsPath::new("/dev/pts").ok()?;
    let at = set.at(&directory);
    if !TERMINALS.iter().any(|name| takes(set, &at, name)) {
        return None;
    }
    let objects = |op| oracle.objects_below(op, &directory);
    let is_whole = |own: &RulePlace<'_>| {
        (!own.rights.read || objects(FileOp::Read)) && (!own.rights.write || objects(FileOp::Write))
    };
    match places.iter().all(is_whole) {
        true => None,
        false if places.iter().all(|own| is_of_terminal(&own.literal)) => Some(Said::Nothing(
            "speaks of some terminals, and the run opens its own without a name",
        )),
        false => Some(Said::AllBut("but for terminals that the run makes itself")),
    }
}

/// Whether this names what a process has open.
fn is_descriptor(path: &AbsPath) -> bool {
    let is_stream = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd"]
        .iter()
        .any(|own| Path::new(path.as_str()).starts_with(own));
    let inside = path.as_str().strip_prefix("/proc/").and_then(|rest| rest.split_once('/'));
    let is_open = |inside: &str| inside == "fd" || inside.starts_with("fd/");
    is_stream || inside.is_some_and(|(name, own)| is_process(name.as_bytes()) && is_open(own))
}

fn takes_of_process(trees: &Trees<'_>, set: &PathSet, directory: &AbsPath) -> bool {
    let lister = trees.site.lister;
    let (at, mut of_process) = (set.at(directory), PathStates::default());
    PROCESSES.iter().any(|process| {
        set.step(&at, process, &mut of_process);
        if of_process.is_over() {
            return false;
        }
        let (mut tasks, mut of_thread) = (PathStates::default(), PathStates::default());
        set.step(&of_process, "task", &mut tasks);
        set.step(&tasks, "12", &mut of_thread);
        [&of_process, &of_thread]
            .into_iter()
            .any(|own| takes_below(lister, set, own, Path::new("/proc/self"), DEEPEST))
    })
}

/// Whether a name in a directory, or further down, is one of them.
fn takes_below(
    lister: &dyn Lister,
    set: &PathSet,
    at: &PathStates,
    directory: &Path,
    levels: usize,
) -> bool {
    let Some(levels) = levels.checked_sub(1).filter(|_| !at.is_over()) else { return false };
    let mut inside = PathStates::default();
    lister.list(directory).iter().any(|entry| {
        let Some(name) = entry.name.to_str() else { return false };
        set.step(at, name, &mut inside);
        match entry.kind {
            EntryKind::Dir if NOT_LISTED.contains(&name) => {
                // Their names are numbers.
                let own = inside.clone();
                name == "fdinfo" && takes(set, &own, "0")
            }
            EntryKind::Dir => {
                takes_below(lister, set, &inside.clone(), &directory.join(name), levels)
            }
            _ => set.matches(&inside),
        }
    })
}

fn takes(set: &PathSet, at: &PathStates, name: &str) -> bool {
    let mut states = PathStates::default();
    set.step(at, name, &mut states);
    set.matches(&states)
}

/// Whether this is a process's own directory in `/proc`, or lies in it.
pub(super) fn is_of_process(path: &AbsPath) -> bool {
    let first = path.as_str().strip_prefix("/proc/").and_then(|rest| rest.split('/').next());
    first.is_some_and(|name| is_process(name.as_bytes()))
}

/// Whether this is a terminal.
fn is_of_terminal(path: &AbsPath) -> bool {
    path.as_str().strip_prefix("/dev/pts/").is_some_and(|name| name != "ptmx")
}
