//! Judges changes in repositories by what git would read there afterwards.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::{Access, Effect, Effects};
use ringfence_sandbox::gate::{Answer, Change, Deed};

use super::content::{ContentJudge, JudgedCopy, read, read_or_nothing};
use super::layout::{GitFileKind, SensitiveFile, StateAfter, kind_by_name};
use super::link;
use crate::aliases::{absolute, what};
use crate::judge::{ANY_NAME, GuardJudge};
use crate::rebase_todo;

/// The judgement of one file through which git could run a program.
enum Outcome {
    /// The file runs nothing. If its content already existed, a copy of the judged content replaces
    /// it.
    Inert(Option<JudgedCopy>),
    /// The file is judged after it has been written.
    Later(GitFileKind),
    /// The file could run something.
    Refused,
}

/// The parts of a change that concern repositories.
pub(crate) struct GitChange<'a> {
    after: StateAfter<'a>,
    change: &'a Change,
    /// Sensitive files in repositories that are not named `.git`.
    sensitive: Vec<SensitiveFile>,
    /// Directories that the change turns into repositories.
    becoming: Vec<PathBuf>,
}

impl<'a> GitChange<'a> {
    pub(crate) fn of(change: &'a Change) -> GitChange<'a> {
        let after = StateAfter::of(change);
        let (sensitive, becoming) = after.sensitive();
        GitChange { after, change, sensitive, becoming }
    }
}

impl GuardJudge {
    /// Returns the accesses of a change in repositories that are not named `.git`, under the path
    /// names that rules on `.git` match. Returns `None` if a name is not UTF-8.
    pub(crate) fn as_repositories(&self, git: &GitChange<'_>) -> Option<Vec<Access>> {
        let judged = git.sensitive.iter().filter(|own| !self.is_free(&own.path));
        judged.map(|own| self.by_alias(own)).collect()
    }

    fn by_alias(&self, own: &SensitiveFile) -> Option<Access> {
        Some(self.access(what(Deed::Write, absolute(&own.alias())?)))
    }

    /// Answers changes in a repository. Changes that only the danger list denies are allowed if
    /// their content is harmless.
    ///
    /// The danger list is consulted before any grant. Each change is therefore judged a second time
    /// under a path that no rule names, and must be granted there.
    pub(crate) fn in_a_repository(&self, git: &GitChange<'_>) -> Option<Answer> {
        let deeds = &git.change.deeds;
        let beside = deeds.iter().map(|(deed, path)| (*deed, beside(path)));
        let beside = self.effects(&beside.collect::<Vec<_>>())?;
        if self.guard.consider_effects(beside).verdict.effect != Effect::Allow {
            return None;
        }
        let is_plain =
            git.sensitive.is_empty() && (is_plain(deeds) || rebase_todo::is_plain(deeds));
        let answer = match rebase_todo::harmless(deeds) {
            _ if is_plain => Answer::Allow,
            Some(renewed) => Answer::Renew(vec![renewed]),
            None => self.by_content(git)?,
        };
        self.repositories.note(deeds);
        git.becoming.iter().for_each(|own| self.repositories.claim(own.clone()));
        Some(answer)
    }

    fn by_content(&self, git: &GitChange<'_>) -> Option<Answer> {
        let mut renewed: Vec<JudgedCopy> = Vec::new();
        let mut later = None;
        let mut take = |outcome: Outcome, path: &Path| match outcome {
            Outcome::Inert(own) => {
                renewed.extend(own);
                true
            }
            Outcome::Later(kind) => {
                later = Some((kind, path.to_owned()));
                true
            }
            Outcome::Refused => false,
        };
        for own in git.sensitive.iter().filter(|own| !self.is_free(&own.path)) {
            let source = own.source.as_deref();
            let is_own = git.becoming.contains(&own.git_dir);
            if !take(self.outcome(git, own.kind, &own.path, source, is_own), &own.path) {
                let alias = Effects { accesses: vec![self.by_alias(own)?], ..Effects::default() };
                if self.guard.consider_effects(alias).verdict.effect != Effect::Allow {
                    return None;
                }
            }
        }
        let mut rest = Vec::new();
        for (deed, path) in &git.change.deeds {
            let kind = kind_by_name(path).filter(|_| *deed == Deed::Write);
            let source = git.after.source_of(path);
            // A directory is judged file by file.
            let is_directory = source.is_some_and(|from| from.is_dir() && !from.is_symlink());
            let is_inert = match kind {
                Some(GitFileKind::DotGit) if is_directory => {
                    self.repositories.is_plain(*deed, path)
                }
                Some(GitFileKind::DotGit) => {
                    let outcome = self.outcome(git, GitFileKind::DotGit, path, source, false);
                    let is_inert = self.repositories.is_plain(*deed, path) && take(outcome, path);
                    if !is_inert && !self.is_granted(*deed, path)? {
                        return None;
                    }
                    true
                }
                Some(kind) => take(self.outcome(git, kind, path, source, false), path),
                None => is_directory && is_hooks(path) || self.repositories.is_plain(*deed, path),
            };
            if !is_inert {
                rest.push((*deed, path.clone()));
            }
        }
        if self.guard.consider_effects(self.effects(&rest)?).verdict.effect != Effect::Allow {
            return None;
        }
        renewed.sort();
        renewed.dedup();
        Some(match later {
            Some((kind, path)) => self.when_written(kind, path),
            None if renewed.is_empty() => Answer::Allow,
            None => Answer::Renew(renewed),
        })
    }

