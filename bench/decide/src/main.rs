//! `cargo xtask bench decide`: one resolved access against 10 to 100,000 rules, beside other
//! engines, in the same run and on the same questions.
//!
//! It stops at a wrong answer; it never drops an engine or a size without saying so in the table.

mod peer;
mod peers;
mod report;
mod workload;

use peer::{Figures, Peer, measure};
use workload::Workload;

/// The rule counts, smallest first.
const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

/// One row of the tables: an engine, and what it took at each size or why it gave no figure.
struct Row {
    name: &'static str,
    cells: Vec<Result<Figures, String>>,
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let workloads: Vec<Workload> = SIZES.into_iter().map(Workload::of).collect();
    let rows = [
        row::<peers::Ringfence>(&named, &workloads),
        row::<peers::RegexAny>(&named, &workloads),
        row::<peers::RegexWhich>(&named, &workloads),
        row::<peers::Cedar>(&named, &workloads),
        row::<peers::Regorus>(&named, &workloads),
        row::<peers::Casbin>(&named, &workloads),
    ];
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    print!("{}", report::report(&rows));
}

/// The row of this engine, if no engine was named or this one was.
fn row<P: Peer>(named: &[String], workloads: &[Workload]) -> Option<Row> {
    let wanted = named.is_empty() || named.iter().any(|name| P::NAME.starts_with(name.as_str()));
    wanted.then(|| Row { name: P::NAME, cells: workloads.iter().map(measure::<P>).collect() })
}
