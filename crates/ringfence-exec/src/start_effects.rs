//! The effects of a program's start, with everything that the exec gate knows about it.
//!
//! A start has several names: the word that the caller asked for, the file, the links between them and
//! `argv[0]`. Each name may mean another command. All of them are resolved here, before the guard
//! decides; nothing here decides, and no name by which the program can act may be left out.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use ringfence_core::access::{AskRules, Cover, Exec};
use ringfence_core::program::{Catalogue, Children};
use ringfence_core::{Access, AccessKind, DoubtKind, Effect, Effects};
use ringfence_guard::{Action, Call, Programs, Resolved, without_wrapper};
use ringfence_sandbox::gate::Started;

use crate::argv0::{ProgramNames, base, is_many, is_same_program};
use crate::judge::GuardJudge;
use crate::kernel_files::is_every_runs;
use crate::linked_programs::{self, KnownProgram};
use crate::rebase_todo;

/// Variables that shells and terminals set for everyone, and that say nothing.
const EVERYDAY: [&str; 6] = ["PWD", "OLDPWD", "SHLVL", "_", "COLUMNS", "LINES"];

/// What the gate knows about a start apart from its words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartFacts {
    /// Whether a rule must grant the start. If not, it runs under the grant of a program above it, and
    /// only rules that object count.
    pub(crate) needs_grant: bool,
    /// Whether a program starts another file of its own, whose words were judged before.
    pub(crate) is_by_itself: bool,
    /// What holds for the programs that the started program starts.
    pub(crate) children: Children,
    /// Whether the starting program is the command that a person asked for.
    pub(crate) is_asked_for: bool,
    /// Whether a program may run that no rule grants, so that nothing ties a name to a file.
    pub(crate) may_be_unlisted: bool,
}

impl StartFacts {
    /// Returns how ask rules know the program by the name that it is judged by.
    fn asks(&self) -> AskRules {
        match (self.needs_grant && !self.may_be_unlisted) || self.is_by_itself {
            true => AskRules::LikeAllow,
            false => AskRules::ByAnyName,
        }
    }

    /// Returns how ask rules know the program by a name that only its `argv[0]` or its file has. What a
    /// program starts of its own was asked about before.
    fn asks_by_told_name(&self) -> AskRules {
        match self.is_by_itself {
            true => AskRules::None,
            false => self.asks(),
        }
    }
}

/// The words of a start as text.
struct StartWords {
    /// The word that named the program.
    program: String,
    file: String,
    /// `argv[0]`, or nothing.
    told: String,
    args: Vec<String>,
    /// The variables that the start changes, as `NAME=value`.
    changed: Vec<String>,
    cwd: String,
}

impl StartWords {
    /// Returns the words; `None` if one of them is no text.
    fn of(started: &Started) -> Option<StartWords> {
        let text = |own: &OsString| own.to_str().map(str::to_owned);
        let mut argv = started.argv.iter().map(text).collect::<Option<Vec<String>>>()?;
        let changed = started.changed.iter().map(text).collect::<Option<Vec<String>>>()?;
        let cwd = started.cwd.to_str()?.to_owned();
        let file = started.file.to_str().filter(|_| started.file.is_absolute())?.to_owned();
        let args = argv.split_off(argv.len().min(1));
        let told = argv.pop().unwrap_or_default();
        let asked = started.asked.to_str().filter(|asked| !is_own_link(asked) && !asked.is_empty());
        let program = asked.unwrap_or(&file).to_owned();
        Some(StartWords { program, file, told, args, changed, cwd })
    }
}

