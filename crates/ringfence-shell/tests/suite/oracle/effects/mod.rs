//! What lines really do lies within what was predicted of them.
//!
//! Every line runs in a root of its own, in namespaces without a network, as a user that owns
//! nothing else, for a short time. Programs there record how they were called; those that carry
//! others or touch files are the real ones behind a recorder. `RINGFENCE_ORACLE_EFFECTS` is the
//! number of lines, `RINGFENCE_ORACLE_SHOWN` that of the differences that are shown.

mod compare;
mod grammar;
mod home;
mod kept;
mod kept_predictions;
mod phrases;
mod predict;
mod root;
mod shrink;
mod watch;

use std::sync::atomic::{AtomicUsize, Ordering};

use super::bash::Patience;
use super::differential::{number, on_all, report};
use super::mutate::{commands_of, corpus, mutate};
use super::random::Random;
use compare::{Compared, compare};
use grammar::EffectGrammar;
use root::Root;

/// How many lines are drawn where nothing else is asked for.
const LINES: usize = 240;

fn lines(count: usize, seed: u64) -> Vec<String> {
    let mut grammar = EffectGrammar::new(seed);
    let mut random = Random::new(seed + 1);
    let mut known = corpus();
    known.extend(commands_of("attacks"));
    known.extend(commands_of("benign"));
    let line = |index| match index % 10 {
        0..7 => grammar.line(),
        7 => mutate(&mut random, &grammar.line(), &known),
        8 => random.pick(&known).clone(),
        _ => {
            let line = random.pick(&known).clone();
            mutate(&mut random, &line, &known)
        }
    };
    (0..count).map(line).collect()
}

#[test]
fn what_a_line_does_was_predicted() {
    let Some(root) = Root::find(Patience::Short) else { return };
    let seed = number("RINGFENCE_ORACLE_SEED", 20_261_115) as u64 + 20;
    let lines = lines(number("RINGFENCE_ORACLE_EFFECTS", LINES), seed);
    let counts: [AtomicUsize; 5] = Default::default();
    let wrong = on_all(&lines, |line| {
        let (compared, difference) = compare(&root, line);
        let Compared { run, doubted, programs, files, cut } = compared;
        for (count, more) in counts.iter().zip([run, doubted, programs, files, cut]) {
            count.fetch_add(more, Ordering::Relaxed);
        }
        difference.map(|_| line.to_owned())
    });
    let [run, doubted, programs, files, cut] = counts.map(AtomicUsize::into_inner);
    eprintln!(
        "oracle effects: {} lines, {run} run, {doubted} doubted, {cut} cut short, {programs} \
         programs, {files} files, {} differences",
        lines.len(),
        wrong.len()
    );
    report(&shortened(&root, wrong));
}

/// The shortest of the lines that differ, made shorter, and how they differ.
fn shortened(root: &Root, mut wrong: Vec<String>) -> Vec<String> {
    wrong.sort_by_key(String::len);
    let shown = number("RINGFENCE_ORACLE_SHOWN", 10);
    let shorter = |line: &String| {
        let (line, difference) = shrink::shrink(root, line)?;
        Some(format!("{line:?}\n  {difference}"))
    };
    wrong.iter().take(shown).filter_map(shorter).collect()
}
