//! Judges the start of every program in a run.
//!
//! A start that cannot be read is refused.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock, PoisonError};

use ringfence_core::Effect;
use ringfence_core::host::FileEntry;
use ringfence_core::program::Children;
use ringfence_guard::Programs;
use ringfence_sandbox::gate::{Answer, Started};

use crate::child_policies::ChildPolicy;
use crate::judge::GuardJudge;
use crate::session::EnteredBy;
use crate::start_effects::StartFacts;

/// The start that was refused last: the process, the file and the arguments.
#[derive(Debug, Default)]
pub(crate) struct Last(Mutex<Option<(i32, PathBuf, Vec<OsString>)>>);

impl Last {
    /// Returns whether a start is the one that was refused just before, of the same file by another
    /// name: shells and `execvp` try `/usr/bin` and `/bin` one after the other.
    fn is_again(&self, started: &Started) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().is_some_and(|(pid, file, words)| {
            *pid == started.pid && *file == started.file && words.get(1..) == started.argv.get(1..)
        })
    }

    fn remember(&self, started: &Started) {
        let own = (started.pid, started.file.clone(), started.argv.clone());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(own);
    }
}

/// The command that was asked for.
#[derive(Debug)]
pub(crate) struct AskedFor {
    started: Started,
    /// How its children are judged; looked up when it starts the first one.
    children: OnceLock<Children>,
}

impl AskedFor {
    /// Returns the file if it is a script.
    fn script(&self) -> Option<&PathBuf> {
        self.started.interpreter.as_ref().map(|_| &self.started.file)
    }
}

impl GuardJudge {
    pub(crate) fn may_start(&self, started: &Started) -> Answer {
        self.process.store(started.pid, Ordering::Release);
        self.seen.forget();
        self.seen.tell(&started.cwd, FileEntry::Dir);
        self.seen.tell(&started.file, FileEntry::File { links: started.links });
        // The person who typed the command has granted it. A session's launcher is ringfence itself, and
        // whatever it forks is judged unless it enters.
        if self.asked_for.get().is_none() {
            let kin = match self.session {
                None => ChildPolicy { children: None, asked_for: true },
                Some(_) => ChildPolicy { children: Some(Children::Judged), asked_for: false },
            };
            self.family.may_become(started.process, kin);
            // Most commands start nothing, so how their children are judged is looked up later.
            let own = AskedFor { started: started.clone(), children: OnceLock::new() };
            if self.asked_for.set(own).is_ok() {
                return Answer::Allow;
            }
        }
        match self.session.as_ref().and_then(|session| session.take(started.pid)) {
            None => self.judge_start(started),
            Some(by) => self.enter(started, by),
        }
    }

    /// Judges the start of a command that enters a session. Its variables were chosen by the policy.
    fn enter(&self, started: &Started, by: EnteredBy) -> Answer {
        let started = Started { changed: Vec::new(), ..started.clone() };
        match by {
            EnteredBy::Program => return self.judge_start(&started),
            EnteredBy::Hook => {
                let kin = ChildPolicy { children: Some(Children::Judged), asked_for: false };
                self.family.may_become(started.process, kin);
                return Answer::Allow;
            }
            EnteredBy::Person => {}
        }
        // The person who typed it has granted it.
        let kin = ChildPolicy { children: Some(self.children(&started)), asked_for: true };
        self.family.may_become(started.process, kin);
        if let Some(session) = self.session.as_ref().filter(|_| started.interpreter.is_some()) {
            session.add_script(started.file);
        }
        Answer::Allow
    }

    /// Judges a start.
    fn judge_start(&self, started: &Started) -> Answer {
        let kin = self.family.of(started);
        let inherits = self.children_of(kin) == Children::Inherit && !self.strict;
        let children = if inherits { Children::Inherit } else { self.children(started) };
        let facts = StartFacts {
            needs_grant: !inherits,
            is_by_itself: self.is_by_itself(started),
            children,
            is_asked_for: kin.asked_for,
            may_be_unlisted: self.guard.enforcement().is_whole(),
        };
        let Some(resolved) = self.resolve_start(started, facts) else {
            let name = started.asked.display().to_string();
            self.refuse(&name, &format!("run `{name}`"), "it cannot be read", None, "allow");
            return Answer::Refuse;
        };
        let judgement = self.guard.decide(resolved);
        let is_refused = judgement.verdict.effect == Effect::Deny && !judgement.is_observed();
        if is_refused && self.last.is_again(started) {
            return Answer::Refuse;
        }
        if is_refused {
            self.last.remember(started);
        }
        // The exec has not happened yet: the process still runs the starting program.
        let program = || started.by.display().to_string();
        let answer = self.answer(&judgement, program, Some(started));
        if matches!(answer, Answer::Allow | Answer::Later(_)) {
            let asked_for = kin.asked_for && self.is_interpreter(started);
            self.family
                .may_become(started.process, ChildPolicy { children: Some(children), asked_for });
        }
        answer
    }

    /// Returns whether a program runs the script that was asked for.
    fn is_interpreter(&self, started: &Started) -> bool {
        let script = self.asked_for.get().and_then(AskedFor::script);
        let session = self.session.as_ref();
        let is_script = |word: &OsString| {
            let is_it = |file: &PathBuf| {
                script == Some(file) || session.is_some_and(|session| session.is_script(file))
            };
            started.cwd.join(word).canonicalize().is_ok_and(|file| is_it(&file))
        };
        if script.is_none() && session.is_none() {
            return false;
        }
        started.argv.iter().skip(1).any(is_script)
    }

    /// Returns how the programs that a program starts are judged.
    fn children_of(&self, kin: ChildPolicy) -> Children {
        let asked_for = || {
            let own = self.asked_for.get()?;
            Some(*own.children.get_or_init(|| self.children(&own.started)))
        };
        kin.children.or_else(asked_for).unwrap_or(Children::Judged)
    }

    fn children(&self, started: &Started) -> Children {
        let policy = self.guard.policy();
        let words = started.argv.iter().map(|word| word.to_string_lossy().into_owned());
        let mut argv: Vec<String> = words.collect();
        if let Some(first) = argv.first_mut() {
            *first = started.asked.to_string_lossy().into_owned();
        }
        let root = self.guard.context().root.as_ref();
        let is_project = root.is_some_and(|root| started.file.starts_with(root.as_str()));
        match is_project && started.interpreter.is_none() {
            true => Children::Inherit,
            false => Programs::of(&policy).children(&argv),
        }
    }
}
