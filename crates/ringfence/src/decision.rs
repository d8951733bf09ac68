//! Decisions: the verdict on a call, with its reasons.

use std::fmt;

use ringfence_core::{Effect, Ground};
use ringfence_guard::{Judgement, Refusal, describe};

use crate::call::Call;

/// The verdict on a call, with its reasons.
///
/// ```
/// use ringfence::{Call, Guard};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let project = tempfile::tempdir()?;
/// let guard = Guard::from_toml("allow = [\"cmd:ls:*\"]\ndeny = [\"cmd:rm:*\"]", project.path())?;
/// let decision = guard.check(&Call::bash("ls && rm notes"));
/// assert!(!decision.is_allowed());
///
/// let reason = &decision.reasons()[0];
/// assert_eq!(reason.rule(), Some("cmd:rm:*"));
/// assert_eq!(reason.place(), Some("policy.toml:2"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Decision {
    effect: Effect,
    reasons: Vec<Reason>,
    effects: Vec<String>,
    refusal: Option<Refusal>,
}

impl Decision {
    pub(crate) fn new(call: &Call, judgement: Judgement) -> Decision {
        let effect = judgement.verdict.effect;
        let refusal = (effect != Effect::Allow).then(|| Refusal::new(call.inner(), &judgement));
        Decision {
            effect,
            reasons: judgement.verdict.decisive().map(Reason::new).collect(),
            effects: judgement.parts().map(|part| describe(&part.access.what)).collect(),
            refusal,
        }
    }

    /// Returns the verdict.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns whether the call may be made without asking a person.
    pub fn is_allowed(&self) -> bool {
        self.effect == Effect::Allow
    }

    /// Returns the reasons of the verdict; reasons for milder verdicts are omitted.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// Returns descriptions of everything that the call would do.
    pub fn effects(&self) -> &[String] {
        &self.effects
    }

    /// Returns the refusal that the agent reads instead of a result, or `None` if the call is
    /// allowed.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }
}

/// A reason for a verdict, usually a rule with its location in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    text: String,
    rule: Option<String>,
    place: Option<String>,
}

impl Reason {
    fn new(ground: &Ground) -> Reason {
        let rule = ground.rule();
        Reason {
            text: ground.to_string(),
            rule: rule.map(|rule| rule.pattern.to_string()),
            place: rule.map(|rule| rule.origin.to_string()),
        }
    }

    /// Returns the pattern of the rule, or `None` if no rule decided.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// Returns the document and line of the rule, or `None` if no rule decided.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}

/// Formats the reason as a sentence for people.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