impl GuardJudge {
    /// Resolves a start to its effects by all its names. Returns `None` if its words cannot be read, or
    /// if they name another file than the one that would run.
    pub(crate) fn resolve_start(&self, started: &Started, facts: StartFacts) -> Option<Resolved> {
        let words = StartWords::of(started)?;
        let StartWords { program, file, told, args, .. } = &words;
        let policy = self.guard.policy();
        let is_many = is_many(file, |name| Programs::of(&policy).is_many(name));
        let called = ProgramNames { asked: program, file, told, is_many };
        let mut argv = self.by_told_name(&called, args).unwrap_or_else(|| called.words(args));
        // What an agent's own program puts around a command is not the command; the fence holds it.
        if let Some(inner) = without_wrapper(&argv) {
            argv = inner;
        }
        let env = self.judged_variables(&words, started, facts);
        let call = |argv: Vec<String>| Call {
            agent: self.scope.agent.clone(),
            cwd: Some(words.cwd.clone()),
            action: Action::Argv { argv, env: env.clone() },
        };
        let (own, known) = self.known_name(started, facts);
        let mut judged_file = file.as_str();
        let mut resolved = match &known {
            None => self.guard.resolve(&call(argv.clone())),
            Some(known) => {
                let mut words = argv.clone();
                if let Some(first) = words.first_mut() {
                    known.path.as_str().clone_into(first);
                }
                if let Some(shim) = &known.shim {
                    judged_file = shim.to_str()?;
                }
                self.guard.resolve(&call(words))
            }
        };
        if !is_file_named(&resolved.effects, judged_file) {
            return None;
        }
        let mut others = Vec::new();
        if known.is_some() {
            let asked = self.guard.resolve_beside(&resolved, &call(argv));
            add_alias(&mut resolved.effects, &asked);
            others.push((asked, if own { AskRules::WithPath } else { facts.asks() }));
        }
        // A program that is told another name may act by it.
        let knows = |name: &str| Programs::of(&policy).entry(name).is_some();
        for argv in called.others(args, knows) {
            let told = self.guard.resolve_beside(&resolved, &call(argv));
            others.push((told, facts.asks_by_told_name()));
        }
        self.add_facts(&mut resolved.effects, facts);
        for (other, asks) in others {
            resolved
                .effects
                .accesses
                .extend(other.accesses.into_iter().map(|access| by_other_name(access, asks)));
        }
        if !facts.needs_grant {
            resolved.effects.accesses.retain(|access| is_changed(&access.what, started));
        }
        Some(resolved)
    }

