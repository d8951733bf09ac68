//! `ringfence programs`: what is known about programs, and how a line is read by it.

mod entry;
mod list;
mod reading;
mod show;
mod try_line;

use ringfence_core::Policy;
use ringfence_manifest::catalogue;

use crate::args::{ProgramsArgs, ProgramsVerb};
use crate::door;
use crate::exit::{Exit, Failure};

/// How wide columns of names may grow.
const WIDTH: usize = 92;

pub(crate) fn run(args: &ProgramsArgs) -> Result<Exit, Failure> {
    let (ProgramsVerb::List { files, .. }
    | ProgramsVerb::Show { files, .. }
    | ProgramsVerb::Try { files, .. }) = &args.verb;
    let guard = door::open(&files.policies)?;
    match &args.verb {
        ProgramsVerb::List { json, .. } => list::run(&guard, *json),
        ProgramsVerb::Show { name, json, .. } => show::run(&guard, &name.join(" "), *json),
        ProgramsVerb::Try { line, json, .. } => try_line::run(&guard, line, *json),
    }
}

/// The names of all programs and subcommands, those of a policy included.
fn names(policy: &Policy) -> Vec<&str> {
    let mut names: Vec<&str> = catalogue::names().collect();
    names.extend(policy.programs().iter().map(|own| &*own.entry.name));
    names.sort_by_key(|name| (name.to_ascii_lowercase(), *name));
    names.dedup();
    names
}

/// Words in lines that are not too long.
fn wrapped<T: AsRef<str>>(words: &[T], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.iter().map(AsRef::as_ref) {
        let room = width.saturating_sub(word.chars().count().saturating_add(2));
        match lines.last_mut() {
            Some(line) if line.chars().count() <= room => {
                line.push_str("  ");
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Words in columns, read downwards.
fn columns(words: &[&str], width: usize) -> Vec<String> {
    let widest = words.iter().map(|word| word.chars().count()).max().unwrap_or_default();
    let cell = widest.saturating_add(2);
    let across = width.checked_div(cell).unwrap_or(1).max(1);
    let down = words.len().div_ceil(across).max(1);
    let line = |row: usize| {
        let cells = words.iter().skip(row).step_by(down);
        let text: String = cells.map(|word| format!("{word:<cell$}")).collect();
        text.trim_end().to_owned()
    };
    (0..down).map(line).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;
