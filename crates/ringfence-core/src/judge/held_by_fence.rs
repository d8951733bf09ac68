//! What a fence holds, so that nobody need be asked about it.
//!
//! In a whole fence the kernel holds files, network, environment and sockets, and judges every
//! start. Then the lack of a grant is lifted for programs, variables and the fence's own ports, and
//! so are doubts about what cannot be read. Nothing else is lifted: no deny, ask or danger rule, no
//! ceiling, and no default of `deny` that a document states.

use std::sync::Arc;

use super::compile::Policy;
use crate::access::{Access, AccessKind, Extent, FileAccess, FileOp};
use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::enforcement::Enforcement;
use crate::net::HostName;
use crate::path::FilePath;
use crate::verdict::{Doubt, DoubtKind, Ground, HeldByFence, Verdict};

impl Policy {
    /// Decides an access in a fence that no allow or ask rule matches. `default` is its effect
    /// without a fence.
    #[cold]
    pub(super) fn decide_ungranted_in_fence(&self, access: &Access, default: Effect) -> Verdict {
        let class = access.class();
        let is_whole = access.scope.enforcement.is_whole() && !access.scope.elsewhere;
        match &access.what {
            AccessKind::Exec(_) | AccessKind::SetEnv(_) => {}
            AccessKind::ReadEnv(_) if is_whole => {
                return Ground::HeldByFence(HeldByFence::Environment).into();
            }
            AccessKind::Listen(_) if is_whole => {
                return Ground::HeldByFence(HeldByFence::OwnNetwork).into();
            }
            AccessKind::Connect(connect) if is_whole && connect.host == HostName::Loopback => {
                return Ground::HeldByFence(HeldByFence::OwnNetwork).into();
            }
            _ => return Ground::NotGranted { class, default }.into(),
        }
        if is_whole && self.lets_unlisted_run(access) {
            let mut verdict = Verdict::from(Ground::HeldByFence(HeldByFence::Unlisted(class)));
            // Whatever file it is: without a grant nothing else ties the name to the file.
            if let AccessKind::Exec(exec) = &access.what {
                self.ask_by_any_name(access, exec, &mut verdict);
            }
            return verdict;
        }
        // `run` is the mildest effect, so that it changes nothing here.
        let default = self.unlisted_programs(access).fold(default, Effect::max);
        Ground::NotGranted { class, default }.into()
    }

    /// Returns whether the documents let a program run that no rule grants.
    ///
    /// Some granting document says so, none says otherwise, and neither the pool nor the
    /// organisation is silent about it while it says what else happens to programs.
    fn lets_unlisted_run(&self, access: &Access) -> bool {
        let says_run = |speaker: u32| {
            let own = self.documents_in_scope(access, Role::grants);
            own.filter(|(_, document)| document.speaker == speaker)
                .any(|(_, document)| document.unlisted_programs == Some(Effect::Allow))
        };
        let speaks = |speaker: u32| {
            let mut own = self.documents_in_scope(access, Role::grants);
            own.any(|(_, document)| {
                document.speaker == speaker
                    && (document.has_stance(access)
                        || document.default_for(Class::Exec).is_some()
                        || document.unlisted_programs.is_some())
            })
        };
        let mut speakers = self
            .documents_in_scope(access, Role::grants)
            .map(|(_, document)| document.speaker)
            .filter(|speaker| speaks(*speaker))
            .peekable();
        speakers.peek().is_some()
            && speakers.all(says_run)
            && self.unlisted_programs(access).all(|effect| effect == Effect::Allow)
            && self.stated_default(access) != Some(Effect::Deny)
            && !self.is_scoped_by_path(&file_of(access))
    }

    /// Returns what the documents say about programs that no rule grants.
    fn unlisted_programs<'p>(&'p self, access: &'p Access) -> impl Iterator<Item = Effect> + 'p {
        let documents = self.documents_in_scope(access, |_| true);
        documents.filter_map(|(_, document)| document.unlisted_programs)
    }

    /// Returns the ground of a doubt: the doubt itself, or that the fence holds what is in doubt.
    pub fn weigh(&self, doubt: &Doubt, enforcement: Enforcement) -> Ground {
        let is_held = enforcement.is_whole()
            && doubt.effect != Effect::Allow
            && match doubt.kind {
                DoubtKind::Program | DoubtKind::LaterStarts => self.settings.unanalysable.is_none(),
                DoubtKind::Place => true,
                DoubtKind::Other => false,
            };
        match is_held {
            true => Ground::HeldByFence(HeldByFence::Unread(Box::new(doubt.clone()))),
            false => doubt.clone().into(),
        }
    }
}

/// Returns whether the exec gate of the fence judges a start again, with all its words. It does not
/// see what a shell does itself, nor what runs on another machine.
pub(super) fn is_judged_again(access: &Access) -> bool {
    let AccessKind::Exec(exec) = &access.what else { return false };
    access.scope.enforcement.is_whole()
        && !access.scope.elsewhere
        && exec.program.file.is_some()
        && exec.carrier.is_none()
}

/// Returns an arbitrary file access in the same scope.
fn file_of(access: &Access) -> Access {
    let path = FilePath::named(crate::path::AbsPath::root());
    let what = AccessKind::File(FileAccess { op: FileOp::Read, extent: Extent::One, path });
    let mut scope = access.scope.clone();
    if let AccessKind::Exec(exec) = &access.what {
        scope.command = Some(Arc::clone(exec));
    }
    Access { what, scope, span: None }
}

#[cfg(test)]
#[path = "held_by_fence_tests.rs"]
mod tests;
