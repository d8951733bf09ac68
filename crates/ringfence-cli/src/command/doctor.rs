//! `ringfence doctor`: what this host can hold a run to.

use ringfence::core::Effect;
use ringfence::sandbox::probe::{self, Facet, State};
use serde_json::json;

use crate::args::DoctorArgs;
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};

pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, Failure> {
    let facets = probe::host();
    let full = facets.iter().all(|facet| facet.state == State::Full);
    if args.json {
        let value = json!({ "full": full, "facets": facets });
        let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
        show::print(&text);
    } else {
        facets.iter().for_each(print);
        let said = match full {
            true => "this host holds everything that a policy can say",
            false => "a run that needs what is missing does not start, and says so",
        };
        show::print(said);
    }
    Ok(if full { Exit::Allow } else { Exit::Failed })
}

/// What a run that could not be confined says: the facets that this host lacks.
pub(crate) fn hint() -> String {
    let facets = probe::host();
    let mut missing = facets.iter().filter(|facet| facet.state != State::Full);
    match missing.next() {
        Some(first) => format!("this host lacks {first}; `ringfence doctor` says what to do"),
        None => "`ringfence doctor` finds nothing missing on this host".to_owned(),
    }
}

fn print(facet: &Facet) {
    let Facet { name, holds, state } = facet;
    let style = show::style(match state {
        State::Full => Effect::Allow,
        State::Partial { .. } => Effect::Ask,
        State::None { .. } => Effect::Deny,
    });
    show::print(&format!("{style}{:<8}{style:#}{name}: {QUIET}{holds}{QUIET:#}", state.as_str()));
    if let State::Partial { gap, remedy } | State::None { gap, remedy } = state {
        show::print(&format!("        missing: {gap}"));
        show::print(&format!("        to do:   {remedy}"));
    }
}