    fn is_granted(&self, deed: Deed, path: &Path) -> Option<bool> {
        let effects = self.effects(&[(deed, path.to_owned())])?;
        Some(self.guard.consider_effects(effects).verdict.effect == Effect::Allow)
    }

    /// Judges one file by its content after the change.
    fn outcome(
        &self,
        git: &GitChange<'_>,
        kind: GitFileKind,
        path: &Path,
        source: Option<&Path>,
        is_own: bool,
    ) -> Outcome {
        if let Some(link) = git.change.links.iter().find(|link| link.at == path) {
            let text = link::text_of(link.leads.as_ref());
            let is_plain = |text| kind == GitFileKind::DotGit && link::is_plain_target(path, text);
            return if text.is_some_and(is_plain) {
                Outcome::Inert(None)
            } else {
                Outcome::Refused
            };
        }
        let Some(source) = source else {
            // If the new content were refused later, the old content would already be lost.
            let is_new = kind == GitFileKind::DotGit || !super::layout::exists(path);
            let is_opening = matches!(&*git.change.deeds, [(Deed::Write, _)]);
            return match is_new && is_opening && kind != GitFileKind::Never {
                true => Outcome::Later(kind),
                false => Outcome::Refused,
            };
        };
        let is_own = is_own || self.repositories.has_made(path);
        // Git does not yet read a directory that only now becomes a repository.
        let old = if source == path { Some(Vec::new()) } else { read_or_nothing(path) };
        let (Some(content), Some(old)) = (read(source).ok(), old) else { return Outcome::Refused };
        let is_taken = self.content_judge().takes(kind, path, is_own, &content, &old);
        let taken = Some(content).filter(|_| is_taken);
        taken.map_or(Outcome::Refused, |own| Outcome::Inert(Some((source.to_owned(), own))))
    }

    fn content_judge(&self) -> ContentJudge {
        ContentJudge { guard: Arc::clone(&self.guard), scope: self.scope.clone() }
    }

    /// Answers an open for writing: the content is judged when the file is closed.
    fn when_written(&self, kind: GitFileKind, path: PathBuf) -> Answer {
        let (judge, collector) = (self.content_judge(), Arc::clone(&self.collector));
        let is_own = self.repositories.has_made(&path);
        Answer::WhenWritten(Box::new(move |content: &[u8]| {
            let is_taken = judge.takes(kind, &path, is_own, content, b"");
            if !is_taken {
                let what = format!("write {}", path.display());
                let why = "the content could make git run a program, or cannot be parsed";
                collector.add(crate::report::RefusedAction::plain(&what, why));
            }
            is_taken
        }))
    }
}

/// Returns a path in the same directory that no rule names. For the directory `hooks`, in which
/// rules name every file, returns a path next to it.
fn beside(path: &Path) -> PathBuf {
    match path.parent().filter(|above| is_hooks(above)) {
        Some(above) => above.with_file_name(ANY_NAME),
        None => path.with_file_name(ANY_NAME),
    }
}

/// Returns whether git does this in every new repository: create the directory `hooks`, or test
/// permissions on `config`.
fn is_plain(deeds: &[(Deed, PathBuf)]) -> bool {
    match deeds {
        [(Deed::MakeDirectory, path)] => is_hooks(path),
        [(Deed::About, path)] => path.ends_with("config") && is_of_repository(path),
        _ => false,
    }
}

/// Returns whether a path is a directory `hooks`. Each hook in it is judged by its own name.
fn is_hooks(path: &Path) -> bool {
    path.ends_with("hooks") && is_of_repository(path)
}

fn is_of_repository(path: &Path) -> bool {
    path.iter().any(|part| part.as_encoded_bytes().ends_with(b".git"))
}
