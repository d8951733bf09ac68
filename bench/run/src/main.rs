//! `cargo xtask bench run`: what `ringfence run` costs, beside bubblewrap and the bare command.
//!
//! All of them take turns at the same work in the same directory. A run that ends otherwise than
//! the bare command, or prints something else, stops everything: a fence that fails looks fast.

mod contenders;
mod growth;
mod report;
mod work;
mod workshop;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use bench_measure::{Program, Times, build_product, rehearse, take_turns};
use contenders::Contender;
use report::Measured;
use work::Work;
use workshop::Workshop;

/// Rounds before anything counts: caches are filled, the processor is awake.
const WARM_UP: usize = 3;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    let product = match wanted.iter().position(|word| word == "--product") {
        Some(at) => {
            let mut named = wanted.drain(at..).skip(1);
            named.next().map(PathBuf::from).ok_or("--product FILE: no file was named")?
        }
        None => build_product()?,
    };
    let is_wanted = |work: &Work| {
        wanted.is_empty() || wanted.iter().any(|name| work.name().starts_with(name.as_str()))
    };
    let workshop = Workshop::open(&product)?;
    let mut measured = Vec::new();
    for work in Work::ALL.into_iter().filter(is_wanted) {
        measured.push(measure(work, &workshop)?);
    }
    let mut reached = report::print(&mut measured);
    if wanted.is_empty() || wanted.iter().any(|name| growth::NAME.starts_with(name.as_str())) {
        reached &= growth::measure(&workshop)?;
    }
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Has every contender do the work, and start something that does nothing in the same directory.
fn measure(work: Work, workshop: &Workshop) -> Result<Measured, Box<dyn Error>> {
    let directory = workshop.project(work)?;
    let command = |contender: &Contender, words: &[&str]| {
        contender.program(work, words, &directory, workshop)
    };
    let contenders = Contender::all();
    let idle: Vec<Program> =
        contenders.iter().map(|own| command(own, Work::True.words())).collect();
    let busy: Vec<Program> = contenders.iter().map(|own| command(own, work.words())).collect();
    idle.iter().try_for_each(|program| rehearse(program).map(drop))?;
    let mut expected = None;
    for program in &busy {
        let printed = work.comparable(&rehearse(program)?);
        let expected = expected.get_or_insert_with(|| printed.clone());
        if printed != *expected {
            return Err(format!("{} printed `{printed}`, bare `{expected}`", program.name).into());
        }
    }
    eprintln!("{}: {} rounds of {} contenders", work.name(), work.rounds(), contenders.len());
    // The start-up is part of the work: what lies beyond it is told by the difference.
    let programs: Vec<Program> = match work {
        Work::True => idle,
        _ => idle.into_iter().chain(busy).collect(),
    };
    take_turns(&programs, WARM_UP)?;
    let mut startup = take_turns(&programs, work.rounds())?;
    let whole: Vec<Times> = startup.split_off(contenders.len());
    for program in programs.iter().skip(contenders.len()) {
        let (printed, expected) = (work.comparable(&program.printed()?), expected.as_deref());
        if Some(printed.as_str()) != expected {
            return Err(format!("{} printed `{printed}` in the end", program.name).into());
        }
    }
    Ok(Measured { work, contenders, startup, whole })
}
