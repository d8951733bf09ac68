//! Holds the policy in force, which is replaced as a whole.

use std::sync::{Arc, LazyLock};

use arc_swap::ArcSwapOption;
use ringfence_core::Policy;

/// The policy in force, compiled at once or when first needed.
pub(crate) struct InForce {
    first: First,
    /// The replacement of the first policy, if there is one.
    now: ArcSwapOption<Policy>,
}

#[derive(Clone)]
enum First {
    Made(Arc<Policy>),
    Later(Arc<LazyLock<Arc<Policy>, Make>>),
}

type Make = Box<dyn FnOnce() -> Arc<Policy> + Send>;

impl InForce {
    /// Wraps a compiled policy.
    pub(crate) fn new(policy: Policy) -> InForce {
        InForce { first: First::Made(Arc::new(policy)), now: ArcSwapOption::empty() }
    }

    /// Wraps a function that compiles the policy when it is first needed. Concurrent callers wait
    /// for it.
    pub(crate) fn later(make: impl FnOnce() -> Policy + Send + 'static) -> InForce {
        let make: Make = Box::new(|| Arc::new(make()));
        InForce { first: First::Later(Arc::new(LazyLock::new(make))), now: ArcSwapOption::empty() }
    }

    /// Returns the policy in force.
    pub(crate) fn load(&self) -> Arc<Policy> {
        self.now.load_full().unwrap_or_else(|| match &self.first {
            First::Made(policy) => Arc::clone(policy),
            First::Later(policy) => Arc::clone(policy),
        })
    }

    /// Puts another in its place.
    pub(crate) fn replace(&self, policy: impl Into<Arc<Policy>>) {
        self.now.store(Some(policy.into()));
    }
}

/// A clone starts with the same policy; replacing one of the two does not change the other.
impl Clone for InForce {
    fn clone(&self) -> InForce {
        InForce { first: self.first.clone(), now: ArcSwapOption::new(self.now.load_full()) }
    }
}

#[cfg(test)]
#[path = "in_force_tests.rs"]
mod tests;
