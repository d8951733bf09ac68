//! Tests that cannot do their work here say so, and are counted.
//!
//! The Rust test harness knows two outcomes. A test that returns early passes there, so it also
//! leaves a line in the file that the variable names; `cargo xtask test` sets the variable, lists the
//! lines at the end and does not count these tests as passed.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a skip is said aloud, and a record that cannot be written stops the test"
)]

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;

/// The variable that names the file.
const RECORD: &str = "RINGFENCE_SKIPPED";

/// Records that the test that runs now was skipped, and why; the caller returns.
///
/// # Panics
///
/// Panics if there is a file for this and the line cannot be written: no skip is silent.
pub(crate) fn skip(reason: impl Display) {
    eprintln!("skipped: {reason}");
    let Some(record) = std::env::var_os(RECORD) else { return };
    let reason = reason.to_string().replace(['\n', '\t'], " ");
    let line = format!("{}\t{}\t{reason}\n", env!("CARGO_PKG_NAME"), current_test());
    // One write at the end of the file: other tests write there at the same time.
    let file = OpenOptions::new().create(true).append(true).open(record);
    file.and_then(|mut file| file.write_all(line.as_bytes())).unwrap();
}

/// Returns the path of the test that runs now: the harness names its threads by it. Where it runs a
/// single test on the main thread, the path stands behind `--exact`.
fn current_test() -> String {
    let thread = std::thread::current().name().map(str::to_owned);
    let asked = || std::env::args().skip_while(|word| word != "--exact").nth(1);
    thread.filter(|name| name != "main").or_else(asked).unwrap_or_else(|| "unknown".to_owned())
}
