//! The table, and whether the goals are reached.

use std::process::ExitCode;

use bench_measure::{Table, percentile};

use crate::Figures;
use crate::client::Work;
use crate::proxy::Kind;

/// Prints the table and the goals.
pub fn print(kinds: &[Kind], figures: &mut [Vec<Figures>]) -> ExitCode {
    let heading =
        ["proxy".to_owned()].into_iter().chain(Work::ALL.map(|work| work.name().to_owned()));
    let mut table = Table::new(heading.chain([
        "µs each".to_owned(),
        "µs each".to_owned(),
        "µs a MB".to_owned(),
    ]));
    let mut medians = vec![Vec::new(); kinds.len()];
    for (at, kind) in kinds.iter().enumerate() {
        let mut row = vec![kind.name().to_owned()];
        for (work, figures) in Work::ALL.iter().zip(figures.iter_mut()) {
            let rate = percentile(&mut figures[at].rates, 0.5);
            medians[at].push(rate);
            row.push(format!("{rate:.0} {}", work.unit()));
        }
        for figures in figures.iter_mut() {
            row.push(format!("{:.0}", percentile(&mut figures[at].costs, 0.5)));
        }
        table.push(row);
    }
    println!("\n{table}");
    let of = |kind: Kind| kinds.iter().position(|own| *own == kind).map(|at| &medians[at]);
    let Some(own) = of(Kind::Ringfence) else { return ExitCode::SUCCESS };
    let mut reached = true;
    for (peer, goal) in [(Kind::Tinyproxy, 3), (Kind::Squid, 2)] {
        let Some(theirs) = of(peer) else { continue };
        let ahead = own.iter().zip(theirs).filter(|(own, theirs)| own > theirs).count();
        let ratios: Vec<String> =
            own.iter().zip(theirs).map(|(own, theirs)| format!("{:.2}", own / theirs)).collect();
        let outcome = if ahead >= goal { "reached" } else { "missed" };
        println!(
            "goal: ahead of {} in at least {goal} of 3: {ahead} ({}), {outcome}",
            peer.name(),
            ratios.join(", ")
        );
        reached &= ahead >= goal;
    }
    if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
