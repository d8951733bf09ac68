//! The policy of a session: to whom it belongs, and what becomes of a change.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence::{PlanInputs, PreparedCommand};
use ringfence_core::Document;
use ringfence_core::bytes::ByteWriter;
use ringfence_exec::session::{Binding, FreshPolicy, PolicySource};
use ringfence_guard::world::{PolicyDraft, RealHost};
use sha2::{Digest, Sha256};

use crate::command::run::{hook, unready};
use crate::door;
use crate::exit::Failure;
use crate::slow_notice::PatientLister;

/// Returns to whom a session of these documents belongs.
pub(crate) fn binding(draft: &PolicyDraft, agent: Option<&str>) -> Result<Binding, Failure> {
    let context = draft.context();
    let root = context.root.as_ref().unwrap_or(&context.cwd).as_str().to_owned();
    let agent = agent.map(str::to_owned);
    Ok(Binding { root, agent, policy: fingerprint(draft)? })
}

/// Reads the documents of a session: those of the project that an agent named, or those that apply here.
pub(crate) fn documents_of(
    host: &RealHost,
    policies: &[PathBuf],
    project: Option<&Path>,
) -> Result<PolicyDraft, Failure> {
    match project {
        Some(project) => door::draft_of_project(host, policies, project),
        None => door::draft(host, policies),
    }
}

/// Hashes the documents in force, and this program: another version may read them otherwise.
fn fingerprint(draft: &PolicyDraft) -> Result<String, Failure> {
    let program = std::fs::metadata("/proc/self/exe").map_err(|error| error.to_string())?;
    let mut to = ByteWriter::new();
    for own in [program.dev(), program.ino(), program.size()] {
        to.number(own);
    }
    for time in [program.mtime(), program.mtime_nsec(), program.ctime(), program.ctime_nsec()] {
        to.text(time.to_le_bytes());
    }
    draft.pack_without_directory(&mut to);
    let hash = Sha256::digest(to.finish());
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The documents of a session, read again where it began.
pub(super) struct SessionDocuments {
    pub(super) policies: Vec<PathBuf>,
    /// The project that an agent named.
    pub(super) project: Option<PathBuf>,
    /// The rules on temporary files, where an agent's hook made the session.
    pub(super) scratch: Option<Document>,
    /// The launcher, for which the plan is made.
    pub(super) launcher: ringfence::Command,
}

impl PolicySource for SessionDocuments {
    fn renew(&mut self, known: &str) -> Result<Option<FreshPolicy>, String> {
        let failed = |failure: Failure| failure.message;
        let host = Arc::new(RealHost::new());
        let draft = documents_of(&host, &self.policies, self.project.as_deref());
        let draft = draft.map_err(failed)?;
        let fingerprint = fingerprint(&draft).map_err(failed)?;
        if fingerprint == known {
            return Ok(None);
        }
        let PreparedCommand { door, planned, .. } = self.ready(draft, &host).map_err(failed)?;
        let (policy, plan) = (door.guard().policy(), planned.plan);
        Ok(Some(FreshPolicy { fingerprint, policy, plan }))
    }
}

impl SessionDocuments {
    /// Makes the plan of the session.
    pub(super) fn ready(
        &self,
        draft: PolicyDraft,
        host: &Arc<RealHost>,
    ) -> Result<PreparedCommand, Failure> {
        let beside = hook(draft.context(), &self.policies);
        let draft = match &self.scratch {
            Some(rules) => draft.with_document(rules.clone()),
            None => draft,
        };
        let lister = PatientLister::new();
        let host = Arc::clone(host);
        let wanted = PlanInputs { draft, host, beside, command: &self.launcher, lister: &lister };
        wanted.prepare_uncached().map_err(unready)
    }
}
