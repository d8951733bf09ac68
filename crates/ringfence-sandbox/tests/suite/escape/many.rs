//! Many runs leave nothing behind.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::suite::fixture::{Fixture, Rules};

use super::user;

#[test]
fn runs_leave_nothing_behind() {
    user::alone_as_everyone("many::runs");
}

/// What a process could leave behind.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    descriptors: usize,
    children: usize,
    threads: usize,
    mounts: usize,
    /// Those of all kinds in which a process of this program is.
    namespaces: usize,
    /// Stacks and other memory.
    maps: bool,
    /// Below the only directory for temporary files, for the time of a login and at home.
    files: usize,
}

fn left(maps: usize) -> Left {
    let count = |path: &str| fs::read_dir(path).unwrap().count();
    let lines = |path: &str| fs::read_to_string(path).unwrap().lines().count();
    let children = fs::read_to_string("/proc/thread-self/children").unwrap();
    Left {
        descriptors: count("/proc/self/fd"),
        children: children.split_whitespace().count(),
        threads: count("/proc/self/task"),
        mounts: lines("/proc/self/mountinfo"),
        // Each run has three stacks; the allocator takes a few maps for itself.
        maps: lines("/proc/self/maps") <= maps + 200,
        namespaces: namespaces(),
        files: below(&std::env::temp_dir()),
    }
}

/// The namespaces of every process that is this program, or is where its runs are.
fn namespaces() -> usize {
    let program = fs::read_link("/proc/self/exe").unwrap();
    let own = |process: &Path| {
        fs::read_link(process.join("exe")).is_ok_and(|own| own == program)
            || fs::read_link(process.join("cwd"))
                .is_ok_and(|own| own.starts_with(std::env::temp_dir()))
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let lists = processes
        .filter(|process| own(process))
        .filter_map(|process| fs::read_dir(process.join("ns")).ok());
    let links = lists.flatten().flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    links.collect::<BTreeSet<PathBuf>>().len()
}

/// How many names there are below a directory.
fn below(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| 1 + below(&entry.path())).sum()
}

/// A thousand runs one after another, then sixty-four at once, in a program with many threads and
/// much memory. In a process of its own, where nothing else comes and goes.
#[test]
fn runs() {
    // The test above starts it in a process of its own.
    if !user::is_alone() {
        return;
    }
    let heap = vec![1_u8; 256 << 20];
    let idle: Vec<_> = (0..8)
        .map(|_| {
            let (sender, receiver) = std::sync::mpsc::channel::<()>();
            (sender, thread::spawn(move || receiver.recv()))
        })
        .collect();
    let fixture = Fixture::new();
    run(&fixture);
    let maps = fs::read_to_string("/proc/self/maps").unwrap().lines().count();
    let before = left(maps);
    assert!(before.namespaces >= 6 && before.files > 0, "{before:?}");
    for _ in 0..1000 {
        run(&fixture);
    }
    assert_eq!(left(maps), before, "after a thousand runs");
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| run(&Fixture::new()));
        }
    });
    // A thread has not quite ended when it has been joined.
    let is_settled = |_: &u32| {
        thread::sleep(Duration::from_millis(20));
        left(maps) == before
    };
    let _ = (0..100).find(is_settled);
    assert_eq!(left(maps), before, "after sixty-four at once");
    println!("many::runs: 1000 runs and 64 at once leave {before:?}");
    drop((heap, idle));
}

fn run(fixture: &Fixture) {
    let line = "echo x > f; /bin/true & wait; rm f; (setsid sleep 9 &)";
    let (said, ended) = fixture.sh(line, &Arc::new(Rules::all()));
    assert_eq!((said.as_str(), ended), ("", ringfence_sandbox::Ended::Exited(0)));
}
