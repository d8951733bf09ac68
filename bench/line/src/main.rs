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
use std::time::Duration;

use bench_measure::{Bounds, percentile, sample_nanos};
use corpus::Line;
use engine::Engine;

/// How often the engines take turns at each line: whatever the machine does meanwhile befalls all.
const ROUNDS: usize = 5;

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
    let lines = corpus::lines()?;
    eprintln!("{} lines, {} rules", lines.len(), corpus::RULES);
    let figures: Vec<Figures> = lines.iter().map(|line| turns(line, TURN)).collect();
    let growth = growth::measure()?;
    print!("{}", report::report(&figures, &growth));
    Ok(())
}

/// The lines by what they cost as a multiple of their parse, dearest first: where to look.
fn slowest() -> Result<(), Box<dyn Error>> {
    let lines = corpus::lines()?;
    let mut ranked: Vec<(Figures, Line)> =
        lines.into_iter().map(|line| (turns(&line, TURN), line)).collect();
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

/// What the engines take for one line, in turns.
fn turns(line: &Line, turn: Bounds) -> Figures {
    let mut samples = Engine::ALL.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for (engine, samples) in Engine::ALL.iter().zip(&mut samples) {
            samples.extend(sample_nanos(turn, |_| engine.run(line)));
        }
    }
    samples.map(|mut of_engine| percentile(&mut of_engine, 0.5))
}
