//! Branches that a push means without naming them: the one that is checked out, those that a
//! pattern takes in, or all of them.
//!
//! They grant nothing and need no grant; rules that object to pushing a branch meet them.

use std::collections::BTreeSet;
use std::sync::Arc;

use ringfence_core::AccessKind;
use ringfence_core::access::{Arg, Cover, Exec, NO_WORD, UnknownArg, WordMeaning};
use ringfence_core::host::FileEntry;
use ringfence_core::path::AbsPath;
use ringfence_core::program::WordRole;

use super::Walker;
use super::git_remote::{Repository, read};
use crate::argv::{Reading, Use};
use crate::field::Field;
use crate::span::Span;

/// More branches are not told apart.
const MOST: usize = 256;

/// What a push takes along.
enum Pushed {
    /// What is checked out.
    Current,
    /// All branches of a pattern, by what stands before and behind its star.
    Like(String, String),
    /// A branch that cannot be told, by force.
    Forced,
    /// All that there is, for which the danger list has a rule of its own.
    Everything,
}

impl Walker<'_> {
    /// Adds the branches that a push means and does not name.
    #[cold]
    pub(super) fn pushed_branches(&mut self, exec: &Arc<Exec>, reading: &Reading<'_>, span: Span) {
        let is_operand = |own: &&Use<'_>| own.option.is_none();
        let operands: Vec<&Use<'_>> = reading.uses.iter().filter(is_operand).collect();
        let (remotes, refspecs): (Vec<_>, Vec<_>) =
            operands.into_iter().partition(|own| own.role != Some(&WordRole::Refspec));
        let words = refspecs.iter().flat_map(|own| own.fields.iter());
        let mut pushed: Vec<Pushed> = words.filter_map(pushed_by).collect();
        if ["--all", "--branches"].iter().any(|name| reading.has(name)) {
            pushed.push(Pushed::Like(String::new(), String::new()));
        } else if reading.has("--mirror") {
            pushed.push(Pushed::Everything);
        } else if refspecs.is_empty() && !reading.has("--tags") {
            pushed.push(Pushed::Current);
        }
        let remote = remotes.first().and_then(|own| own.fields.first());
        let remote = remote.and_then(|field| field.as_known()).unwrap_or("origin");
        self.pushes_by_sign(reading, remote, &refspecs, span);
        for pushed in pushed {
            for branch in self.branches_of(&pushed) {
                self.push_of(exec, remote, branch, span);
            }
        }
    }

    /// A sign in a refspec says what an option says: `:x` deletes, `+x` forces.
    fn pushes_by_sign(
        &mut self,
        reading: &Reading<'_>,
        remote: &str,
        refspecs: &[&Use<'_>],
        span: Span,
    ) {
        let words = refspecs.iter().flat_map(|own| own.fields.iter()).filter_map(Field::as_known);
        let words: Vec<String> = words.map(str::to_owned).collect();
        let (deletes, forces) = (reading.has("--delete"), reading.has("--force"));
        for word in &words {
            // All that was there stays, for whoever has opted in to it.
            // `+:x` deletes as `:x` does.
            let word = word.strip_prefix('+').filter(|rest| rest.starts_with(':')).unwrap_or(word);
            let (option, name) = match (word.strip_prefix(':'), word.strip_prefix('+')) {
                (Some(name), _) if !name.is_empty() => ("--delete", format!(":{}", short(name))),
                (_, Some(_)) => ("--force", word.to_owned()),
                _ if deletes => ("--delete", format!(":{}", short(word))),
                _ if forces => ("--force", format!("+{word}")),
                _ => continue,
            };
            self.pushes(&[], &[option.to_owned(), remote.to_owned(), name], span);
        }
    }

    /// All branches that are here and there, as `push.default = matching` has it.
    pub(super) fn pushes_all(&mut self, span: Span) {
        let Some(exec) = self.scope.command.clone() else { return };
        for branch in self.branches_of(&Pushed::Like(String::new(), String::new())) {
            self.push_of(&exec, "origin", branch, span);
        }
    }

    /// The branches that are pushed; one that cannot be told where there may be any.
    fn branches_of(&self, pushed: &Pushed) -> Vec<Arg> {
        if matches!(pushed, Pushed::Forced) {
            return vec!["+…".into()];
        }
        let repositories = self.repositories();
        let host = self.world.host();
        let mut names = BTreeSet::new();
        let mut all = !repositories.is_empty();
        for Repository { own, common, .. } in repositories {
            let head = read(host, &own, "HEAD").unwrap_or_default();
            names.extend(head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned));
            if !matches!(pushed, Pushed::Current) {
                let packed = read(host, &common, "packed-refs").unwrap_or_default();
                let packed = packed.lines().filter_map(|line| line.split_once(" refs/heads/"));
                names.extend(packed.map(|(_, name)| name.to_owned()));
                let heads = common.join("refs/heads").ok();
                all &= heads.is_some_and(|heads| self.names_of(&heads, "", &mut names));
            }
        }
        let switched = self.switched_to(&mut names);
        all &= !names.is_empty();
        let is_meant = |name: &String| match pushed {
            Pushed::Current | Pushed::Everything | Pushed::Forced => true,
            Pushed::Like(before, behind) => {
                name.len() >= before.len().saturating_add(behind.len())
                    && name.starts_with(before)
                    && name.ends_with(behind)
            }
        };
        let mut branches: Vec<Arg> = names.into_iter().filter(is_meant).map(Arg::from).collect();
        // What is checked out somewhere that cannot be looked into is nobody's word.
        if !switched || !all && matches!(pushed, Pushed::Like(..)) {
            let shown = "…".into();
            branches.push(Arg::Unknown(UnknownArg { shown, operand: false, many: false }));
        }
        branches
    }

    /// The names below a directory of a repository; false where there are too many.
    fn names_of(&self, directory: &AbsPath, above: &str, names: &mut BTreeSet<String>) -> bool {
        let host = self.world.host();
        let below = host.list(directory).unwrap_or_default();
        let few = below.len() <= MOST && names.len() <= MOST && above.len() <= MOST;
        few && below.iter().all(|name| {
            let whole = format!("{above}{name}");
            let Ok(path) = directory.child(name) else { return true };
            match host.entry(&path) {
                FileEntry::Dir => self.names_of(&path, &format!("{whole}/"), names),
                _ => {
                    names.insert(whole);
                    true
                }
            }
        })
    }

    /// Adds the words of commands before this one that make branches or check them out; false where
    /// one of them cannot be told.
    pub(super) fn switched_to(&self, names: &mut BTreeSet<String>) -> bool {
        const SWITCH: [&str; 6] =
            ["checkout", "switch", "branch", "symbolic-ref", "update-ref", "worktree"];
        let mut all = true;
        for access in &self.effects.accesses {
            let AccessKind::Exec(exec) = &access.what else { continue };
            let switches = |arg: &Arg| arg.known().is_some_and(|word| SWITCH.contains(&word));
            if exec.program.names().any(|name| name == "git") && exec.args.iter().any(switches) {
                let words = exec.args.iter().filter_map(Arg::known);
                let words = words.filter(|word| !word.starts_with('-'));
                names.extend(words.map(|word| word.trim_start_matches("refs/heads/").to_owned()));
                all &= exec.args.iter().all(|arg| arg.known().is_some());
            }
        }
        all
    }

    /// The same push with one branch by its name: it needs no grant, but meets who objects to it.
    fn push_of(&mut self, exec: &Arc<Exec>, remote: &str, branch: Arg, span: Span) {
        let word = |arg: &Arg| match arg {
            Arg::Known(text) => WordMeaning::Word(text.clone()),
            Arg::Unknown(unknown) => WordMeaning::Unknown(unknown.clone()),
        };
        let args: Vec<Arg> = vec!["push".into(), remote.into(), branch];
        let reading = Some(args.iter().map(word).collect());
        let carrier = Some((Arc::clone(exec), NO_WORD));
        let exec = Exec { args, reading, carrier, ..Exec::clone(exec) };
        let before = self.enter(None, Cover::NoGrant);
        self.add(AccessKind::Exec(Arc::new(exec)), span);
        self.come_back(before);
    }
}

