//! The report of what was refused during a run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::ports::UnpublishedPort;
use crate::time::now;

/// A refused action: how often, to which program, and the rule that would grant it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedAction {
    /// The action, in words.
    pub what: String,
    /// The program that wanted to act.
    pub program: String,
    /// How often it was refused.
    pub times: u64,
    /// When it was first refused, in seconds since 1970.
    pub first: u64,
    /// The reason.
    pub why: String,
    /// The pattern that would grant it, if a grant would help.
    pub grant: Option<String>,
    /// The policy's list to which the pattern belongs.
    pub list: Cow<'static, str>,
    /// Whether the pattern belongs in `allow` too, because a danger opt-in grants nothing by
    /// itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lacks_grant: bool,
    /// Whether it was only recorded: in observe mode nothing is refused.
    pub observed: bool,
    /// Whether programs try this routinely and work without it, such as a shell's history file.
    pub habit: bool,
}

impl RefusedAction {
    /// Returns an entry for an action that no policy line can grant.
    pub(crate) fn plain(what: &str, why: &str) -> RefusedAction {
        RefusedAction {
            what: what.to_owned(),
            program: String::new(),
            times: 1,
            first: now(),
            why: why.to_owned(),
            grant: None,
            list: Cow::Borrowed("allow"),
            lacks_grant: false,
            observed: false,
            habit: false,
        }
    }
}

/// Everything that was refused during a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The refused actions without duplicates, in the order of their first occurrence.
    pub refused: Vec<RefusedAction>,
    /// The number of further refusals that are not listed.
    pub left_out: u64,
    /// The limit that ended the run: `time` or `output`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Cow<'static, str>>,
    /// Granted ports that could not be opened on the host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpublished: Vec<UnpublishedPort>,
}

/// A place in a report that goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReportMark {
    /// How often each entry had been refused.
    times: Vec<u64>,
    left_out: u64,
}

/// The maximum number of entries, so that a program cannot fill the memory.
const MOST: usize = 1000;

/// Collects refusals during a run.
#[derive(Debug, Default)]
pub(crate) struct Collector(Mutex<Collected>);

#[derive(Debug, Default)]
struct Collected {
    report: Report,
    known: BTreeMap<(String, String), usize>,
}

impl Collector {
    pub(crate) fn add(&self, refused: RefusedAction) {
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

    /// Returns the place up to which things were refused by now.
    pub(crate) fn mark(&self) -> ReportMark {
        let report = self.report();
        let times = report.refused.iter().map(|refused| refused.times).collect();
        ReportMark { times, left_out: report.left_out }
    }

    /// Returns what was refused since a mark was made.
    pub(crate) fn since(&self, mark: &ReportMark) -> Report {
        let mut report = self.report();
        let before = mark.times.iter().copied().chain(std::iter::repeat(0));
        for (refused, before) in report.refused.iter_mut().zip(before) {
            refused.times = refused.times.saturating_sub(before);
        }
        report.refused.retain(|refused| refused.times > 0);
        report.left_out = report.left_out.saturating_sub(mark.left_out);
        report
    }

    pub(crate) fn report(&self) -> Report {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).report.clone()
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
