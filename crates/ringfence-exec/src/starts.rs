//! What the guard says when a program is started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock, PoisonError};

use ringfence_core::host::Entry;
use ringfence_core::program::Children;
use ringfence_core::{Effect, What};
use ringfence_guard::{Action, Call, Judgement, Programs, without_wrapper};
use ringfence_sandbox::gate::{Answer, Started};

use crate::family::Kin;
use crate::grounds::{objections, objections_to};
use crate::judge::GuardJudge;
use crate::names;

/// Variables that shells and terminals set for everyone, and that say nothing.
const EVERYDAY: [&str; 6] = ["PWD", "OLDPWD", "SHLVL", "_", "COLUMNS", "LINES"];

/// A start that was refused: who wanted it, which file, which words.
#[derive(Debug, Default)]
pub(crate) struct Last(Mutex<Option<(i32, PathBuf, Vec<OsString>)>>);

impl Last {
    /// Whether this is the start that was refused just before, of the same file by another name:
    /// shells and `execvp` try `/usr/bin` and `/bin` one after the other.
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
    /// What holds for those that it starts, once it does.
    children: OnceLock<Children>,
}

impl AskedFor {
    /// The file, if it is a script.
    fn script(&self) -> Option<&PathBuf> {
        self.started.interpreter.as_ref().map(|_| &self.started.file)
    }
}

impl GuardJudge {
    pub(crate) fn may_start(&self, started: &Started) -> Answer {
        self.process.store(started.pid, Ordering::Release);
        self.seen.forget();
        self.seen.tell(&started.cwd, Entry::Dir);
        self.seen.tell(&started.file, Entry::File { links: started.links });
        // The person who typed the command has granted it.
        if self.asked_for.get().is_none() {
            self.family.may_become(started.process, Kin { children: None, asked_for: true });
            // Most commands start nothing: only then it counts what holds for it, and is looked up.
            let own = AskedFor { started: started.clone(), children: OnceLock::new() };
            if self.asked_for.set(own).is_ok() {
                return Answer::Allow;
            }
        }
        let kin = self.family.of(started);
        let inherits = self.children_of(kin) == Children::Inherit && !self.strict;
        let children = if inherits { Children::Inherit } else { self.children(started) };
        let Some(mut judgement) = self.judgement(started, kin) else {
            let name = started.asked.display().to_string();
            self.refuse(&name, &format!("run `{name}`"), "it cannot be read", None, "allow");
            return Answer::Refuse;
        };
        if inherits {
            judgement.verdict = objections_to(&judgement, |what| is_given(what, started));
        }
        let is_refused = judgement.verdict.effect == Effect::Deny && !judgement.is_observed();
        if is_refused && self.last.is_again(started) {
            return Answer::Refuse;
        }
        if is_refused {
            self.last.remember(started);
        }
        // The process is still what it was before.
        let program = || started.by.display().to_string();
        let answer = self.answer(&judgement, program, Some(started));
        if matches!(answer, Answer::Allow | Answer::Later(_)) {
            let asked_for = kin.asked_for && self.is_interpreter(started);
            self.family.may_become(started.process, Kin { children: Some(children), asked_for });
        }
        answer
    }

