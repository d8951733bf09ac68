//! Suggests the pattern of a rule that would make a question or refusal unnecessary.

use ringfence_core::{AccessKind, Effect, Ground};
use ringfence_guard::redact::redact;
use ringfence_guard::{exact_pattern_for, outranking_pattern_for, pattern_for};

/// Returns the pattern whose grant would change a decision made on this ground.
///
/// Only a narrower grant outranks an ask rule, so the pattern is then the exact command. For a
/// danger entry it is also exact, because nobody should opt in to more than needed. A pattern with
/// a secret is not suggested, because it would be shown and stored.
pub(crate) fn pattern(what: &AccessKind, ground: &Ground) -> Option<String> {
    let by_rule = matches!(ground, Ground::Rule(_)) && ground.effect() == Effect::Ask;
    let text = match what {
        AccessKind::Exec(_) if by_rule => outranking_pattern_for(what),
        AccessKind::Exec(_) if matches!(ground, Ground::Danger(_)) => exact_pattern_for(what),
        _ => pattern_for(what),
    }?;
    (redact(&text) == text).then_some(text)
}