/// The name of a branch without what stands before all of them.
fn short(name: &str) -> &str {
    name.strip_prefix("refs/heads/").unwrap_or(name)
}

/// What the word of a refspec takes along, where it does not name it. A name that is not known may be
/// what git has said is checked out.
fn pushed_by(word: &Field) -> Option<Pushed> {
    match word.as_known() {
        Some(text) => pushed(text),
        None if word.prefix().starts_with('+') => Some(Pushed::Forced),
        None => word.as_operand().map(|_| Pushed::Current),
    }
}

/// What a refspec takes along, where it does not name it.
fn pushed(refspec: &str) -> Option<Pushed> {
    let text = refspec.strip_prefix('+').unwrap_or(refspec);
    let (source, target) = text.split_once(':').unwrap_or((text, text));
    if text == ":" {
        return Some(Pushed::Like(String::new(), String::new()));
    }
    if matches!(source, "HEAD" | "@") && matches!(target, "HEAD" | "@" | "") {
        return Some(Pushed::Current);
    }
    let target = target.strip_prefix("refs/").unwrap_or(target);
    let target = target.strip_prefix("heads/").unwrap_or(target);
    let (before, behind) = target.split_once('*')?;
    Some(Pushed::Like(before.to_owned(), behind.to_owned()))
}