    /// Returns the variables that the start changes and that are judged, with their values. Not judged
    /// are those that every shell sets, that the starting program sets by habit, and that the command
    /// that was asked for may set.
    fn judged_variables(
        &self,
        words: &StartWords,
        started: &Started,
        facts: StartFacts,
    ) -> Vec<(String, String)> {
        let policy = self.guard.policy();
        let by = started.by.to_string_lossy();
        let is_habit =
            |name: &str| EVERYDAY.contains(&name) || Programs::of(&policy).sets(&by, name);
        let is_own = |name: &str| facts.is_asked_for && self.may_set(name);
        let split = words.changed.iter().map(|own| own.split_once('=').unwrap_or((own, "")));
        let judged = split.filter(|(name, _)| !is_habit(name) && !is_own(name));
        judged.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Returns where `PATH` finds the program by another name than the one that was asked for, and
    /// whether the file is one that the program there has of its own.
    fn known_name(&self, started: &Started, facts: StartFacts) -> (bool, Option<KnownProgram>) {
        let needs_nothing = !facts.needs_grant && !facts.is_by_itself;
        let own = needs_nothing
            .then(|| linked_programs::find_private_copy(&self.guard, &self.seen, started));
        if let Some(own) = own.flatten() {
            return (true, Some(own));
        }
        (false, linked_programs::find_by_symlink(&self.guard, &self.seen, started))
    }

    /// Adds what is known about the start to the effects of the name that it is judged by.
    fn add_facts(&self, effects: &mut Effects, facts: StartFacts) {
        // Each program that a shell is told to start later comes here by itself if it is judged.
        let is_open =
            |kind: DoubtKind| facts.children == Children::Judged && kind == DoubtKind::LaterStarts;
        effects.doubts.retain(|doubt| facts.needs_grant && !is_open(doubt.kind));
        for access in &mut effects.accesses {
            let scope = &mut access.scope;
            scope.gate.judged_later = rebase_todo::is_named(&access.what);
            if !facts.needs_grant {
                scope.cover = Cover::ObjectionsOnly(asks_about(&access.what, facts.asks()));
            } else if matches!(scope.cover, Cover::OwnGrant | Cover::ParentGrant)
                && (is_every_runs(&access.what) || self.is_private(&access.what))
            {
                scope.cover = Cover::AllowedByDefault;
            }
        }
    }

    /// Returns whether the file is in a directory that the tree has for itself, empty at the start.
    /// Any code of the tree may use what is there, so a start may name it.
    fn is_private(&self, what: &AccessKind) -> bool {
        let AccessKind::File(file) = what else { return false };
        let path = Path::new(file.path.real.as_str());
        self.private.iter().any(|own| path.starts_with(own))
    }

    /// Returns whether a program starts another file of its own, as git does to carry out what it was
    /// told: those words were judged. The tree may be able to change neither file.
    pub(crate) fn is_by_itself(&self, started: &Started) -> bool {
        let stays = |file: &Path| file.to_str().is_some_and(|file| self.seen.stays(file));
        let (by, file) = (&started.by, &started.file);
        is_same_program(&by.to_string_lossy(), &file.to_string_lossy()) && stays(by) && stays(file)
    }

    /// Returns the words of a start whose file is many programs, by its `argv[0]`, if `PATH` finds the
    /// same file by that name: then that program is granted or not.
    fn by_told_name(&self, called: &ProgramNames<'_>, args: &[String]) -> Option<Vec<String>> {
        let found = self.guard.find_program(base(called.told)).filter(|_| called.is_another())?;
        let real = std::fs::canonicalize(found.as_str()).ok()?;
        let words = || [found.as_str().to_owned()].into_iter().chain(args.iter().cloned());
        (real == Path::new(called.file)).then(|| words().collect())
    }

    /// Returns whether the command that was asked for may set this variable for what it starts.
    fn may_set(&self, name: &str) -> bool {
        let access = self.access(AccessKind::SetEnv(name.into()));
        self.guard.policy().decide(&access).effect == Effect::Allow
    }
}

/// Returns an access of another name of the start. It needs no grant: the first name has one.
fn by_other_name(mut access: Access, asks: AskRules) -> Access {
    let scope = &mut access.scope;
    scope.gate.by_other_name = true;
    scope.gate.judged_later = rebase_todo::is_named(&access.what);
    scope.cover = Cover::ObjectionsOnly(asks_about(&access.what, asks));
    access
}

/// Returns how ask rules know a program: rustup's proxies act by the name that they are known by, and
/// by no other.
fn asks_about(what: &AccessKind, asks: AskRules) -> AskRules {
    let is_proxy =
        || matches!(what, AccessKind::Exec(exec) if linked_programs::is_proxy_of_rustup(exec));
    match asks {
        AskRules::ByAnyName if is_proxy() => AskRules::LikeAllow,
        asks => asks,
    }
}

/// Lets allow rules know the started program by the name in other effects, too.
fn add_alias(effects: &mut Effects, other: &Effects) {
    let Some((old, alias)) = first_exec(effects).cloned().zip(first_exec(other)) else { return };
    let mut aliases = old.aliases.clone();
    aliases.push(alias.program.clone());
    let new = Arc::new(Exec { aliases, ..Exec::clone(&old) });
    for access in &mut effects.accesses {
        let what = match &mut access.what {
            AccessKind::Exec(exec) => Some(exec),
            _ => None,
        };
        for exec in what.into_iter().chain(&mut access.scope.command) {
            if Arc::ptr_eq(exec, &old) {
                *exec = Arc::clone(&new);
            }
        }
    }
}

fn first_exec(effects: &Effects) -> Option<&Arc<Exec>> {
    effects.accesses.iter().find_map(|access| match &access.what {
        AccessKind::Exec(exec) => Some(exec),
        _ => None,
    })
}

/// Returns whether the program that the words name is the file that would run.
fn is_file_named(effects: &Effects, file: &str) -> bool {
    let named = first_exec(effects).and_then(|exec| exec.program.file.as_ref());
    named.is_none_or(|own| own.as_str() == file)
}

/// Returns whether an access is kept: an access to a variable only if this start changes that variable,
/// any other access always. Variables that a script sets in its text are judged later, when the script
/// starts a program with them.
fn is_changed(what: &AccessKind, started: &Started) -> bool {
    let (AccessKind::SetEnv(name) | AccessKind::ReadEnv(name)) = what else { return true };
    let mut changed = started.changed.iter().filter_map(|own| own.to_str());
    changed.any(|own| own.split('=').next() == Some(&**name))
}

/// Returns whether the path is one by which a process names what it has open.
fn is_own_link(path: &str) -> bool {
    path.starts_with("/proc/") || path.starts_with("/dev/fd/")
}
