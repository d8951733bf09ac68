//! What nothing here can hold.

use std::fmt;

use ringfence_core::Facet;
use serde::{Serialize, Serializer};

/// A rule that nothing here can hold: the run would be wider than the policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The part of confinement that is missing.
    #[serde(serialize_with = "as_word")]
    pub facet: Facet,
    /// The rule as it was written.
    pub rule: String,
    /// Where it was written.
    pub origin: String,
    /// Why it cannot be held.
    pub reason: String,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}` ({}) {}", self.facet, self.rule, self.origin, self.reason)
    }
}

fn as_word<S: Serializer>(facet: &Facet, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(facet)
}
