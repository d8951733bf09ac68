//! The policy in force: one at a time, replaced whole.

use std::sync::{Arc, LazyLock};

use arc_swap::ArcSwapOption;
use ringfence_core::Policy;

/// The policy in force: there from the start, or made when it is first asked for.
pub(crate) struct InForce {
    first: First,
    /// What took its place.
    now: ArcSwapOption<Policy>,
}

#[derive(Clone)]
enum First {
    Made(Arc<Policy>),
    Later(Arc<LazyLock<Arc<Policy>, Make>>),
}

type Make = Box<dyn FnOnce() -> Arc<Policy> + Send>;

impl InForce {
    /// A policy that is there.
    pub(crate) fn new(policy: Policy) -> InForce {
        InForce { first: First::Made(Arc::new(policy)), now: ArcSwapOption::empty() }
    }

    /// A policy that is made once, by whoever asks first; others wait for it.
    pub(crate) fn later(make: impl FnOnce() -> Policy + Send + 'static) -> InForce {
        let make: Make = Box::new(|| Arc::new(make()));
        InForce { first: First::Later(Arc::new(LazyLock::new(make))), now: ArcSwapOption::empty() }
    }

    /// The policy.
    pub(crate) fn load(&self) -> Arc<Policy> {
        self.now.load_full().unwrap_or_else(|| match &self.first {
            First::Made(policy) => Arc::clone(policy),
            First::Later(policy) => Arc::clone(policy),
        })
    }

    /// Puts another in its place.
    pub(crate) fn replace(&self, policy: Policy) {
        self.now.store(Some(Arc::new(policy)));
    }
}

/// The same policy; replacing one of the two leaves the other as it is.
impl Clone for InForce {
    fn clone(&self) -> InForce {
        InForce { first: self.first.clone(), now: ArcSwapOption::new(self.now.load_full()) }
    }
}

#[cfg(test)]
#[path = "in_force_tests.rs"]
mod tests;
