//! `programs list`: the names of all programs.

use ringfence_core::program::Catalogue;
use ringfence_guard::{Guard, Programs};
use serde_json::{Value, json};

use super::{WIDTH, names, wrapped};
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};
use crate::words::counted;

pub(super) fn run(guard: &Guard, as_json: bool) -> Result<Exit, Failure> {
    let policy = guard.policy();
    let names = names(&policy);
    let (subs, programs): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| name.contains(' '));
    if as_json {
        let known = Programs::of(&policy);
        let entries: Vec<Value> = programs.iter().filter_map(|name| one(&known, name)).collect();
        show::print(&json!(entries).to_string());
        return Ok(Exit::Allow);
    }
    for same in programs.chunk_by(|one, other| initial(one) == initial(other)) {
        let letter = same.first().and_then(|name| initial(name)).unwrap_or('.');
        for (index, line) in wrapped(same, WIDTH).iter().enumerate() {
            let letter = if index == 0 { letter } else { ' ' };
            show::print(&format!("{QUIET}{letter}{QUIET:#}  {line}"));
        }
    }
    let (programs, subs) = (counted(programs.len(), "program"), counted(subs.len(), "subcommand"));
    show::print(&format!(
        "\n{QUIET}{programs} with {subs}; `ringfence programs show NAME` says what is known{QUIET:#}"
    ));
    Ok(Exit::Allow)
}

fn one(known: &Programs<'_>, name: &str) -> Option<Value> {
    let entry = known.entry(name)?;
    let subs: Vec<_> = entry.subs.iter().filter_map(|sub| sub.names.first()).collect();
    Some(json!({
        "name": &*entry.name,
        "names": entry.names,
        "why": &*entry.why,
        "subcommands": subs,
    }))
}

/// What a name begins with, marks apart.
fn initial(name: &str) -> Option<char> {
    name.chars().next().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase())
}
