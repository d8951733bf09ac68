//! How many tests passed and failed, from what the test runners say at the end.

/// The tests of one or more runs.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Tally {
    /// Adds the counts of a line if it is one of these:
    ///
    /// - nextest: `Summary [ 9.1s] 12 tests run: 10 passed (1 slow), 1 failed, 1 timed out, 3 skipped`
    /// - libtest: `test result: ok. 10 passed; 2 failed; 0 ignored; …`
    pub(crate) fn add(&mut self, line: &str) {
        let line = without_colour(line);
        let line = line.trim_start();
        let counts = if line.starts_with("Summary [") {
            line.split_once("run: ").map(|(_, counts)| counts)
        } else {
            line.strip_prefix("test result: ")
        };
        let Some(counts) = counts else { return };
        for part in counts.split([',', ';', '.', '(']) {
            let Some((number, what)) = part.trim().split_once(' ') else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            match what.trim() {
                "passed" => self.passed = self.passed.saturating_add(number),
                "failed" | "timed out" | "exec failed" => {
                    self.failed = self.failed.saturating_add(number);
                }
                _ => {}
            }
        }
    }

    /// The last line about the tests. A skipped test passed for the runner, so it is taken out there.
    pub(crate) fn line(self, skipped: usize) -> String {
        let Tally { passed, failed } = self;
        format!("{} passed, {failed} failed, {skipped} skipped", passed.saturating_sub(skipped))
    }
}

/// A line as it reads without the escape sequences for colour.
fn without_colour(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').map_or(part, |(_, text)| text));
    rest.fold(first, |mut text, part| {
        text.push_str(part);
        text
    })
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
