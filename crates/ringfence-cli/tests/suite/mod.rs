mod agents;
mod asking;
mod asks;
mod bad_input;
mod bad_lines;
mod carry;
mod check;
mod corpus;
mod docs;
mod doctor;
mod everyday;
mod explain;
mod few_descriptors;
mod help;
mod hook;
mod hook_fence;
mod inside;
mod interruptions;
mod kept;
mod mcp;
mod output;
mod pages;
mod parse;
mod person;
mod programs;
mod replaced;
mod report;
mod session;
mod setting_up;
#[path = "../../../../tests/support/skip.rs"]
mod skip;
mod suggested;
mod trust;
mod workloads;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The command under test.
pub(crate) fn ringfence() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ringfence"))
}

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../.."].iter().collect()
}

/// Runs the command with this text on its standard input.
pub(crate) fn run_with_input(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command may stop reading early; that is its right.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
