//! An answer that lasts: one more rule in the policy.

use std::path::Path;

use ringfence_core::Effect;
use ringfence_exec::queue::{QuestionSummary, RunInfo};
use ringfence_guard::redact::visible;
use ringfence_guard::world::RealHost;
use ringfence_manifest::amend::{self, ByHand};

use crate::door::surroundings;
use crate::exit::Failure;
use crate::file::Found;
use crate::manual_rules::{FIRST, change, readable, without_secrets};

/// Adds the pattern of a question to the policy of its run, as a grant or as a rule that denies;
/// what was done, in words.
pub(crate) fn remember(
    run: &RunInfo,
    question: &QuestionSummary,
    effect: Effect,
) -> Result<String, Failure> {
    let Some(pattern) = &question.pattern else {
        return Err(Failure::new("no pattern would spare this question")
            .hint("answer it with `--session`, or write a rule yourself"));
    };
    without_secrets(pattern)?;
    let path = Path::new(&run.policy);
    let shown = visible(pattern).into_owned();
    let advise = |failure: Failure| {
        let list = format!("add `{shown}` to the `{effect}` list of {} yourself", path.display());
        failure.hint(list)
    };
    // A person named the policy, wherever it lies.
    let found = Found::look(path, Path::new("/")).map_err(advise)?;
    if found.before.is_some() {
        readable(path).map_err(advise)?;
    }
    let day = surroundings(&RealHost::new())?.context.today;
    let why = format!("answered to {}", run.command.split(' ').next().unwrap_or_default());
    let rule = ByHand { effect, pattern, day, why: Some(&why) };
    let before = found.text().map_err(advise)?.unwrap_or(FIRST);
    let add = |format, text: &str| amend::add(format, text, &rule);
    match change(path, before, add).map_err(advise)? {
        None => Ok(format!("{} has `{shown}` already", path.display())),
        Some(after) => {
            found.replace(after.as_bytes(), 0o600, readable).map_err(advise)?;
            Ok(format!("added `{shown}` to {}", path.display()))
        }
    }
}

#[cfg(test)]
#[path = "remember_tests.rs"]
mod tests;
