//! The guard as the judge of a run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ringfence_core::access::{AccessScope, Extent, FileAccess, FileOp};
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::program::Children;
use ringfence_core::{Access, Effect, Effects, What};
use ringfence_guard::{Action, Call, Guard, Judgement, Programs, without_wrapper};
use ringfence_sandbox::gate::{Answer, Appeared, Change, Deed, Judge, Started};

use crate::ask::{Approver, Question};
use crate::family::{Family, Kin};
use crate::grounds::{Refusals, can_be_given, is_only_dangerous, objections, objections_to};
use crate::names;
use crate::report::{Collector, Refused};
use crate::script::Exact;
use crate::settings;
use crate::view::Seen;

/// Variables that shells and terminals set for everyone, and that say nothing.
const EVERYDAY: [&str; 6] = ["PWD", "OLDPWD", "SHLVL", "_", "COLUMNS", "LINES"];

/// The kernel's own files: of each the plan says whether it is there.
const KERNEL_TREES: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The guard as the judge of a run.
pub(crate) struct GuardJudge {
    pub(crate) guard: Arc<Guard>,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) collector: Arc<Collector>,
    /// The command that was asked for, for what is not told by command.
    pub(crate) scope: AccessScope,
    /// Directories that the tree has for itself.
    pub(crate) private: Vec<PathBuf>,
    /// What it may read whatever rules say.
    pub(crate) given: Vec<PathBuf>,
    /// Whether children of programs that run project code need grants of their own.
    pub(crate) strict: bool,
    /// Directories that nothing in the tree reaches.
    pub(crate) sealed: Vec<PathBuf>,
    pub(crate) family: Family,
    pub(crate) begun: AtomicBool,
    /// The file that was asked for.
    pub(crate) asked_for: OnceLock<PathBuf>,
    /// The process that is being judged, for the view of the host, and what was seen for it.
    pub(crate) process: Arc<AtomicI32>,
    pub(crate) seen: Arc<Seen>,
    /// The last start that was refused.
    pub(crate) last: Last,
}

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

impl Judge for GuardJudge {
    fn start(&self, started: &Started) -> Answer {
        self.process.store(started.pid, Ordering::Release);
        self.seen.forget();
        // The person who typed the command has granted it.
        if !self.begun.swap(true, Ordering::AcqRel) {
            let (_, process) = self.family.of(started.pid);
            let _ = self.asked_for.set(started.file.clone());
            let kin = Kin { children: self.children(started), asked_for: true };
            self.family.became(process, kin);
            return Answer::Allow;
        }
        let (kin, process) = self.family.of(started.pid);
        let inherits = kin.children == Children::Inherit && !self.strict;
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
            self.family.became(process, Kin { children, asked_for });
        }
        answer
    }

    fn change(&self, change: &Change) -> Answer {
        self.seen.forget();
        let mut effects = Effects::default();
        for (deed, path) in &change.deeds {
            if self.is_sealed(path) {
                return self.refuse_sealed(path, &program_of(change.pid));
            }
            if self.is_free(path) || *deed == Deed::Read && self.is_given(path) {
                continue;
            }
            let Some(path) = path.to_str().and_then(|path| AbsPath::new(path).ok()) else {
                return Answer::Refuse;
            };
            let op = match deed {
                Deed::Read => FileOp::Read,
                Deed::Write | Deed::MakeDirectory | Deed::About => FileOp::Write,
                Deed::Delete => FileOp::Delete,
            };
            let path = FilePath::named(path);
            let file = FileAccess { op, extent: Extent::One, path };
            effects.accesses.push(self.access(What::File(file)));
        }
        let judgement = self.guard.consider_effects(effects);
        if judgement.verdict.effect != Effect::Allow && is_only_dangerous(&judgement) {
            if settings::is_plain(&change.deeds) {
                return Answer::Allow;
            }
            if let Some(content) = settings::harmless(&change.deeds) {
                return Answer::Replace(content);
            }
        }
        self.answer(&judgement, || program_of(change.pid), None)
    }

    fn socket(&self, path: &Path) -> Answer {
        self.seen.forget();
        if self.is_sealed(path) {
            return self.refuse_sealed(path, "");
        }
        if self.is_free(path) {
            return Answer::Allow;
        }
        let Some(path) = path.to_str().and_then(|path| AbsPath::new(path).ok()) else {
            return Answer::Refuse;
        };
        let mut effects = Effects::default();
        effects.accesses.push(self.access(What::Socket(FilePath::named(path))));
        self.answer(&self.guard.consider_effects(effects), String::new, None)
    }

    fn appeared(&self, appeared: &Appeared) {
        self.collector.appeared(appeared);
    }
}

