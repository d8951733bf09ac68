//! `cargo xtask bench decide`: one resolved access against 10 to 100,000 rules, beside other
//! engines, in the same run and on the same questions.
//!
//! It stops at a wrong answer; it never drops an engine or a size without saying so in the table.

mod peer;
mod peers;
mod report;
mod workload;

use std::time::Duration;

use bench_measure::{Bounds, percentile};
use peer::{Contestant, Kind, Peer, enter};
use workload::Workload;

/// The rule counts, smallest first.
const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

/// How often the engines take turns at each size: whatever the machine does meanwhile befalls all.
const ROUNDS: usize = 4;

/// What an engine gets in its turn, for each kind of question.
const TURN: Bounds = Bounds { budget: Duration::from_millis(500), at_least: 2, at_most: 5_000 };

/// How an engine enters for a workload; the error says why it cannot.
type Entry = fn(&Workload) -> Result<Box<dyn Contestant>, String>;

/// One row of the tables: an engine, and what it took at each size or why it gave no figure.
struct Row {
    name: &'static str,
    enter: Entry,
    cells: Vec<Result<Figures, String>>,
}

/// Median nanoseconds per decision, by kind of question, in the order of [`Kind::ALL`].
type Figures = [f64; 2];

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let mut rows = [
        row::<peers::Ringfence>(),
        row::<peers::RegexAny>(),
        row::<peers::RegexWhich>(),
        row::<peers::Cedar>(),
        row::<peers::Regorus>(),
        row::<peers::Casbin>(),
    ]
    .into_iter()
    .filter(|row| named.is_empty() || named.iter().any(|name| row.name.starts_with(name)))
    .collect::<Vec<Row>>();
    for size in SIZES {
        measure(&mut rows, &Workload::of(size));
    }
    print!("{}", report::report(&rows));
}

fn row<P: Peer + 'static>() -> Row {
    Row { name: P::NAME, enter: enter::<P>, cells: Vec::new() }
}

/// Adds the cell of this workload to every row.
fn measure(rows: &mut [Row], workload: &Workload) {
    let contestants: Vec<_> = rows.iter().map(|row| (row.enter)(workload)).collect();
    let mut samples = vec![[const { Vec::new() }; 2]; rows.len()];
    for _ in 0..ROUNDS {
        for (contestant, samples) in contestants.iter().zip(&mut samples) {
            let Ok(contestant) = contestant else { continue };
            for kind in Kind::ALL {
                samples[kind as usize].extend(contestant.sample(kind, TURN));
            }
        }
    }
    for ((row, contestant), samples) in rows.iter_mut().zip(contestants).zip(samples) {
        let figures = |_| samples.map(|mut of_kind| percentile(&mut of_kind, 0.5));
        row.cells.push(contestant.map(figures));
    }
}
