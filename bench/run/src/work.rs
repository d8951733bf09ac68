//! The work that is done.

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Nothing, in a small project: the start-up.
    True,
    /// `git status` in 2,000 files.
    Git,
    /// `grep -r` over 5,000 files.
    Grep,
    /// `make` that starts 200 processes.
    Make,
    /// One program that opens each of 2,000 files ten times.
    Open,
}

/// Opens and closes every file below `src`, ten times; what is denied is left out.
const OPENER: &str = "\
import os
paths = [os.path.join(at, name) for at, _, names in os.walk('src') for name in names]
for path in paths * 10:
    try: os.close(os.open(path, os.O_RDONLY))
    except OSError: pass
";

impl Work {
    /// All of it.
    pub const ALL: [Work; 5] = [Work::True, Work::Git, Work::Grep, Work::Make, Work::Open];

    /// The name in the table, and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Work::True => "true",
            Work::Git => "git status, 2,000 files",
            Work::Grep => "grep -r, 5,000 files",
            Work::Make => "make, 200 processes",
            Work::Open => "open, 20,000 openings",
        }
    }

    /// The words of the command.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Work::True => &["/bin/true"],
            Work::Git => &["git", "status", "--short"],
            Work::Grep => &["grep", "-r", "-s", crate::workshop::NEEDLE, "src"],
            Work::Make => &["make", "--silent"],
            Work::Open => &["/usr/bin/python3", "-I", "-S", "-c", OPENER],
        }
    }

    /// How often it is done.
    pub fn rounds(self) -> usize {
        match self {
            Work::True => 200,
            Work::Git | Work::Grep | Work::Make | Work::Open => 60,
        }
    }

    /// The statuses with which it may end: `grep` tells by 2 that it could not read everything, as
    /// is meant where some of it is denied.
    pub fn statuses(self) -> Vec<i32> {
        if self == Work::Grep { vec![0, 2] } else { vec![0] }
    }

    /// What must be the same whoever does it: the lines that were printed, in order.
    pub fn comparable(self, printed: &str) -> String {
        let mut lines: Vec<&str> = printed.lines().collect();
        lines.sort_unstable();
        lines.join("\n")
    }
}