    /// What the guard says of a start; none where its words cannot be read.
    fn judgement(&self, started: &Started, kin: Kin) -> Option<Judgement> {
        let text = |own: &std::ffi::OsString| own.to_str().map(str::to_owned);
        let mut argv = started.argv.iter().map(text).collect::<Option<Vec<String>>>()?;
        let changed = started.changed.iter().map(text).collect::<Option<Vec<String>>>()?;
        let cwd = started.cwd.to_str()?.to_owned();
        let file = started.file.to_str().filter(|_| started.file.is_absolute())?.to_owned();
        let name = argv.first().cloned().unwrap_or_default();
        let asked = started.asked.to_str().filter(|asked| !is_own_link(asked) && !asked.is_empty());
        let program = asked.unwrap_or(&file).to_owned();
        let split = |own: String| match own.split_once('=') {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (own, String::new()),
        };
        let env: Vec<_> = changed.into_iter().map(split).collect();
        let policy = self.guard.policy();
        let by = started.by.to_string_lossy();
        let is_habit =
            |name: &str| EVERYDAY.contains(&name) || Programs::of(&policy).sets(&by, name);
        let is_own = |name: &str| kin.asked_for && self.gives(name);
        let env = env.into_iter().filter(|(name, _)| !is_habit(name) && !is_own(name));
        let env: Vec<_> = env.collect();
        match argv.first_mut() {
            Some(first) => first.clone_from(&program),
            None => argv.push(program.clone()),
        }
        // What an agent's own program puts around a command is not the command; the fence holds it.
        if let Some(inner) = without_wrapper(&argv) {
            argv = inner;
        }
        let consider = |argv: Vec<String>| {
            let action = Action::Argv { argv, env: env.clone() };
            let agent = self.scope.agent.clone();
            self.guard.consider(&Call { agent, cwd: Some(cwd.clone()), action })
        };
        let mut judgement = consider(argv.clone());
        let mut judged_file = file;
        if judgement.verdict.effect != Effect::Allow
            && let Some(known) = names::known_elsewhere(&self.guard, &self.seen, started)
        {
            let mut words = argv.clone();
            if let Some(first) = words.first_mut() {
                known.path.as_str().clone_into(first);
            }
            if let Some(shim) = known.shim {
                judged_file = shim.to_str()?.to_owned();
            }
            let objections = objections(&judgement);
            judgement = consider(words);
            judgement.verdict.take_in(&objections);
        }
        // A program that is told another name may act by it.
        if base(&name) != base(&program) && !base(&name).is_empty() {
            if let Some(first) = argv.first_mut() {
                base(&name).clone_into(first);
            }
            let other = consider(argv);
            let objections = objections(&other);
            judgement.verdict.take_in(&objections);
        }
        is_file_judged(&judgement, &judged_file).then_some(judgement)
    }

    /// Whether the command that was asked for may set this variable for what it starts.
    fn gives(&self, name: &str) -> bool {
        let access = self.access(What::SetEnv(name.into()));
        self.guard.policy().decide(&access).effect == Effect::Allow
    }

    /// Whether a program runs the script that was asked for.
    fn is_interpreter(&self, started: &Started) -> bool {
        let Some(script) = self.asked_for.get().and_then(AskedFor::script) else { return false };
        let is_script = |word: &OsString| {
            started.cwd.join(word).canonicalize().is_ok_and(|file| file == *script)
        };
        started.argv.iter().skip(1).any(is_script)
    }

    /// What holds for those that a program starts.
    fn children_of(&self, kin: Kin) -> Children {
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

/// Whether the program that was judged is the file that would run.
fn is_file_judged(judgement: &Judgement, file: &str) -> bool {
    let first = judgement.parts().find_map(|part| match &part.access.what {
        What::Exec(exec) => Some(exec),
        _ => None,
    });
    first.and_then(|exec| exec.program.file.as_ref()).is_none_or(|own| own.as_str() == file)
}

/// Whether a start really gives a variable to the program. What the text of a script would set is
/// judged when the script starts something with it.
fn is_given(what: &What, started: &Started) -> bool {
    let (What::SetEnv(name) | What::ReadEnv(name)) = what else { return true };
    started
        .changed
        .iter()
        .any(|own| own.to_str().is_some_and(|own| own.split('=').next() == Some(&**name)))
}

/// A path by which a process names what it has open.
fn is_own_link(path: &str) -> bool {
    path.starts_with("/proc/") || path.starts_with("/dev/fd/")
}

/// The last part of a name, without the dash of login shells.
fn base(name: &str) -> &str {
    let name = name.strip_prefix('-').unwrap_or(name);
    name.rsplit('/').next().unwrap_or(name)
}
