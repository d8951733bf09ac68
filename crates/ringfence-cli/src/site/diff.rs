//! What would change in a file, line by line.

use ringfence_core::Effect;
use ringfence_guard::redact::{redact, visible};

use crate::show::{self, QUIET};

/// Lines around a change that are shown with it.
const AROUND: usize = 3;
/// The most lines that are compared one with another.
const MOST: usize = 2000;

/// One line of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line<'t> {
    Same(&'t str),
    Gone(&'t str),
    New(&'t str),
}

/// Compares two texts.
pub(crate) fn lines<'t>(before: &'t str, after: &'t str) -> Vec<Line<'t>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let left = old.len().min(new.len()).saturating_sub(same_start);
    let ends = old.iter().rev().zip(new.iter().rev()).take(left);
    let same_end = ends.take_while(|(one, other)| one == other).count();
    let middle = |all: &[&'t str]| {
        all.get(same_start..all.len().saturating_sub(same_end)).unwrap_or_default().to_vec()
    };
    let (gone, come) = (middle(&old), middle(&new));
    let start = old.iter().take(same_start).map(|own| Line::Same(own));
    let end = old.iter().skip(old.len().saturating_sub(same_end)).map(|own| Line::Same(own));
    start.chain(between(&gone, &come)).chain(end).collect()
}

/// The shortest way from one list of lines to another.
fn between<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    if old.len() > MOST || new.len() > MOST {
        let gone = old.iter().map(|own| Line::Gone(own));
        return gone.chain(new.iter().map(|own| Line::New(own))).collect();
    }
    // How many lines the rests of both have in common, from the back.
    let mut table = vec![vec![0usize; new.len().saturating_add(1)]; old.len().saturating_add(1)];
    let at = |table: &[Vec<usize>], i: usize, j: usize| {
        table.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0)
    };
    for (i, one) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            let (below, right) = (i.saturating_add(1), j.saturating_add(1));
            let best = match one == other {
                true => at(&table, below, right).saturating_add(1),
                false => at(&table, below, j).max(at(&table, i, right)),
            };
            if let Some(cell) = table.get_mut(i).and_then(|row| row.get_mut(j)) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j, mut lines) = (0usize, 0usize, Vec::new());
    loop {
        let (below, right) = (i.saturating_add(1), j.saturating_add(1));
        match (old.get(i), new.get(j)) {
            (None, None) => return lines,
            (Some(one), Some(other)) if one == other => {
                lines.push(Line::Same(one));
                (i, j) = (below, right);
            }
            (Some(one), other)
                if other.is_none() || at(&table, below, j) >= at(&table, i, right) =>
            {
                lines.push(Line::Gone(one));
                i = below;
            }
            (_, Some(other)) => {
                lines.push(Line::New(other));
                j = right;
            }
            (Some(_), None) => return lines,
        }
    }
}

/// Prints what changes, with a few lines around it; secrets are not shown.
pub(crate) fn print(before: &str, after: &str) {
    let lines = lines(before, after);
    let is_near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        let around =
            lines.iter().skip(from).take(at.saturating_sub(from).saturating_add(AROUND + 1));
        around.into_iter().any(|own| !matches!(own, Line::Same(_)))
    };
    let plain = |text: &str| visible(&redact(&text.replace('\t', "    "))).into_owned();
    let mut left_out = false;
    for (at, line) in lines.iter().enumerate() {
        if !is_near(at) {
            left_out = true;
            continue;
        }
        if std::mem::take(&mut left_out) {
            show::print(&format!("  {QUIET}…{QUIET:#}"));
        }
        match line {
            Line::Same(text) => show::print(&format!("  {QUIET}  {}{QUIET:#}", plain(text))),
            Line::Gone(text) => {
                let red = show::style(Effect::Deny);
                show::print(&format!("  {red}- {}{red:#}", plain(text)));
            }
            Line::New(text) => {
                let green = show::style(Effect::Allow);
                show::print(&format!("  {green}+ {}{green:#}", plain(text)));
            }
        }
    }
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
