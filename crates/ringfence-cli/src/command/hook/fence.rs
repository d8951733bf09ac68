//! Shell calls that run in the fence of the agent's session: what a hook does about them.
//!
//! The hook starts nothing. It issues a ticket and rewrites the call, so that the agent's shell redeems
//! it. Where anything is missing for that, the call is answered as without a fence.

use std::path::{Path, PathBuf};

use ringfence_core::{Effect, Ground, HookShell};
use ringfence_exec::process_line::agent_above;
use ringfence_exec::tickets::{LIFETIME, Ticket, TicketStore, hash_of, label_of};
use ringfence_guard::world::RealHost;
use ringfence_guard::{Action, Guard, Judgement};
use ringfence_hooks::{
    Agent, AgentProject, HookEvent, HookReply, SAMPLE_SESSION, ShellCall, call_of, redeeming_line,
};

use super::agent_version::runs_rewritten_calls;
use super::own_rules;
use crate::command::run::STATE;
use crate::command::session::{binding, documents_of};
use crate::site::called;

/// A shell call for which everything is there that a fence needs.
pub(super) struct Fenceable<'e> {
    agent: Agent,
    event: &'e HookEvent,
    /// The event as the agent sent it.
    text: &'e str,
    call: ShellCall,
    policies: &'e [PathBuf],
}

/// Returns whether an agent goes on in the directory in which its last command ended.
pub(crate) fn keeps_directory(agent: &str) -> bool {
    matches!(agent.parse(), Ok(Agent::ClaudeCode | Agent::Copilot))
}

/// Returns the guard for calls that run in the fence of a session. A fence that may lack a part holds
/// nothing that would be asked without it.
pub(crate) fn in_session(guard: &Guard) -> Guard {
    let may_lack =
        guard.policy().settings().best_effort.as_ref().is_some_and(|own| !own.is_empty());
    match may_lack {
        true => guard.on(|host| host),
        false => guard.in_whole_fence(),
    }
}

impl<'e> Fenceable<'e> {
    /// Returns the call if the policy wants it fenced and the agent lets its hook rewrite it.
    pub(super) fn of(
        guard: &Guard,
        agent: Agent,
        event: &'e HookEvent,
        text: &'e str,
        policies: &'e [PathBuf],
    ) -> Option<Fenceable<'e>> {
        let is_wanted = guard.policy().settings().hooks.shell == Some(HookShell::Fence);
        let is_sample = event.session.as_deref() == Some(SAMPLE_SESSION);
        // Whatever is in a run is held by that.
        if !is_wanted || is_sample || called::may_be_in_run() {
            return None;
        }
        let call = agent.shell_call(event, text)?;
        Some(Fenceable { agent, event, text, call, policies })
    }

    /// Answers the call: in the fence if it is allowed there. `None` leaves it to the ordinary answer.
    pub(super) fn answer(&self, guard: &Guard) -> Option<HookReply> {
        let Action::Tool { name, input } = &self.event.action else { return None };
        let judgement = in_session(guard).consider(&call_of(self.agent, self.event));
        if judgement.verdict.effect != Effect::Allow || has_own_authority(&judgement) {
            return None;
        }
        let owner = agent_above(std::process::id())?;
        if !runs_rewritten_calls(self.agent, &owner, self.text) {
            return None;
        }
        let project = project(self.event)?;
        if !own_rules::are_silent(guard, self.agent, self.event, &owner, &project) {
            return None;
        }
        let host = RealHost::new();
        let revision = |directory: &str| {
            let draft = documents_of(&host, self.policies, Some(Path::new(directory))).ok()?;
            binding(&draft, Some(self.agent.name())).ok()
        };
        let own = revision(&project)?;
        let session = session_name(self.agent, self.event, &owner, &own.root);
        let ticket = Ticket {
            line: self.call.line.clone(),
            hash: hash_of(&self.call.line),
            agent: self.agent.name().to_owned(),
            tool: (name.clone(), input.clone()),
            cwd: self.event.cwd.clone(),
            project,
            policies: self
                .policies
                .iter()
                .map(std::path::absolute)
                .collect::<Result<_, _>>()
                .ok()?,
            revision: own.policy,
            session,
            owner,
            ends: now().saturating_add(LIFETIME),
        };
        let state = Path::new(guard.context().home.as_str()).join(STATE);
        let id = TicketStore::open(&state).ok()?.issue(&ticket).ok()?;
        let program = std::env::current_exe().ok()?;
        let label = label_of(&self.call.line);
        let keeps = self.call.keeps_directory;
        let line = redeeming_line(program.to_str()?, id.as_str(), &label, keeps);
        self.agent.reply_rewritten(&self.call, &line)
    }
}

fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// The project's real path.
fn project(event: &HookEvent) -> Option<String> {
    let directory = match &event.project {
        AgentProject::Named(directory) => PathBuf::from(directory),
        AgentProject::HooksOwn => std::env::current_dir().ok()?,
        AgentProject::Unknown => return None,
    };
    directory.canonicalize().ok()?.to_str().map(str::to_owned)
}

/// Returns the name of the agent's session: another one for each process of the agent, project and
/// conversation.
fn session_name(
    agent: Agent,
    event: &HookEvent,
    owner: &ringfence_exec::process_line::AgentProcess,
    root: &str,
) -> String {
    let session = event.session.as_deref().unwrap_or_default();
    let all = format!("{} {} {root}\n{session}", owner.pid, owner.started);
    let short: String = hash_of(&all).chars().take(12).collect();
    format!("{}-{short}", agent.name())
}

/// Returns whether a call rests on a rule for one command, which a session does not have.
fn has_own_authority(judgement: &Judgement) -> bool {
    let grounds = judgement.parts().flat_map(|part| &part.verdict.grounds);
    grounds.into_iter().any(|ground| match ground {
        Ground::Rule(own) => own.rule().is_none_or(|rule| {
            rule.effect == Effect::Allow
                && (rule.scope.command.is_some() || rule.scope.unless.is_some())
        }),
        _ => false,
    })
}
