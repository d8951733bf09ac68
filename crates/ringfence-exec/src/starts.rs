//! What the guard says when a program is started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock, PoisonError};

use ringfence_core::host::Entry;
use ringfence_core::program::{Catalogue, Children};
use ringfence_core::{Effect, Ground, What};
use ringfence_guard::{Action, Call, Judgement, Programs, without_wrapper};
use ringfence_sandbox::gate::{Answer, Started};

use crate::called::{Called, base, is_many, is_same_program};
use crate::family::Kin;
use crate::grounds::{objections_to, objects};
use crate::judge::GuardJudge;
use crate::names;
use crate::todo;
use crate::usual::is_every_runs;

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

/// How rules that ask know a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// As grants do, where `PATH` finds it.
    WhereKnown,
    /// By every name, wherever it lies: the start needs no grant.
    ByAnyName,
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
        let asks = match inherits && !self.is_by_itself(started) {
            true => Asks::ByAnyName,
            false => Asks::WhereKnown,
        };
        let Some(mut judgement) = self.judgement(started, (kin, children), asks) else {
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
    fn judgement(
        &self,
        started: &Started,
        (kin, children): (Kin, Children),
        asks: Asks,
    ) -> Option<Judgement> {
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
        let is_many = is_many(&file, |name| Programs::of(&policy).is_many(name));
        let called = Called { asked: &program, file: &file, told: &name, is_many };
        let args = argv.split_off(argv.len().min(1));
        argv = self.by_told_name(&called, &args).unwrap_or_else(|| called.words(&args));
        // What an agent's own program puts around a command is not the command; the fence holds it.
        if let Some(inner) = without_wrapper(&argv) {
            argv = inner;
        }
        let consider = |argv: Vec<String>| {
            let action = Action::Argv { argv, env: env.clone() };
            let agent = self.scope.agent.clone();
            let call = Call { agent, cwd: Some(cwd.clone()), action };
            let mut judgement = self.guard.consider(&call);
            // What a shell is told to start later comes here by itself then.
            if children == Children::Judged {
                judgement.leave_starts_open();
            }
            if judgement.verdict.effect != Effect::Allow {
                judgement.take_as_given(|what| is_every_runs(what) || self.is_private(what));
                judgement.leave_danger_open(todo::is_named);
            }
            if asks == Asks::ByAnyName {
                judgement.ask_by_any_name(names::is_proxy_of_rustup);
            }
            judgement
        };
        let mut judgement = consider(argv.clone());
        let mut judged_file = file.clone();
        let is_open = judgement.verdict.effect != Effect::Allow;
        // Where no grant is needed, what is asked about a program is asked of its own file in the same way.
        let own = || names::file_of_its_own(&self.guard, &self.seen, started);
        let own = (is_open && asks == Asks::ByAnyName).then(own).flatten();
        let is_own = own.is_some();
        let known = || names::known_elsewhere(&self.guard, &self.seen, started);
        if let Some(known) = own.or_else(|| is_open.then(known).flatten()) {
            let mut words = argv.clone();
            if let Some(first) = words.first_mut() {
                known.path.as_str().clone_into(first);
            }
            if let Some(shim) = known.shim {
                judged_file = shim.to_str()?.to_owned();
            }
            let before = std::mem::replace(&mut judgement, consider(words));
            // A rule that may know the very file by its path is not about the program in general.
            let by_path = |own: &Ground| {
                own.rule().is_some_and(|rule| rule.pattern.to_string().contains('/'))
            };
            let counts = |own: &Ground| !is_own || own.effect() == Effect::Deny || by_path(own);
            judgement.take_objections(before, |own| objects(own) && counts(own));
        }
        // A program that is told another name may act by it. What it starts of its own was asked about.
        let by_itself = self.is_by_itself(started);
        let counts = |own: &Ground| objects(own) && (!by_itself || own.effect() == Effect::Deny);
        let knows = |name: &str| Programs::of(&policy).entry(name).is_some();
        for words in called.others(&args, knows) {
            judgement.take_objections(consider(words), counts);
        }
        is_file_judged(&judgement, &judged_file).then_some(judgement)
    }

    /// Whether this is a file in a directory that the tree has for itself, empty at the start: whoever
    /// may be started may name there what any code may use.
    fn is_private(&self, what: &What) -> bool {
        let What::File(file) = what else { return false };
        let path = Path::new(file.path.real.as_str());
        self.private.iter().any(|own| path.starts_with(own))
    }

    /// Whether a program starts another file of its own, as git does to carry out what it was told:
    /// those words were judged. Neither may be the tree's to change.
    fn is_by_itself(&self, started: &Started) -> bool {
        let stays = |file: &Path| file.to_str().is_some_and(|file| self.seen.stays(file));
        let (by, file) = (&started.by, &started.file);
        is_same_program(&by.to_string_lossy(), &file.to_string_lossy()) && stays(by) && stays(file)
    }

    /// The words of a start whose file is many programs, by the name that it is told: where `PATH`
    /// finds the same file by it, that program is granted or not.
    fn by_told_name(&self, called: &Called<'_>, args: &[String]) -> Option<Vec<String>> {
        let found = self.guard.find_program(base(called.told)).filter(|_| called.is_another())?;
        let real = std::fs::canonicalize(found.as_str()).ok()?;
        let words = || [found.as_str().to_owned()].into_iter().chain(args.iter().cloned());
        (real == Path::new(called.file)).then(|| words().collect())
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
