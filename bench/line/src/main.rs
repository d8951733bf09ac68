//! `cargo xtask bench line`: a whole command line to its verdict, beside the bare parse of the same
//! text and beside another shell's parser, over the corpus's benign lines.
//!
//! It stops where a line does not parse or is not allowed: a refusal found early looks fast.

mod corpus;
mod engine;
mod growth;
mod instructions;
mod report;

use std::error::Error;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use bench_measure::{Bounds, percentile, sample_nanos};
use corpus::Line;
use engine::Engine;

/// How often all lines are gone through, the engines taking turns at each: whatever the machine
/// does meanwhile befalls all of them.
const ROUNDS: usize = 10;

/// What an engine gets in its turn at a line.
const TURN: Bounds = Bounds { budget: Duration::from_millis(4), at_least: 3, at_most: 200 };

/// Median nanoseconds per engine, in the order of [`Engine::ALL`].
type Figures = [f64; Engine::ALL.len()];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => measure(),
        ["--instructions"] => instructions::record(),
        ["--compare"] => instructions::compare(),
        ["--count", engine] => instructions::count(engine, ""),
        ["--count", engine, part] => instructions::count(engine, part),
        ["--slow"] => slowest(),
        ["--spin", engine] => instructions::spin(engine, ""),
        ["--spin", engine, part] => instructions::spin(engine, part),
        _ => Err("usage: line [--instructions | --compare | --slow | --spin ENGINE [PART]]".into()),
    }
}

fn measure() -> Result<(), Box<dyn Error>> {
    keep_memory()?;
    let lines = corpus::lines()?;
    eprintln!("{} lines, {} rules", lines.len(), corpus::RULES);
    let figures = turns(&lines, ROUNDS, TURN);
    let growth = growth::measure()?;
    print!("{}", report::report(&figures, &growth));
    Ok(())
}

/// Begins anew with an allocator that keeps what it has: it would give the memory of a long line back
/// to the kernel after some lines and not after others, and the kernel's pages would be measured.
fn keep_memory() -> Result<(), Box<dyn Error>> {
    const KEPT: [&str; 2] = ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"];
    if KEPT.iter().all(|name| std::env::var_os(name).is_some()) {
        return Ok(());
    }
    let own = std::env::current_exe()?;
    Err(Command::new(own).envs(KEPT.map(|name| (name, "1000000000"))).exec().into())
}

/// The lines by what they cost as a multiple of their parse, dearest first: where to look.
fn slowest() -> Result<(), Box<dyn Error>> {
    let lines = corpus::lines()?;
    let figures = turns(&lines, ROUNDS, TURN);
    let mut ranked: Vec<(Figures, Line)> = figures.into_iter().zip(lines).collect();
    let ratio =
        |figures: &Figures| report::of(figures, Engine::Whole) / report::of(figures, Engine::Parse);
    ranked.sort_by(|one, other| ratio(&other.0).total_cmp(&ratio(&one.0)));
    for (figures, line) in ranked {
        println!(
            "{:7.2} {:9.0} ns  {}",
            ratio(&figures),
            report::of(&figures, Engine::Whole),
            line.text
        );
    }
    Ok(())
}

/// What the engines take for each line, in turns.
fn turns(lines: &[Line], rounds: usize, turn: Bounds) -> Vec<Figures> {
    let mut samples: Vec<_> = lines.iter().map(|_| Engine::ALL.map(|_| Vec::new())).collect();
    for _ in 0..rounds {
        for (line, samples) in lines.iter().zip(&mut samples) {
            for (engine, samples) in Engine::ALL.iter().zip(samples) {
                samples.extend(sample_nanos(turn, |_| engine.run(line)));
            }
        }
    }
    let median = |mut of_engine: Vec<f64>| percentile(&mut of_engine, 0.5);
    samples.into_iter().map(|of_line| of_line.map(median)).collect()
}
