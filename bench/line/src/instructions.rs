//! Instructions instead of time: they are the same on a busy machine.
//!
//! Each engine runs under callgrind in a process of its own, which counts one pass over the corpus
//! after one that does not count.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::{env, fs};

use crate::corpus::{self, Line};
use crate::engine::Engine;

/// Where the counts are kept.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

/// Counts every engine's instructions and keeps them beside the benchmark.
pub fn record() -> Result<(), Box<dyn Error>> {
    let lines = corpus::lines()?.len() as u64;
    let mut text =
        format!("instructions per line, over {lines} lines with {} rules\n", corpus::RULES);
    let mut of_parse = None;
    for engine in Engine::ALL {
        let each = under_callgrind(engine)? / lines;
        let ratio = each as f64 / *of_parse.get_or_insert(each) as f64;
        writeln!(text, "{:<12} {each:>9} {ratio:>6.2}", engine.name())?;
    }
    print!("{text}");
    Ok(fs::write(FILE, text)?)
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

/// One pass that warms up and one that counts; this is what runs under callgrind.
pub fn count(name: &str) -> Result<(), Box<dyn Error>> {
    let engine = Engine::ALL.into_iter().find(|engine| engine.name() == name);
    let engine = engine.ok_or("no such engine")?;
    // Every engine has taken every line once when the lines are there.
    let lines = corpus::lines()?;
    counted_pass(engine, &lines);
    Ok(())
}

#[inline(never)]
fn counted_pass(engine: Engine, lines: &[Line]) {
    for line in lines {
        black_box(engine.run(line));
    }
}
