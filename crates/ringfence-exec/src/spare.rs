//! The pattern that would spare a question or a refusal.

use ringfence_core::access::Arg;
use ringfence_core::pattern::{CommandPattern, Ending};
use ringfence_core::{Effect, Ground, What};
use ringfence_guard::pattern_for;
use ringfence_guard::redact::redact;

/// A pattern that, as a grant, would change what was decided on this ground.
///
/// A rule that asks is outranked only by a grant that is narrower, so that there it is the very
/// command; and so it is for a danger, which nobody should opt in to beyond what is needed. A pattern with a secret in it is none: it would be shown, and written down.
pub(crate) fn pattern(what: &What, ground: &Ground) -> Option<String> {
    let by_rule = matches!(ground, Ground::Rule(_)) && ground.effect() == Effect::Ask;
    let exactly = by_rule || matches!(ground, Ground::Danger(_));
    let text = match what {
        What::Exec(exec) if exactly => {
            let name = exec.program.known_as.as_deref().unwrap_or(&exec.program.invoked);
            let words: Option<Vec<&str>> = exec.args.iter().map(Arg::known).collect();
            let words = std::iter::once(name).chain(words?);
            format!("cmd:{}", CommandPattern::of_words(words, Ending::Closed))
        }
        _ => pattern_for(what),
    };
    (redact(&text) == text).then_some(text)
}
