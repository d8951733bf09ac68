//! Instructions instead of time: they are the same on a busy machine.
//!
//! Each engine runs under callgrind in a process of its own, which counts one pass over the corpus
//! after some that do not count: what is read when it is first asked for, or asked for often, has
//! been read then, as it has where the time is taken.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::{env, fs};

use crate::corpus::{self, Line};
use crate::engine::Engine;

/// Where the counts are kept.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

/// A count may be so much above the one that is kept: other compilers and C libraries count a
/// little otherwise.
const TOLERANCE: f64 = 1.05;

/// So many passes do not count.
const BEFORE: usize = 20;

/// Counts every engine's instructions and keeps them beside the benchmark.
pub fn record() -> Result<(), Box<dyn Error>> {
    let lines = corpus::lines()?.len();
    let mut text =
        format!("instructions per line, over {lines} lines with {} rules\n", corpus::RULES);
    let counts = counts(lines)?;
    let of_parse = counts.first().map_or(1, |(_, each)| *each);
    for (engine, each) in counts {
        let ratio = each as f64 / of_parse as f64;
        writeln!(text, "{:<12} {each:>9} {ratio:>6.2}", engine.name())?;
    }
    print!("{text}");
    Ok(fs::write(FILE, text)?)
}

/// Counts again, and fails where ours take more than what is kept.
pub fn compare() -> Result<(), Box<dyn Error>> {
    let kept = fs::read_to_string(FILE)?;
    let kept_for = |engine: Engine| -> Option<u64> {
        let row = kept.lines().find(|row| row.split(' ').next() == Some(engine.name()))?;
        row.split_whitespace().nth(1)?.parse().ok()
    };
    let mut worse = Vec::new();
    for (engine, now) in counts(corpus::lines()?.len())? {
        let before = kept_for(engine).ok_or_else(|| format!("no count of {}", engine.name()))?;
        println!("{:<12} {before:>9} kept {now:>9} now", engine.name());
        if engine != Engine::Brush && now as f64 > before as f64 * TOLERANCE {
            worse.push(engine.name());
        }
    }
    match worse.is_empty() {
        true => Ok(()),
        false => Err(format!("more instructions than are kept: {}", worse.join(", ")).into()),
    }
}

/// The instructions of each engine for one line.
fn counts(lines: usize) -> Result<Vec<(Engine, u64)>, Box<dyn Error>> {
    let lines = u64::try_from(lines)?.max(1);
    Engine::ALL.into_iter().map(|engine| Ok((engine, under_callgrind(engine)? / lines))).collect()
}

/// What one pass of the engine takes.
fn under_callgrind(engine: Engine) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--toggle-collect=*counted_pass*"])
        .arg(env::current_exe()?)
        .args(["--count", engine.name()])
        .output()
        .map_err(|error| format!("`valgrind` does not run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected : "));
    let count = count.and_then(|(_, count)| count.trim().parse().ok());
    count.ok_or_else(|| format!("`valgrind` gave no count: {}", said.trim_end()).into())
}

/// Passes that warm up and one that counts; this is what runs under callgrind.
pub fn count(name: &str) -> Result<(), Box<dyn Error>> {
    let engine = Engine::ALL.into_iter().find(|engine| engine.name() == name);
    let engine = engine.ok_or("no such engine")?;
    let lines = corpus::lines()?;
    for line in (0..BEFORE).flat_map(|_| &lines) {
        black_box(engine.run(line));
    }
    counted_pass(engine, &lines);
    Ok(())
}

#[inline(never)]
fn counted_pass(engine: Engine, lines: &[Line]) {
    for line in lines {
        black_box(engine.run(line));
    }
}
