//! Instructions instead of time: they are the same on a busy machine.
//!
//! Each engine runs under callgrind in a process of its own, which counts one pass over the corpus
//! after some that do not count: what is read when it is first asked for, or asked for often, has
//! been read then, as it has where the time is taken.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};
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

/// How long a profiler is given to look.
const SPIN: Duration = Duration::from_secs(10);

/// How often a line is taken before the next one.
const IN_A_ROW: usize = 500;

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

/// Passes that warm up and one that counts, over the lines with this part; this is what runs under
/// callgrind.
pub fn count(name: &str, part: &str) -> Result<(), Box<dyn Error>> {
    let (engine, lines) = (named(name)?, lines_with(part)?);
    for line in (0..BEFORE).flat_map(|_| &lines) {
        black_box(engine.run(line));
    }
    counted_pass(engine, &lines);
    Ok(())
}

/// Takes the lines with this part for some seconds, each often in a row as where the time is taken:
/// something to point a profiler at.
pub fn spin(name: &str, part: &str) -> Result<(), Box<dyn Error>> {
    let (engine, lines) = (named(name)?, lines_with(part)?);
    let begin = Instant::now();
    while begin.elapsed() < SPIN {
        for line in &lines {
            (0..IN_A_ROW).for_each(|_| {
                black_box(engine.run(line));
            });
        }
    }
    Ok(())
}

fn named(name: &str) -> Result<Engine, Box<dyn Error>> {
    let engine = Engine::ALL.into_iter().find(|engine| engine.name() == name);
    Ok(engine.ok_or("no such engine")?)
}

fn lines_with(part: &str) -> Result<Vec<Line>, Box<dyn Error>> {
    let mut lines = corpus::lines()?;
    lines.retain(|line| line.text.contains(part));
    if lines.is_empty() { Err("no line has that".into()) } else { Ok(lines) }
}

#[inline(never)]
fn counted_pass(engine: Engine, lines: &[Line]) {
    for line in lines {
        black_box(engine.run(line));
    }
}
