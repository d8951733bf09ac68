//! Reads the rules that a user's answers wrote.
//!
//! They stand apart from the user's policy: they only add rules, so that the first of them never
//! ends what holds without a policy.

use ringfence_core::path::AbsPath;
use ringfence_core::{Effect, Role, Settings};
use ringfence_manifest::{Loaded, NoLibrary, read};
use rustix::io::Errno;

use super::document_error::DocumentError;
use super::locations::PolicyLocations;
use super::policy_file::{self, FileRequirement};
use super::project::OpenedPolicy;

/// Reads the answers for every project, and those for the project at the root.
pub(super) fn read_all(places: &PolicyLocations) -> Result<Vec<OpenedPolicy>, DocumentError> {
    let files = places.answer_files();
    let all = [(files.everywhere, "user"), (files.here, "answers")];
    let all = all.into_iter().filter_map(|(path, name)| path.map(|path| (path, name)));
    let there = |path: &AbsPath| {
        !matches!(rustix::fs::lstat(path.as_str()), Err(Errno::NOENT | Errno::NOTDIR))
    };
    all.filter(|(path, _)| there(path))
        .map(|(path, name)| read_one(&path, name, places.user))
        .collect()
}

fn read_one(path: &AbsPath, name: &str, user: u32) -> Result<OpenedPolicy, DocumentError> {
    let name = format!("{name} {}", path.file_name());
    let file = policy_file::read(path, |_| name, FileRequirement::User(user))?;
    let loaded = read(&file.source, Role::Answers, &NoLibrary)?;
    if !only_adds(&loaded) {
        let reason = "it may hold nothing but `allow`, `deny` and `danger`";
        let hint = "put everything else into `~/.config/ringfence/policy.toml`";
        return Err(DocumentError::unusable(path.as_str(), reason).with_hint(hint));
    }
    let mut files = vec![path.clone(), file.path];
    files.dedup();
    Ok(OpenedPolicy { source: file.source, loaded, files })
}

/// Returns whether a document has only rules that could stand in any list of answers.
fn only_adds(loaded: &Loaded) -> bool {
    let own = &loaded.document;
    let answers = own.rules.iter().all(|rule| rule.effect != Effect::Ask);
    let states = own.default.is_some() || own.tool_default.is_some();
    let lists = own.dangerous.is_empty()
        && own.stances.is_empty()
        && own.fallback.is_empty()
        && own.directories.is_empty()
        && own.programs.is_empty()
        && own.servers.is_empty()
        && own.tables.is_empty();
    let beside =
        loaded.ceilings.is_empty() && loaded.servers.is_empty() && loaded.extends.is_empty();
    answers && !states && lists && beside && own.settings == Settings::default()
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
