//! How a start grows with the project it is in.

use std::error::Error;

use bench_measure::{Program, Table, percentile, rehearse, take_turns};

use crate::contenders::{Contender, POLICIES, SESSION};
use crate::report::{MOST_TO_ENTER, millis};
use crate::work::Work;
use crate::workshop::Workshop;

/// Its name on the command line.
pub const NAME: &str = "growth";

/// As many files are in the project.
const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];
/// The most of bubblewrap's time that a start with every kind of rule may take, in projects of so many files.
const GOALS: [(usize, f64); 2] = [(1_000, 1.0), (100_000, 1.5)];
/// The policy that the goals are about.
const POLICY: &str = "everything";

const ROUNDS: usize = 60;
const WARM_UP: usize = 3;
/// So often nothing is known of the project.
const FIRST: usize = 9;

/// Measures every size, and prints the table and the goals; whether all are reached.
pub fn measure(workshop: &Workshop) -> Result<bool, Box<dyn Error>> {
    let contenders = Contender::growing();
    let head = ["files".to_owned()].into_iter().chain(contenders.map(Contender::name));
    let last = ["/ bwrap", "first start", "session - bare"].map(str::to_owned);
    let mut table = Table::new(head.chain(last));
    let mut goals = Vec::new();
    for files in SIZES {
        let directory = workshop.grown(files)?;
        let words = Work::True.words();
        let programs =
            contenders.map(|own| own.program(Work::True, words, &directory, workshop)).to_vec();
        programs.iter().try_for_each(|own| rehearse(own).map(drop))?;
        take_turns(&programs, WARM_UP)?;
        eprintln!("growth: {files} files");
        let mut times = take_turns(&programs, ROUNDS)?;
        let medians: Vec<f64> =
            times.iter_mut().map(|own| percentile(&mut own.elapsed, 0.5)).collect();
        let of = |name: &str| {
            let is_named = |own: &Contender| own.name().ends_with(name);
            let at = contenders.iter().position(is_named).ok_or(format!("{name}: not measured"));
            at.map(|at| medians[at])
        };
        let ratio = of(POLICY)? / of("bwrap")?;
        let extra = of(SESSION)? - of("bare")?;
        let first = first_start(workshop, &programs, &contenders)?;
        let shown = medians.iter().map(|own| format!("{own:.0} µs"));
        let last = [format!("{ratio:.2}"), format!("{first:.0} µs"), millis(extra)];
        table.push([files.to_string()].into_iter().chain(shown).chain(last));
        for (_, most) in GOALS.iter().filter(|(size, _)| *size == files) {
            let goal = format!("start-up in {files} files: at most {most} of bwrap: {ratio:.2}");
            goals.push((goal, ratio <= *most));
        }
        let most = millis(MOST_TO_ENTER);
        let goal = format!("entering a session in {files} files: at most {most} more than bare");
        goals.push((format!("{goal}: {}", millis(extra)), extra <= MOST_TO_ENTER));
    }
    println!("\nstart-up: `/bin/true`, by the number of files in the project\n\n{table}");
    for (goal, is_reached) in &goals {
        println!("goal: {goal}, {}", if *is_reached { "reached" } else { "missed" });
    }
    Ok(goals.iter().all(|(_, is_reached)| *is_reached))
}

/// The median of starts before which nothing was known.
fn first_start(
    workshop: &Workshop,
    programs: &[Program],
    contenders: &[Contender],
) -> Result<f64, Box<dyn Error>> {
    let policy = POLICIES.into_iter().find(|own| own.name == POLICY);
    let wanted = policy.map(Contender::Ringfence);
    let own = contenders.iter().zip(programs).find(|(own, _)| Some(**own) == wanted);
    let (_, program) = own.ok_or("no such policy")?;
    let mut all = Vec::new();
    for _ in 0..FIRST {
        workshop.forget()?;
        let times = take_turns(std::slice::from_ref(program), 1)?;
        all.extend(times.into_iter().flat_map(|own| own.elapsed));
    }
    Ok(percentile(&mut all, 0.5))
}
