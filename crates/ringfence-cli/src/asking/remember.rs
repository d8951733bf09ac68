//! An answer that lasts: one more rule in the policy.

use std::path::{Path, PathBuf};

use ringfence_core::Effect;
use ringfence_core::path::AbsPath;
use ringfence_exec::queue::RunInfo;
use ringfence_guard::redact::visible;
use ringfence_guard::world::{RealHost, RootFrom, Surroundings};
use ringfence_manifest::amend::{self, ByHand};

use super::policy;
use crate::door::surroundings;
use crate::exit::Failure;
use crate::file::Found;
use crate::manual_rules::{ANSWERS, change, readable, without_secrets};

/// Where an answer that lasts holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerPlace {
    /// In every project.
    Everywhere,
    /// In the project of the question.
    Here,
}

/// Adds a pattern to the policy of a run, as a grant or as a rule that denies; what was done, in
/// words.
pub(crate) fn remember(
    run: &RunInfo,
    pattern: &str,
    effect: Effect,
    place: AnswerPlace,
) -> Result<String, Failure> {
    without_secrets(pattern)?;
    let path = match place {
        AnswerPlace::Everywhere => PathBuf::from(&run.policy),
        AnswerPlace::Here => answers_of(run)?,
    };
    let path = path.as_path();
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
    let before = found.text().map_err(advise)?.unwrap_or(ANSWERS);
    let add = |format, text: &str| amend::add(format, text, &rule);
    match change(path, before, add).map_err(advise)? {
        None => Ok(format!("{} has `{shown}` already", path.display())),
        Some(after) => {
            found.replace(after.as_bytes(), 0o600, readable).map_err(advise)?;
            Ok(format!("added `{shown}` to {}", path.display()))
        }
    }
}

/// Returns the file with the answers for the project in which a run works.
fn answers_of(run: &RunInfo) -> Result<PathBuf, Failure> {
    // A run with a policy of its own reads no answers.
    if run.policy != policy(&[])? {
        return Err(Failure::new("this run has a policy of its own, and no answers of a project")
            .hint(format!("`--always` without `--here` adds the rule to {}", run.policy)));
    }
    let broken = |reason: String| Failure::new(format!("the project cannot be told: {reason}"));
    let directory = AbsPath::new(&run.directory).map_err(|error| broken(error.to_string()))?;
    let here = Surroundings::at(&RealHost::new(), directory, RootFrom::WorkingDirectory);
    let places = here.and_then(|here| here.places()).map_err(|error| broken(error.to_string()))?;
    let file = places.answer_files().here;
    let file =
        file.ok_or_else(|| Failure::new(format!("there is no project in {}", run.directory)))?;
    Ok(PathBuf::from(file.as_str()))
}

#[cfg(test)]
#[path = "remember_tests.rs"]
mod tests;
