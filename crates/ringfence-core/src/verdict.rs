//! Verdicts, and the grounds they rest on.

use std::fmt;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::judge::rule_book::RuleBook;
use crate::rule::Rule;

/// What was decided, and why.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The decision.
    pub effect: Effect,
    /// What led to it; never empty unless nothing was to be decided.
    pub grounds: Grounds,
}

/// Reasons for a verdict: nearly always one, and few for a whole call, which need no memory of their own.
pub type Grounds = SmallVec<[Ground; 3]>;

impl Verdict {
    /// The verdict on nothing: a line that runs nothing is allowed.
    pub fn nothing() -> Verdict {
        Verdict { effect: Effect::Allow, grounds: Grounds::new() }
    }

    /// The stricter of two verdicts, with all grounds of both.
    #[must_use]
    pub fn and(mut self, other: Verdict) -> Verdict {
        self.effect = self.effect.max(other.effect);
        for ground in other.grounds {
            if !self.grounds.contains(&ground) {
                self.grounds.push(ground);
            }
        }
        self
    }

    /// Becomes the stricter of two verdicts, with all grounds of both.
    pub fn take_in(&mut self, other: &Verdict) {
        self.effect = self.effect.max(other.effect);
        for ground in &other.grounds {
            if !self.grounds.contains(ground) {
                match ground {
                    // What nearly all are is made where it stays.
                    Ground::Rule(rule) => self.grounds.push(Ground::Rule(rule.clone())),
                    other => self.grounds.push(other.clone()),
                }
            }
        }
    }

    /// Takes in one more ground, which alone would have this effect.
    pub(crate) fn add(&mut self, effect: Effect, ground: Ground) {
        self.effect = self.effect.max(effect);
        if !self.grounds.contains(&ground) {
            self.grounds.push(ground);
        }
    }

    /// Whether the rule of this number is a ground of it.
    pub(crate) fn has_rule(&self, rules: &Arc<RuleBook>, number: u32) -> bool {
        let is_it = |own: &RuleRef| own.number == number && Arc::ptr_eq(&own.rules, rules);
        self.grounds.iter().any(|ground| matches!(ground, Ground::Rule(own) if is_it(own)))
    }

    /// The grounds that are as strict as the verdict itself.
    pub fn decisive(&self) -> impl Iterator<Item = &Ground> {
        self.grounds.iter().filter(|ground| ground.effect() == self.effect)
    }
}

impl From<Ground> for Verdict {
    fn from(ground: Ground) -> Verdict {
        Verdict { effect: ground.effect(), grounds: smallvec![ground] }
    }
}

/// One reason for a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    /// A rule of a document says so.
    Rule(RuleRef),
    /// It is on the danger list, and not all who must opted in.
    Danger(RuleRef),
    /// It belongs to ringfence's own protection.
    Protected(RuleRef),
    /// Nothing grants it, and this is the default.
    NotGranted {
        /// The class on which nobody spoke.
        class: Class,
        /// `ask` or `deny`.
        default: Effect,
    },
    /// A ceiling has a stance on the class and does not take this in.
    Ceiling {
        /// The ceiling's name.
        document: Arc<str>,
        /// The class of the access.
        class: Class,
    },
    /// Nobody has a stance on the class, and the command or tool that does it is granted.
    Covered(Class),
    /// Tools of a known kind are judged by what they do.
    KnownTool,
    /// A keychain can only be used by a project with a name.
    NoProject,
    /// A part of the call could not be read with certainty; rare, so that it may not make every
    /// ground larger.
    Doubt(Box<Doubt>),
}

impl From<Doubt> for Ground {
    fn from(doubt: Doubt) -> Ground {
        Ground::Doubt(Box::new(doubt))
    }
}

impl From<Doubt> for Verdict {
    fn from(doubt: Doubt) -> Verdict {
        Ground::from(doubt).into()
    }
}

