//! How commands are confined, and how much they may use.

use ringfence_core::program::Children;
use ringfence_core::{Effect, Facet, Limits, Role, Settings};

use super::context::Context;
use super::settings::ignored;
use crate::de::Spanned;
use crate::quantity::Quantity;
use crate::raw::{ChildrenWord, FacetWord, RawLimits, RawSandbox, UnlistedProgramsWord};
use crate::text::Fault;

pub(super) fn lower(
    cx: &mut Context<'_>,
    sandbox: Option<RawSandbox>,
    limits: Option<RawLimits>,
    settings: &mut Settings,
) {
    let sandbox = sandbox.unwrap_or_default();
    settings.children = sandbox.children.map(|word| match word {
        ChildrenWord::Inherit => Children::Inherit,
        ChildrenWord::Judged => Children::Judged,
    });
    settings.unlisted_programs = sandbox.unlisted_programs.map(|word| match word {
        UnlistedProgramsWord::Run => Effect::Allow,
        UnlistedProgramsWord::Ask => Effect::Ask,
        UnlistedProgramsWord::Deny => Effect::Deny,
    });
    if let Some(Spanned { value, span }) = sandbox.best_effort {
        // Whoever answers for the machine says what it may do without.
        match cx.role {
            Role::Organisation | Role::User => {
                settings.best_effort = Some(value.into_iter().map(facet).collect());
            }
            _ => ignored(cx, span, "`best_effort`"),
        }
    }
    settings.limits = limits.map(|limits| self::limits(cx, limits)).unwrap_or_default();
}

fn limits(cx: &mut Context<'_>, raw: RawLimits) -> Limits {
    Limits {
        time: quantity(cx, Quantity::Time, raw.time),
        memory: quantity(cx, Quantity::Size, raw.memory),
        processes: count(cx, raw.processes),
        file_size: quantity(cx, Quantity::Size, raw.file_size),
        open_files: count(cx, raw.open_files),
        output: quantity(cx, Quantity::Size, raw.output),
    }
}

fn quantity(cx: &mut Context<'_>, of: Quantity, text: Option<Spanned<String>>) -> Option<u64> {
    let Spanned { value, span } = text?;
    let read = of.parse(&value);
    read.map_err(|reason| cx.fault(Fault::new(span, reason).hint(of.hint()))).ok()
}

fn count(cx: &mut Context<'_>, number: Option<Spanned<u64>>) -> Option<u64> {
    let Spanned { value, span } = number?;
    if value == 0 {
        cx.fault(Fault::new(span, "`0` leaves nothing").hint("leave the limit out, or raise it"));
    }
    Some(value)
}

fn facet(word: FacetWord) -> Facet {
    match word {
        FacetWord::Files => Facet::Files,
        FacetWord::Exec => Facet::Exec,
        FacetWord::Network => Facet::Network,
        FacetWord::Sockets => Facet::Sockets,
        FacetWord::Environment => Facet::Environment,
        FacetWord::Syscalls => Facet::Syscalls,
        FacetWord::Limits => Facet::Limits,
    }
}
