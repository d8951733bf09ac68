//! The figures as tables, and the goals beside what was reached.

use std::fmt::Write;

use bench_measure::{Table, percentile};

use crate::Figures;
use crate::engine::Engine;
use crate::growth::{Growth, WORDS};

/// A whole line may cost so many times its bare parse.
const MOST_FOR_WHOLE: f64 = 6.0;

/// Ten times the words may cost so many times as much.
const MOST_GROWTH: f64 = 11.0;

/// Everything there is to say.
pub fn report(figures: &[Figures], growth: &[Growth]) -> String {
    let median = |engine| quantile(figures, engine, 0.5);
    let mut table = Table::new(["engine", "median", "p90", "median / parse"]);
    for engine in Engine::ALL {
        table.push([
            engine.name().to_owned(),
            time(median(engine)),
            time(quantile(figures, engine, 0.9)),
            format!("{:.2}", median(engine) / median(Engine::Parse)),
        ]);
    }
    let mut text = format!("\nmedians over {} lines of medians per line\n\n{table}", figures.len());

    let [few, many] = WORDS.map(|count| format!("{count} words"));
    let mut table =
        Table::new(["words".to_owned(), "engine".to_owned(), few, many, "growth".to_owned()]);
    for kind in growth {
        for engine in Engine::ALL {
            let [few, many] = kind.figures.map(|figures| of(&figures, engine));
            table.push([
                kind.title.to_owned(),
                engine.name().to_owned(),
                time(few),
                time(many),
                format!("{:.2}", many / few),
            ]);
        }
    }
    let _ = writeln!(text, "\n{table}");

    let whole = median(Engine::Whole) / median(Engine::Parse);
    let lead = median(Engine::Brush) / median(Engine::Parse);
    let _ = writeln!(
        text,
        "{}\n{}",
        goal(
            &format!("a verdict costs at most {MOST_FOR_WHOLE} parses"),
            whole,
            whole <= MOST_FOR_WHOLE
        ),
        goal("the parse is ahead of brush-parser's", lead, lead > 1.0),
    );
    for kind in growth {
        for engine in [Engine::Parse, Engine::Whole] {
            let [few, many] = kind.figures.map(|figures| of(&figures, engine));
            let name = format!(
                "{}, {}: ten times the words cost at most {MOST_GROWTH} times as much",
                kind.title,
                engine.name()
            );
            let _ = writeln!(text, "{}", goal(&name, many / few, many / few <= MOST_GROWTH));
        }
    }
    text
}

/// The figure of one engine.
pub fn of(figures: &Figures, engine: Engine) -> f64 {
    figures[engine as usize]
}

fn quantile(figures: &[Figures], engine: Engine, share: f64) -> f64 {
    let mut own: Vec<f64> = figures.iter().map(|line| of(line, engine)).collect();
    percentile(&mut own, share)
}

fn goal(name: &str, value: f64, reached: bool) -> String {
    format!("goal: {name}: {value:.2}, {}", if reached { "reached" } else { "missed" })
}

fn time(nanos: f64) -> String {
    match nanos {
        ..1e4 => format!("{nanos:.0} ns"),
        ..1e7 => format!("{:.1} µs", nanos / 1e3),
        _ => format!("{:.1} ms", nanos / 1e6),
    }
}