impl Ground {
    /// The effect that this ground alone would have.
    pub fn effect(&self) -> Effect {
        match self {
            Ground::Rule(rule) => rule.rule().map_or(Effect::Deny, |rule| rule.effect),
            Ground::Danger(_) | Ground::Protected(_) | Ground::Ceiling { .. } => Effect::Deny,
            Ground::NotGranted { default, .. } => *default,
            Ground::Covered(_) | Ground::KnownTool => Effect::Allow,
            Ground::NoProject => Effect::Deny,
            Ground::Doubt(doubt) => doubt.effect,
        }
    }

    /// The rule behind this ground, where there is one.
    pub fn rule(&self) -> Option<&Rule> {
        match self {
            Ground::Rule(rule) | Ground::Danger(rule) | Ground::Protected(rule) => rule.rule(),
            _ => None,
        }
    }
}

/// A rule and the role of the document that has it.
///
/// It shares all rules of its policy and knows its own by number: making one touches no rule.
#[derive(Clone)]
pub struct RuleRef {
    rules: Arc<RuleBook>,
    number: u32,
    role: Role,
}

impl RuleRef {
    /// The rule of this number.
    pub(crate) fn new(rules: Arc<RuleBook>, number: u32, role: Role) -> RuleRef {
        RuleRef { rules, number, role }
    }

    /// The rule; a policy makes no reference to one that it does not have.
    pub fn rule(&self) -> Option<&Rule> {
        self.rules.get(self.number)
    }

    /// The role of its document.
    pub fn role(&self) -> Role {
        self.role
    }
}

impl fmt::Debug for RuleRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleRef").field("rule", &self.rule()).field("role", &self.role).finish()
    }
}

impl fmt::Display for RuleRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule().map_or(Ok(()), |rule| write!(f, "`{}`", rule.pattern))
    }
}

impl PartialEq for RuleRef {
    fn eq(&self, other: &RuleRef) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules) && self.number == other.number
    }
}

impl Eq for RuleRef {}

/// A part of a call that could not be read with certainty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Doubt {
    /// What this doubt makes of the call.
    pub effect: Effect,
    /// What could not be told.
    pub reason: Box<str>,
    /// Where in the call's text it stands, in bytes.
    pub span: Option<(usize, usize)>,
    /// Whether nothing is in doubt but what a shell will be told to start. Where every start comes to
    /// a gate that is no doubt.
    pub of_starts: bool,
}

impl Doubt {
    /// A doubt that denies, about the call as a whole.
    pub fn denied(reason: impl Into<Box<str>>) -> Doubt {
        Doubt { effect: Effect::Deny, reason: reason.into(), span: None, of_starts: false }
    }

    /// A doubt that a person can settle.
    pub fn asked(reason: impl Into<Box<str>>) -> Doubt {
        Doubt { effect: Effect::Ask, reason: reason.into(), span: None, of_starts: false }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ground::Rule(rule) => {
                write!(f, "{} {rule}", self.effect())?;
                rule.rule().map_or(Ok(()), |rule| write!(f, " ({})", rule.origin))
            }
            Ground::Danger(rule) => {
                write!(f, "Dangerous capability requires allow.danger: {rule}")
            }
            Ground::Protected(rule) => write!(f, "always protected: {rule}"),
            Ground::NotGranted { class, default } => {
                write!(f, "nothing grants it in class {class}; the default is {default}")
            }
            Ground::Ceiling { document, class } => {
                write!(f, "the ceiling {document} takes in nothing like it in class {class}")
            }
            Ground::Covered(class) => {
                write!(f, "covered by its grant: no document has a stance on {class}")
            }
            Ground::KnownTool => f.write_str("a tool of a known kind, judged by what it does"),
            Ground::NoProject => f.write_str("keychain entries need a `projectname`"),
            Ground::Doubt(doubt) => f.write_str(&doubt.reason),
        }
    }
}
