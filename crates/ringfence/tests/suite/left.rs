//! Counts the resources that a run could leave behind.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Left {
    descriptors: usize,
    children: usize,
    threads: usize,
    mounts: usize,
    files: usize,
}

impl Left {
    /// Counts the current resources, and the files below a directory.
    pub(super) fn now(directory: &Path) -> Left {
        let count = |path: &str| fs::read_dir(path).unwrap().count();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap().lines().count();
        let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
        let children = tasks.map(|task| {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            children.split_whitespace().count()
        });
        Left {
            descriptors: count("/proc/self/fd"),
            children: children.sum(),
            threads: count("/proc/self/task"),
            mounts,
            files: below(directory),
        }
    }

    /// Waits until there are no more resources than before. Threads end a moment after they are
    /// released, and one that was ending during the first count may be gone.
    pub(super) fn settles(&self, directory: &Path) {
        let is_settled = |_: &u32| {
            thread::sleep(Duration::from_millis(20));
            Left::now(directory).is_within(self)
        };
        let _ = (0..250).find(is_settled);
        let now = Left::now(directory);
        assert!(now.is_within(self), "{now:?} is more than {self:?}");
    }

    fn is_within(&self, other: &Left) -> bool {
        let counts =
            |left: &Left| [left.descriptors, left.children, left.threads, left.mounts, left.files];
        counts(self).iter().zip(counts(other)).all(|(now, before)| *now <= before)
    }
}

fn below(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| 1 + below(&entry.path())).sum()
}