impl GuardJudge {
    fn access(&self, what: What) -> Access {
        Access { scope: self.scope.clone(), ..Access::new(what) }
    }

    /// What the tree has for itself, and the kernel's own files, which Landlock alone holds.
    fn is_free(&self, path: &Path) -> bool {
        let is_kernels = KERNEL_TREES.iter().any(|tree| path.starts_with(tree));
        is_kernels || self.private.iter().any(|own| path.starts_with(own))
    }

    /// What the tree may read without a rule.
    fn is_given(&self, path: &Path) -> bool {
        self.given.iter().any(|own| path.starts_with(own))
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
        if judgement.verdict.effect != Effect::Allow
            && let Some(known) = names::known_elsewhere(&self.guard, started)
        {
            let mut words = argv.clone();
            if let Some(first) = words.first_mut() {
                known.as_str().clone_into(first);
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
        is_file_judged(&judgement, &file).then_some(judgement)
    }

    /// Whether the command that was asked for may set this variable for what it starts.
    fn gives(&self, name: &str) -> bool {
        let access = self.access(What::SetEnv(name.into()));
        self.guard.policy().decide(&access).effect == Effect::Allow
    }

    /// Whether a program runs the script that was asked for.
    fn is_interpreter(&self, started: &Started) -> bool {
        let is_script = |word: &OsString| {
            let file = started.cwd.join(word).canonicalize().ok();
            file.is_some() && file.as_ref() == self.asked_for.get()
        };
        started.argv.iter().skip(1).any(is_script)
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

    /// Whether answers of people are taken there.
    fn is_sealed(&self, path: &Path) -> bool {
        self.sealed.iter().any(|own| path.starts_with(own))
    }

    fn refuse_sealed(&self, path: &Path, program: &str) -> Answer {
        let what = format!("use {}", path.display());
        self.refuse(
            program,
            &what,
            "always protected: a run does not answer itself",
            None,
            "allow",
        );
        Answer::Refuse
    }

    /// The answer; the program is only named where something stands against it.
    fn answer(
        &self,
        judgement: &Judgement,
        program: impl FnOnce() -> String,
        started: Option<&Started>,
    ) -> Answer {
        let effect = judgement.verdict.effect;
        if effect == Effect::Allow {
            return Answer::Allow;
        }
        let program = &program();
        if judgement.is_observed() {
            self.write_down(judgement, program);
            return Answer::Allow;
        }
        if effect == Effect::Deny || !can_be_given(judgement) {
            self.write_down(judgement, program);
            return Answer::Refuse;
        }
        let questions = Refusals::of(judgement, program);
        let exact = started.map(Exact::of).unwrap_or_default();
        let (approver, collector) = (Arc::clone(&self.approver), Arc::clone(&self.collector));
        Answer::Later(Box::new(move || {
            questions.0.into_iter().all(|refused| {
                let question = Question {
                    what: refused.what.clone(),
                    pattern: refused.grant.clone(),
                    program: refused.program.clone(),
                    why: refused.why.clone(),
                    exact: exact.text().to_owned(),
                    refusal: None,
                };
                let agreed = approver.ask(&question).is_yes() && exact.still_holds();
                if !agreed {
                    collector.add(refused);
                }
                agreed
            })
        }))
    }

    fn write_down(&self, judgement: &Judgement, program: &str) {
        for refused in Refusals::of(judgement, program).0 {
            self.collector.add(refused);
        }
    }

    fn refuse(
        &self,
        program: &str,
        what: &str,
        why: &str,
        grant: Option<String>,
        list: &'static str,
    ) {
        self.collector.add(Refused {
            what: what.to_owned(),
            program: program.to_owned(),
            times: 1,
            why: why.to_owned(),
            grant,
            list,
            observed: false,
            habit: false,
        });
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

/// The program that a process is.
fn program_of(pid: i32) -> String {
    let path = std::fs::read_link(format!("/proc/{pid}/exe"));
    path.map_or_else(|_| "?".to_owned(), |path| path.display().to_string())
}
