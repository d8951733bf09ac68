//! The figures as tables, and the goals beside what was reached.

use std::fmt::Write;

use bench_measure::Table;

use crate::peer::Kind;
use crate::{Row, SIZES};

/// The engine that the goals are about, and the one it is compared with.
const OURS: &str = "ringfence";
const YARDSTICK: &str = "cedar-policy";

/// From the fewest rules to the most, the cost of a decision may grow so many times.
const MOST_GROWTH: f64 = 4.0;

/// With the fewest rules, a decision is so many times faster than the yardstick's.
const LEAST_LEAD: f64 = 20.0;

/// Everything there is to say about the rows.
pub fn report(rows: &[Row]) -> String {
    let mut text = String::new();
    let sections = Kind::ALL.into_iter().flat_map(|kind| {
        let view = View { rows, kind };
        let title = match kind {
            Kind::Granted => "one rule grants it",
            Kind::Refused => "no rule grants it",
        };
        [
            format!("\n{title}: median time per decision, by number of rules\n\n{}", view.times()),
            format!("{title}: ratios\n\n{}", view.ratios()),
            view.goals(title),
        ]
    });
    for section in sections.chain(failures(rows)) {
        let _ = writeln!(text, "{section}");
    }
    text
}

/// The rows, seen for one kind of query.
struct View<'a> {
    rows: &'a [Row],
    kind: Kind,
}

impl View<'_> {
    fn times(&self) -> Table {
        let sizes = SIZES.into_iter().map(thousands);
        let mut table = Table::new(std::iter::once("engine".to_owned()).chain(sizes));
        for row in self.rows {
            let cells = (0..SIZES.len()).map(|size| self.nanos(row, size).map_or_else(none, time));
            table.push(std::iter::once(row.name.to_owned()).chain(cells));
        }
        table
    }

    fn ratios(&self) -> Table {
        let (fewest, most) = (thousands(SIZES[0]), thousands(SIZES[SIZES.len() - 1]));
        let mut table = Table::new([
            "engine".to_owned(),
            format!("at {most} / at {fewest}"),
            format!("{YARDSTICK} / engine, at {fewest}"),
        ]);
        for row in self.rows {
            let growth = self.growth(row).map_or_else(none, ratio);
            let lead = self.lead(row).map_or_else(none, ratio);
            table.push([row.name.to_owned(), growth, lead]);
        }
        table
    }

    fn goals(&self, title: &str) -> String {
        let ours = self.rows.iter().find(|row| row.name == OURS);
        let goal = |name: &str, value: Option<f64>, reached: fn(f64) -> bool| match value {
            Some(value) if reached(value) => format!("goal, {title}: {name}: {value:.2}, reached"),
            Some(value) => format!("goal, {title}: {name}: {value:.2}, missed"),
            None => format!("goal, {title}: {name}: not measured"),
        };
        let growth = goal(
            &format!("{OURS} grows at most {MOST_GROWTH} times"),
            ours.and_then(|row| self.growth(row)),
            |growth| growth <= MOST_GROWTH,
        );
        let lead = goal(
            &format!("{OURS} is at least {LEAST_LEAD} times faster than {YARDSTICK}"),
            ours.and_then(|row| self.lead(row)),
            |lead| lead >= LEAST_LEAD,
        );
        format!("{growth}\n{lead}")
    }

    /// What a decision costs with the most rules, as a multiple of the cost with the fewest.
    fn growth(&self, row: &Row) -> Option<f64> {
        Some(self.nanos(row, SIZES.len() - 1)? / self.nanos(row, 0)?)
    }

    /// How many times faster than the yardstick the engine is with the fewest rules.
    fn lead(&self, row: &Row) -> Option<f64> {
        let yardstick = self.rows.iter().find(|row| row.name == YARDSTICK)?;
        Some(self.nanos(yardstick, 0)? / self.nanos(row, 0)?)
    }

    fn nanos(&self, row: &Row, size: usize) -> Option<f64> {
        row.cells.get(size)?.as_ref().ok().map(|figures| figures[self.kind as usize])
    }
}

/// Why cells are empty.
fn failures(rows: &[Row]) -> impl Iterator<Item = String> {
    rows.iter().flat_map(|row| {
        row.cells.iter().zip(SIZES).filter_map(move |(cell, size)| {
            let error = cell.as_ref().err()?;
            Some(format!("{} with {} rules: {error}", row.name, thousands(size)))
        })
    })
}

fn thousands(number: usize) -> String {
    match number {
        1_000.. => format!("{},{:03}", number / 1_000, number % 1_000),
        _ => number.to_string(),
    }
}

fn time(nanos: f64) -> String {
    match nanos {
        ..1e4 => format!("{nanos:.0} ns"),
        ..1e7 => format!("{:.1} µs", nanos / 1e3),
        _ => format!("{:.1} ms", nanos / 1e6),
    }
}

fn ratio(value: f64) -> String {
    if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

fn none() -> String {
    "-".to_owned()
}
