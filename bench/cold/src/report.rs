//! A C program and the product in turns, and whether each start of the product keeps within the goal.

use std::error::Error;
use std::process::ExitCode;

use bench_measure::{Program, Table, percentile, rehearse, take_turns};

/// How often each program runs.
const ROUNDS: usize = 300;

/// Rounds before anything counts: caches are filled, the processor is awake.
const WARM_UP: usize = 20;

/// What the product may take, as a multiple of the C program.
const GOAL: f64 = 3.5;

/// Runs a C program and the starts of the product in turns, and prints what they took.
pub fn compare(c: Program, own: Vec<Program>) -> Result<ExitCode, Box<dyn Error>> {
    let programs: Vec<Program> = std::iter::once(c).chain(own).collect();
    for program in &programs {
        if rehearse(program)?.is_empty() {
            return Err(format!("{} printed nothing", program.name).into());
        }
    }
    eprintln!("{ROUNDS} runs of each program, in turns");
    take_turns(&programs, WARM_UP)?;
    let mut times = take_turns(&programs, ROUNDS)?;
    let of_c = times.first_mut().ok_or("no program took turns")?;
    let elapsed = percentile(&mut of_c.elapsed, 0.5);
    let processor = percentile(&mut of_c.processor, 0.5);

    let mut table = Table::new(["program", "p50", "p90", "p50 / C", "cpu p50", "cpu / C"]);
    let mut ratios = Vec::new();
    for (program, times) in programs.iter().zip(&mut times) {
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
        ratios.push((&program.name, median / elapsed));
    }
    println!("\n{table}\ngoal: at most {GOAL} times the C program");
    for (name, ratio) in ratios.iter().skip(1) {
        println!("{} {name}: {ratio:.2}", if *ratio <= GOAL { "ok  " } else { "MISS" });
    }
    let is_reached = ratios.iter().all(|(_, ratio)| *ratio <= GOAL);
    Ok(if is_reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
