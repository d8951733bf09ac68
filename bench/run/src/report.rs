//! The tables, and whether the goals are reached.

use bench_measure::{Table, Times, percentile};

use crate::contenders::{Contender, SESSION};
use crate::work::Work;

/// What was measured of some work, one entry per contender.
pub struct Measured {
    /// The work.
    pub work: Work,
    /// Who did it, the bare command first.
    pub contenders: Vec<Contender>,
    /// Starting something that does nothing, in the directory of the work.
    pub startup: Vec<Times>,
    /// The work as a whole; nothing where it is nothing.
    pub whole: Vec<Times>,
}

/// What is to be reached.
struct Goal {
    work: Work,
    policy: &'static str,
    /// Beside whom.
    peer: &'static str,
    most: f64,
}

const GOALS: [Goal; 4] = [
    Goal { work: Work::True, policy: "files", peer: "bwrap", most: 0.75 },
    Goal { work: Work::True, policy: "everything", peer: "bwrap", most: 1.0 },
    Goal { work: Work::Grep, policy: "deny globs", peer: "bare", most: 1.15 },
    Goal { work: Work::Make, policy: "exec gate", peer: "bare", most: 1.4 },
];

/// The most microseconds that entering a session may add to the bare command, for any project size.
pub const MOST_TO_ENTER: f64 = 2_000.0;

/// Prints the tables and the goals; whether all are reached.
pub fn print(measured: &mut [Measured]) -> bool {
    for own in measured.iter_mut() {
        match own.work {
            Work::True => {
                println!("\nstart-up: `/bin/true` in a small project\n\n{}", startup(own))
            }
            work => println!("\n{}\n\n{}", work.name(), beyond(own)),
        }
    }
    let mut reached = true;
    for goal in &GOALS {
        let Some(own) = measured.iter_mut().find(|own| own.work == goal.work) else { continue };
        let ratio = own.figure(goal.policy) / own.figure(goal.peer);
        let is_reached = ratio <= goal.most;
        let what = match goal.work {
            Work::True => "start-up".to_owned(),
            work => format!("{}, beyond start-up", work.name()),
        };
        println!(
            "goal: {what}, with {}: at most {} of {}: {ratio:.2}, {}",
            goal.policy,
            goal.most,
            goal.peer,
            if is_reached { "reached" } else { "missed" }
        );
        reached &= is_reached;
    }
    for own in measured.iter_mut() {
        let [bare, session] = ["bare", SESSION].map(|name| own.startup_of(name));
        let extra = session - bare;
        let is_reached = extra <= MOST_TO_ENTER;
        println!(
            "goal: entering a session, where `{}` works: at most {} more than bare: {}, {}",
            own.work.name(),
            millis(MOST_TO_ENTER),
            millis(extra),
            if is_reached { "reached" } else { "missed" }
        );
        reached &= is_reached;
    }
    reached
}

fn startup(measured: &mut Measured) -> Table {
    let mut table = Table::new(["", "p50", "p90", "/ bare", "/ bwrap", "cpu p50"]);
    let [bare, bwrap] = ["bare", "bwrap"].map(|name| measured.figure(name));
    for (contender, times) in measured.contenders.iter().zip(&mut measured.startup) {
        let median = percentile(&mut times.elapsed, 0.5);
        table.push([
            contender.name(),
            format!("{median:.0} µs"),
            format!("{:.0} µs", percentile(&mut times.elapsed, 0.9)),
            format!("{:.2}", median / bare),
            format!("{:.2}", median / bwrap),
            format!("{:.0} µs", percentile(&mut times.processor, 0.5)),
        ]);
    }
    table
}

fn beyond(measured: &mut Measured) -> Table {
    let mut table =
        Table::new(["", "start-up", "beyond it", "/ bare", "whole", "/ bare", "/ bwrap"]);
    let [bare, bwrap] = [0, 1].map(|at| percentile(&mut measured.whole[at].elapsed, 0.5));
    let bare_beyond = measured.figure("bare");
    for at in 0..measured.contenders.len() {
        let startup = percentile(&mut measured.startup[at].elapsed, 0.5);
        let whole = percentile(&mut measured.whole[at].elapsed, 0.5);
        table.push([
            measured.contenders[at].name(),
            millis(startup),
            millis(whole - startup),
            format!("{:.2}", (whole - startup) / bare_beyond),
            millis(whole),
            format!("{:.2}", whole / bare),
            format!("{:.2}", whole / bwrap),
        ]);
    }
    table
}

pub fn millis(micros: f64) -> String {
    format!("{:.2} ms", micros / 1e3)
}

impl Measured {
    /// The start-up of a contender, by its whole name.
    fn startup_of(&mut self, name: &str) -> f64 {
        let at = self.contenders.iter().position(|own| own.name() == name).unwrap_or_default();
        percentile(&mut self.startup[at].elapsed, 0.5)
    }

    /// The figure that goals are about, by the name of the policy or peer: the start-up where the
    /// work is nothing, what lies beyond it elsewhere.
    fn figure(&mut self, name: &str) -> f64 {
        let is_named =
            |own: &Contender| own.name() == name || own.name().ends_with(&format!(", {name}"));
        let at = self.contenders.iter().position(is_named).unwrap_or_default();
        let startup = percentile(&mut self.startup[at].elapsed, 0.5);
        match self.whole.get_mut(at) {
            None => startup,
            Some(whole) => percentile(&mut whole.elapsed, 0.5) - startup,
        }
    }
}
