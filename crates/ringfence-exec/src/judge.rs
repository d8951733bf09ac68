//! The guard as the judge of a run.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, OnceLock};

use ringfence_core::access::AccessScope;
use ringfence_core::path::FilePath;
use ringfence_core::{Access, AccessKind, Effect, Effects};
use ringfence_guard::redact::redact;
use ringfence_guard::{Guard, Judgement, exact_access_text, exact_pattern_for};
use ringfence_sandbox::gate::{Answer, Change, Deed, Judge, Process, Started};

use crate::aliases::{absolute, what};
use crate::ask::{self, ApprovalQuestion, Approver};
use crate::child_policies::ChildPolicies;
use crate::exact_call::ExactCall;
use crate::git::{GitChange, Repositories};
use crate::kernel_files;
use crate::lookup_cache::LookupCache;
use crate::refusal_reasons::{Refusals, can_be_given, decisive_parts, is_only_dangerous};
use crate::report::{Collector, RefusedAction};
use crate::session::SessionEntries;
use crate::starts::{AskedFor, Last};
use crate::time::now;

/// A file name that no rule contains.
pub(crate) const ANY_NAME: &str = "\u{fdd0}";

/// The guard as the judge of a run.
pub(crate) struct GuardJudge {
    pub(crate) guard: Arc<Guard>,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) collector: Arc<Collector>,
    /// The scope of the command that was asked for. It is used where the kernel does not say which
    /// command acts.
    pub(crate) scope: AccessScope,
    /// The private directories of the run.
    pub(crate) private: Vec<PathBuf>,
    /// Files that the run may read without a rule.
    pub(crate) given: Vec<PathBuf>,
    /// Whether the children of programs that run project code need grants of their own.
    pub(crate) strict: bool,
    /// The directories of the sockets that take people's answers. No process of the run may use them.
    pub(crate) sealed: Vec<PathBuf>,
    pub(crate) family: ChildPolicies,
    /// The command that was asked for, once it has started.
    pub(crate) asked_for: OnceLock<AskedFor>,
    /// The process that is being judged, for the run's view of the host.
    pub(crate) process: Arc<AtomicI32>,
    pub(crate) seen: Arc<LookupCache>,
    /// The start that was refused last.
    pub(crate) last: Last,
    /// Repositories that the run made itself.
    pub(crate) repositories: Repositories,
    /// The commands that enter, where the run is a session.
    pub(crate) session: Option<Arc<SessionEntries>>,
}

impl Judge for GuardJudge {
    fn get_ready(&self) {
        self.guard.policy();
    }

    fn start(&self, started: &Started) -> Answer {
        self.may_start(started)
    }

    fn terminal(&self, leader: i32) -> Option<OwnedFd> {
        self.session.as_ref()?.terminal(leader)
    }

    fn stays(&self, path: &Path) -> bool {
        self.seen.leads_where_it_led(path)
    }

    fn became(&self, process: Process) {
        self.family.became(process);
    }

    fn change(&self, change: &Change) -> Answer {
        self.seen.forget();
        self.repositories.settle();
        let paths = change.deeds.iter().map(|(_, path)| path);
        let mut paths = paths.chain(change.also.iter().map(|own| &own.other));
        if let Some(path) = paths.find(|path| self.is_sealed(path)) {
            return self.refuse_sealed(path, &program_of(change.pid));
        }
        let Some(mut effects) = self.effects(&change.deeds) else { return Answer::Refuse };
        let behind = self.behind(&change.links);
        let Some(elsewhere) = self.by_other_names(&change.also) else { return Answer::Refuse };
        let git = GitChange::of(change);
        let Some(as_repositories) = self.as_repositories(&git) else { return Answer::Refuse };
        let stands_for_nothing = behind.is_empty() && elsewhere.is_empty();
        effects.accesses.extend(as_repositories);
        effects.accesses.extend(behind);
        effects.accesses.extend(elsewhere);
        let judgement = self.guard.consider_effects(effects);
        if judgement.verdict.effect != Effect::Allow
            && stands_for_nothing
            && is_only_dangerous(&judgement)
            && let Some(answer) = self.in_a_repository(&git)
        {
            return answer;
        }
        self.answer(&judgement, || program_of(change.pid), None)
    }

    fn socket(&self, path: &Path, also: &[PathBuf]) -> Answer {
        self.seen.forget();
        if let Some(channel) = self.approver.hook_socket()
            && path.parent() == channel.parent()
        {
            // A hook tries the sockets of other runs too; that is not worth a report.
            return if path == channel { Answer::Allow } else { Answer::Refuse };
        }
        let names = || [path].into_iter().chain(also.iter().map(|own| &**own));
        if let Some(path) = names().find(|path| self.is_sealed(path)) {
            return self.refuse_sealed(path, "");
        }
        if self.is_free(path) {
            return Answer::Allow;
        }
        let Some(own) = absolute(path) else { return Answer::Refuse };
        let mut effects = Effects::default();
        for other in also {
            let Some(other) = absolute(other) else { return Answer::Refuse };
            let access = self.only_by_name(AccessKind::Socket(FilePath::named(other)), &own);
            effects.accesses.extend(access);
        }
        effects.accesses.push(self.access(AccessKind::Socket(FilePath::named(own))));
        self.answer(&self.guard.consider_effects(effects), String::new, None)
    }
}

