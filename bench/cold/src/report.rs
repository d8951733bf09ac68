//! Two programs beside each other, and whether the second keeps within the goal.

use std::error::Error;
use std::process::ExitCode;

use bench_measure::{Program, Table, percentile, rehearse, take_turns};

/// How often each program runs.
const ROUNDS: usize = 300;

/// Rounds before anything counts: caches are filled, the processor is awake.
const WARM_UP: usize = 20;

/// What the product may take, as a multiple of the C program.
const GOAL: f64 = 2.5;

/// Runs a C program and the product in turns, and prints what they took.
pub fn compare(programs: &[Program; 2]) -> Result<ExitCode, Box<dyn Error>> {
    for program in programs {
        if rehearse(program)?.is_empty() {
            return Err(format!("{} printed nothing", program.name).into());
        }
    }
    eprintln!("{ROUNDS} runs of each program, in turns");
    take_turns(programs, WARM_UP)?;
    let mut times = take_turns(programs, ROUNDS)?;
    let [c, own] = &mut times[..] else { return Err("two programs took turns".into()) };

    let elapsed = percentile(&mut c.elapsed, 0.5);
    let processor = percentile(&mut c.processor, 0.5);
    let ratio = percentile(&mut own.elapsed, 0.5) / elapsed;
    let mut table = Table::new(["program", "p50", "p90", "p50 / C", "cpu p50", "cpu / C"]);
    for (program, times) in programs.iter().zip([c, own]) {
        let median = percentile(&mut times.elapsed, 0.5);
        let median_processor = percentile(&mut times.processor, 0.5);
        table.push([
            program.name.clone(),
            format!("{median:.0} µs"),
            format!("{:.0} µs", percentile(&mut times.elapsed, 0.9)),
            format!("{:.2}", median / elapsed),
            format!("{median_processor:.0} µs"),
            format!("{:.2}", median_processor / processor),
        ]);
    }
    let outcome = if ratio <= GOAL { "reached" } else { "missed" };
    println!("\n{table}\ngoal: at most {GOAL} times the C program: {ratio:.2}, {outcome}");
    Ok(if ratio <= GOAL { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
