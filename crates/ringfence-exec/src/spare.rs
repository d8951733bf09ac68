//! The pattern that would spare a question or a refusal.

use ringfence_core::{AccessKind, Effect, Ground};
use ringfence_guard::redact::redact;
use ringfence_guard::{exact_pattern_for, outranking_pattern_for, pattern_for};

/// A pattern that, as a grant, would change what was decided on this ground.
///
/// A rule that asks is outranked only by a grant that is narrower, so that there it is the very
/// command; and so it is for a danger, which nobody should opt in to beyond what is needed. A pattern with a secret in it is none: it would be shown, and written down.
pub(crate) fn pattern(what: &AccessKind, ground: &Ground) -> Option<String> {
    let by_rule = matches!(ground, Ground::Rule(_)) && ground.effect() == Effect::Ask;
    let text = match what {
        AccessKind::Exec(_) if by_rule => outranking_pattern_for(what),
        AccessKind::Exec(_) if matches!(ground, Ground::Danger(_)) => exact_pattern_for(what),
        _ => pattern_for(what),
    }?;
    (redact(&text) == text).then_some(text)
}
