//! `cargo xtask oracle`: the comparisons with real shells and other parsers, for as long as asked.
//!
//! It runs the same tests as the gate, in rounds, each with a seed of its own, and adds up what
//! they say. It compares nothing itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::step::{Step, cargo};
use crate::{Failure, Outcome};

/// How long it runs when nobody says.
const DEFAULT_MINUTES: u64 = 10;

/// The seed when nobody says.
const DEFAULT_SEED: u64 = 1;

/// The manifest of the other parsers' workspace.
pub(crate) const PEERS: &str = "oracle/Cargo.toml";

/// The lines of one round: those that are compared as text, and those whose effects are.
const ROUND: [(&str, &str); 3] = [
    ("RINGFENCE_ORACLE_LINES", "1200"),
    ("RINGFENCE_ORACLE_EFFECTS", "800"),
    ("RINGFENCE_ORACLE_SHOWN", "20"),
];

/// Runs round after round until the time is over.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Outcome {
    let wanted = Wanted::parse(arguments)?;
    let build = ["test", "-p", "ringfence-shell", "--test", "all", "--no-run", "--locked"];
    Step::cargo(root, "build the comparisons", build).run()?;
    let peers = ["build", "--manifest-path", PEERS, "--target-dir", "target/oracle", "--locked"];
    Step::cargo(root, "build the other parsers", peers).run()?;
    let start = Instant::now();
    let mut counts = Counts::default();
    let mut differing = 0_usize;
    let mut seed = wanted.seed;
    while start.elapsed() < wanted.time || seed == wanted.seed {
        differing = differing.saturating_add(usize::from(!round(root, seed, &mut counts)?));
        // Each test adds a small number of its own to the seed.
        seed = seed.wrapping_add(1000);
    }
    let minutes = start.elapsed().as_secs() / 60;
    println!("\n== {minutes} minutes, seeds from {} in steps of 1000", wanted.seed);
    print!("{}", counts.text());
    match differing {
        0 => Ok(()),
        count => Err(Failure(format!("{count} rounds found differences; they are shown above"))),
    }
}

/// One round; whether nothing differed.
fn round(root: &Path, seed: u64, counts: &mut Counts) -> Result<bool, Failure> {
    let output = Command::new(cargo())
        .args(["test", "-q", "-p", "ringfence-shell", "--test", "all", "--locked"])
        .args(["suite::oracle", "--", "--nocapture", "--test-threads=1"])
        .envs(ROUND)
        .env("RINGFENCE_ORACLE_SEED", seed.to_string())
        .env("RINGFENCE_ORACLE_PEERS", root.join("target/oracle/debug/oracle-peers"))
        .env("RUST_BACKTRACE", "0")
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure(format!("the tests could not start: {error}")))?;
    let said = String::from_utf8_lossy(&output.stderr);
    said.lines().for_each(|line| counts.add(line));
    if let Some(skipped) = said.lines().find(|line| line.contains("skipped: ")) {
        return Err(Failure(format!("nothing is compared where a test is {skipped}")));
    }
    if !output.status.success() {
        println!("-- seed {seed}\n{said}");
    }
    Ok(output.status.success())
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    time: Duration,
    seed: u64,
}

impl Wanted {
    fn parse(arguments: &[&str]) -> Result<Wanted, Failure> {
        let mut wanted = Wanted {
            time: Duration::from_secs(DEFAULT_MINUTES.saturating_mul(60)),
            seed: DEFAULT_SEED,
        };
        let mut rest = arguments;
        while let [name, value, more @ ..] = rest {
            let number: u64 =
                value.parse().map_err(|_| Failure(format!("`{value}` is no number")))?;
            match *name {
                "--minutes" => wanted.time = Duration::from_secs(number.saturating_mul(60)),
                "--seed" => wanted.seed = number,
                other => return Err(Failure(format!("not understood: `{other}`"))),
            }
            rest = more;
        }
        match rest {
            [] => Ok(wanted),
            other => Err(Failure(format!("not understood: `{}`", other.join(" ")))),
        }
    }
}

/// The sums of what the tests say: `oracle KIND: N what, M what`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts(BTreeMap<String, Vec<(String, u64)>>);

impl Counts {
    fn add(&mut self, line: &str) {
        let said = line.trim().strip_prefix("oracle ").and_then(|rest| rest.split_once(": "));
        let Some((kind, parts)) = said else { return };
        let sums = self.0.entry(kind.to_owned()).or_default();
        for part in parts.split(", ") {
            let Some((number, what)) = part.trim().split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match sums.iter_mut().find(|(own, _)| own == what) {
                Some((_, sum)) => *sum = sum.saturating_add(number),
                None => sums.push((what.to_owned(), number)),
            }
        }
    }

    fn text(&self) -> String {
        let kind = |(kind, sums): (&String, &Vec<(String, u64)>)| {
            let sums: Vec<String> =
                sums.iter().map(|(what, number)| format!("{number} {what}")).collect();
            format!("{kind}: {}\n", sums.join(", "))
        };
        self.0.iter().map(kind).collect()
    }
}

#[cfg(test)]
#[path = "oracle_tests.rs"]
mod tests;
