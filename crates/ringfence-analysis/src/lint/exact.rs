//! Patterns that are exact where a star was probably meant.

mod exact_command;
mod exact_directory;
mod one_level_deny;

pub(super) use exact_command::{EXACT_COMMAND, exact_command};
pub(super) use exact_directory::{EXACT_DIRECTORY, exact_directory};
pub(super) use one_level_deny::{ONE_LEVEL_DENY, one_level_deny};

use ringfence_core::{Effect, Pattern};

use super::finding::Severity;
use super::survey::{Entry, List, Survey};

/// What protects less than it seems to matters more than what grants less.
fn severity(entry: &Entry<'_>) -> Severity {
    match entry.says(Effect::Deny) || entry.list == List::Dangers {
        true => Severity::Warning,
        false => Severity::Info,
    }
}

/// Whether another rule of the same kind takes in the wider pattern anyway.
fn is_said_elsewhere<'a>(survey: &Survey<'a>, entry: &Entry<'a>, wider: &Pattern) -> bool {
    let mut around = survey.around(entry);
    around.any(|other| {
        other.is_beside(entry)
            && other.rule.effect == entry.rule.effect
            && survey.compare.includes(&other.rule.pattern, wider)
    })
}