impl GuardJudge {
    pub(crate) fn access(&self, what: AccessKind) -> Access {
        Access { scope: self.scope.clone(), ..Access::new(what) }
    }

    /// Returns the effects of file operations; `None` if a name is not UTF-8.
    pub(crate) fn effects(&self, deeds: &[(Deed, PathBuf)]) -> Option<Effects> {
        let mut effects = Effects::default();
        for (deed, path) in deeds {
            if self.is_free(path) || *deed == Deed::Read && self.is_given(path) {
                continue;
            }
            let own = absolute(path)?;
            let names = [own.clone()].into_iter().chain(kernel_files::names_of_process(&own));
            let accesses = names.map(|name| self.access(what(*deed, name)));
            effects.accesses.extend(accesses.filter(|access| !self.is_usual(access)));
        }
        Some(effects)
    }

    /// Returns whether a path is in a private directory of the run.
    pub(crate) fn is_free(&self, path: &Path) -> bool {
        self.private.iter().any(|own| path.starts_with(own))
    }

    /// Returns whether every run can reach a path unless a rule denies it.
    fn is_usual(&self, access: &Access) -> bool {
        kernel_files::is_every_runs(&access.what)
            && (kernel_files::is_free_device(&access.what)
                || !kernel_files::is_opposed(&self.guard.policy().decide(access)))
    }

    /// Returns whether the run may read a path without a rule.
    fn is_given(&self, path: &Path) -> bool {
        self.given.iter().any(|own| path.starts_with(own))
    }

    /// Returns whether a path leads to a socket that takes people's answers.
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

    /// Returns the answer to the kernel. `program` names the acting program; it is called only if the
    /// verdict is not `allow`.
    pub(crate) fn answer(
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
        let questions = Refusals::of(judgement, program).0.into_iter().zip(deeds(judgement));
        let questions: Vec<(RefusedAction, AccessTexts)> = questions.collect();
        // An approval given in advance does not cover an access that cannot be asked about.
        if questions.is_empty() {
            return Answer::Refuse;
        }
        let exact = started.map(ExactCall::of).unwrap_or_default();
        let (approver, collector) = (Arc::clone(&self.approver), Arc::clone(&self.collector));
        Answer::Later(Box::new(move |waits: &dyn Fn() -> bool| {
            questions.into_iter().all(|(mut refused, texts)| {
                let question = ApprovalQuestion {
                    what: refused.what.clone(),
                    pattern: refused.grant.clone(),
                    exact_pattern: texts.pattern,
                    program: refused.program.clone(),
                    why: refused.why.clone(),
                    exact: exact.text().to_owned(),
                    deed: texts.deed,
                    refusal: None,
                };
                let said = approver.answer_while(&question, waits);
                // A process that was killed was not refused anything.
                if said.is_none() && !waits() {
                    return false;
                }
                let agreed = said.is_some_and(ask::ApprovalAnswer::is_yes) && exact.still_holds();
                if !agreed {
                    let outcome = match said {
                        Some(ask::ApprovalAnswer::No) => "a person said no",
                        Some(_) => "the script changed before it was answered",
                        None if approver.can_ask() => "nobody answered in time",
                        None => "nobody could be asked",
                    };
                    refused.why = format!("{}; {outcome}", refused.why);
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

    pub(crate) fn refuse(
        &self,
        program: &str,
        what: &str,
        why: &str,
        grant: Option<String>,
        list: &'static str,
    ) {
        self.collector.add(RefusedAction {
            what: what.to_owned(),
            program: program.to_owned(),
            times: 1,
            first: now(),
            why: why.to_owned(),
            grant,
            list: list.into(),
            lacks_grant: false,
            observed: false,
            habit: false,
        });
    }
}

/// Returns exactly what is asked about, in the order of the questions; `None` for a doubt.
fn deeds(judgement: &Judgement) -> impl Iterator<Item = AccessTexts> {
    let parts = decisive_parts(judgement).map(|(access, _)| AccessTexts {
        deed: exact_access_text(&access.what),
        pattern: exact_pattern_for(&access.what).filter(|own| redact(own) == *own),
    });
    parts.chain(std::iter::repeat_with(AccessTexts::default))
}

/// The texts that name exactly one access.
#[derive(Debug, Default)]
struct AccessTexts {
    /// With the directory of a command.
    deed: Option<String>,
    /// As a pattern without secrets.
    pattern: Option<String>,
}

/// Returns the program that a process runs.
fn program_of(pid: i32) -> String {
    let path = std::fs::read_link(format!("/proc/{pid}/exe"));
    path.map_or_else(|_| "?".to_owned(), |path| path.display().to_string())
}
