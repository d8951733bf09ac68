//! The tests that a run skipped: they passed for the test harness, and could not do their work.
//!
//! `tests/support/skip.rs` writes one line per skip into a file that the gate names. This module
//! reads it, lists it, and says which skips a CI run may have. It never runs anything.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The variable that tells the tests which file to write to.
pub(crate) const RECORD: &str = "RINGFENCE_SKIPPED";

/// What a test gives as its reason when a file of the folder beside the repository is missing.
const SHARED: &str = "there is no ../shared/";

/// The tests that may be skipped on CI, each with the reason.
const ALLOWED: [(&str, &str); 1] = [(
    "suite::oracle::peers::what_two_other_parsers_find_is_found",
    "the other parsers are built by `cargo xtask oracle`, not by the gate",
)];

/// The skipped tests of one run, each with its reason.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Skips(BTreeMap<(String, String), String>);

impl Skips {
    /// Empties the record below the target directory and returns where it is.
    pub(crate) fn begin(target: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(target)?;
        let record = target.join("skipped-tests.txt");
        fs::write(&record, "")?;
        Ok(record)
    }

    /// Reads a record: a line has package, test and reason, with tabs between them. A test counts
    /// once, however often it said so.
    pub(crate) fn read(text: &str) -> Skips {
        let mut skips = BTreeMap::new();
        for line in text.lines() {
            let mut fields = line.splitn(3, '\t');
            let (Some(package), Some(test)) = (fields.next(), fields.next()) else { continue };
            let reason = fields.next().unwrap_or("no reason given").to_owned();
            skips.entry((package.to_owned(), test.to_owned())).or_insert(reason);
        }
        Skips(skips)
    }

    /// The number of tests.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The list for the end of a run.
    pub(crate) fn report(&self) -> String {
        let mut report = format!("skipped: {}\n", self.count());
        for ((package, test), reason) in &self.0 {
            report.push_str(&format!("  {package} {test}: {reason}\n"));
        }
        report
    }

    /// The tests that a CI run must not skip. `has_shared` says whether `../shared` exists: without
    /// it, tests that read a file there cannot run.
    pub(crate) fn unexpected(&self, has_shared: bool) -> Vec<String> {
        let is_expected = |test: &str, reason: &str| {
            ALLOWED.iter().any(|(allowed, _)| *allowed == test)
                || (!has_shared && reason.starts_with(SHARED))
        };
        let unexpected = self.0.iter().filter(|((_, test), reason)| !is_expected(test, reason));
        unexpected.map(|((package, test), reason)| format!("{package} {test}: {reason}")).collect()
    }
}

#[cfg(test)]
#[path = "skips_tests.rs"]
pub(crate) mod tests;
