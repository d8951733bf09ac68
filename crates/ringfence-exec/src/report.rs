//! What was refused during a run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// What was refused, how often, to whom, and what would grant it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// What would have been done, in words.
    pub what: String,
    /// The program that wanted it.
    pub program: String,
    /// How often.
    pub times: u64,
    /// Why not.
    pub why: String,
    /// The pattern that would grant it, where a grant would help.
    pub grant: Option<String>,
    /// In which list of the policy the pattern belongs.
    pub list: &'static str,
    /// Whether it was only written down: a policy that observes refuses nothing.
    pub observed: bool,
    /// Whether programs try it by habit and do without: the history of a shell, the memory of an
    /// editor.
    pub habit: bool,
}

/// Everything that was refused during a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Each thing once, in the order in which they were first refused.
    pub refused: Vec<Refused>,
    /// How many more there were than are listed.
    pub left_out: u64,
}

/// The most entries that are kept: a program that tries everything is not to fill the memory.
const MOST: usize = 1000;

/// Collects what is refused.
#[derive(Debug, Default)]
pub(crate) struct Collector(Mutex<Collected>);

#[derive(Debug, Default)]
struct Collected {
    report: Report,
    known: BTreeMap<(String, String), usize>,
}

impl Collector {
    pub(crate) fn add(&self, refused: Refused) {
        let mut collected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Collected { report, known } = &mut *collected;
        let key = (refused.what.clone(), refused.program.clone());
        if let Some(own) = known.get(&key).and_then(|at| report.refused.get_mut(*at)) {
            own.times = own.times.saturating_add(1);
        } else if report.refused.len() >= MOST {
            report.left_out = report.left_out.saturating_add(1);
        } else {
            known.insert(key, report.refused.len());
            report.refused.push(refused);
        }
    }

    pub(crate) fn report(&self) -> Report {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).report.clone()
    }
}
