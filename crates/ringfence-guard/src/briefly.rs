//! One call, decided by as few rules as it can meet.
//!
//! Most of what a cold door does would be to read and compile hundreds of rules of which a call meets
//! a handful. So the call is first resolved by a policy without any, which remembers what it was
//! asked; then by one that has the rules on just that. As soon as a policy was asked nothing that it
//! had no rules for, its answers are those of the whole policy.
//!
//! Only a yes is taken from here. Whatever is asked or refused, and whatever cannot be told from
//! some of the rules, is left to the whole policy, which also knows what to say about it.

use std::sync::Arc;

use ringfence_core::host::{Host, Once};
use ringfence_core::judge::{Foreseen, Sieve};
use ringfence_core::{Context, Effect};

use crate::call::Call;
use crate::guard::{Guard, Judgement};
use crate::policy_builder::build_part;
use crate::world::Documents;

/// How often a call is resolved before it is left to the whole policy. What a program is may depend
/// on rules on files, and what it does on what it is.
const ROUNDS: usize = 4;

/// Decides a call where some of the rules suffice for it, and they allow it.
///
/// The documents are those in force, with or without the rules of their profiles.
pub fn consider_briefly(
    call: &Call,
    found: &Documents,
    host: &Arc<impl Host + 'static>,
    context: &Context,
) -> Option<Judgement> {
    let host: Arc<dyn Host> = Arc::new(Once::new(Arc::clone(host) as Arc<dyn Host>));
    let classes = call.classes();
    let consider = |policy| {
        let guard = Guard::new(policy, Arc::clone(&host), context.clone());
        guard.consider(call)
    };
    // Without any document there is nothing to look through; what is asked is all that counts.
    let nothing = Sieve::new(Foreseen::default(), context, &*host);
    let nothing = nothing.compile(&classes, Vec::new(), Vec::new()).ok()?;
    let mut foreseen = consider(nothing).policy.missed();
    for _ in 1..ROUNDS {
        if foreseen.needs_all_rules() {
            return None;
        }
        let sieve = Sieve::new(foreseen.clone(), context, &*host);
        // An error is told by whoever compiles all of it.
        let judgement = consider(build_part(found, sieve, &classes).ok()?);
        let missed = judgement.policy.missed();
        if missed.is_empty() {
            return Some(judgement).filter(|own| own.verdict.effect == Effect::Allow);
        }
        foreseen.extend(missed);
    }
    None
}

#[cfg(test)]
#[path = "briefly_tests.rs"]
mod tests;
