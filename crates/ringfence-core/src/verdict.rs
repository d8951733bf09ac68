//! Verdicts and their grounds.

use std::fmt;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::judge::rule_book::RuleBook;
use crate::rule::Rule;

/// A decision with its reasons.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The decision.
    pub effect: Effect,
    /// The reasons for the decision. Empty only if there was nothing to decide.
    pub grounds: Grounds,
}

/// The reasons for a verdict. Up to three are stored without allocation, and few calls have more.
pub type Grounds = SmallVec<[Ground; 3]>;

impl Verdict {
    /// Returns the verdict on an empty call. A line that runs nothing is allowed.
    pub fn of_empty_call() -> Verdict {
        Verdict { effect: Effect::Allow, grounds: Grounds::new() }
    }

    /// Returns the stricter of two verdicts, with the grounds of both.
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

    /// Merges another verdict into this one: the stricter effect, and the grounds of both.
    pub fn merge(&mut self, other: &Verdict) {
        self.effect = self.effect.max(other.effect);
        for ground in &other.grounds {
            if !self.grounds.contains(ground) {
                match ground {
                    // The most frequent variant is cloned directly into its slot.
                    Ground::Rule(rule) => self.grounds.push(Ground::Rule(rule.clone())),
                    other => self.grounds.push(other.clone()),
                }
            }
        }
    }

    /// Adds a ground that has the given effect.
    pub(crate) fn add(&mut self, effect: Effect, ground: Ground) {
        self.effect = self.effect.max(effect);
        if !self.grounds.contains(&ground) {
            self.grounds.push(ground);
        }
    }

    /// Returns whether the rule with this number is among the grounds.
    pub(crate) fn has_rule(&self, rules: &Arc<RuleBook>, number: u32) -> bool {
        let is_it = |own: &RuleRef| own.number == number && Arc::ptr_eq(&own.rules, rules);
        self.grounds.iter().any(|ground| matches!(ground, Ground::Rule(own) if is_it(own)))
    }

    /// Returns whether a part of the call is allowed only because a fence holds it.
    pub fn relies_on_fence(&self) -> bool {
        self.grounds.iter().any(|ground| matches!(ground, Ground::HeldByFence(_)))
    }

    /// Returns the grounds that are as strict as the verdict itself.
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
    /// A rule of a document matched.
    Rule(RuleRef),
    /// An entry of the danger list matched, and a required opt-in is missing.
    Danger(RuleRef),
    /// The access touches a resource that ringfence always protects.
    Protected(RuleRef),
    /// No rule granted the access, so the default applied.
    NotGranted {
        /// The class of the access.
        class: Class,
        /// The default effect: `ask` or `deny`.
        default: Effect,
    },
    /// A ceiling has a stance on the class, but none of its rules matches the access.
    Ceiling {
        /// The ceiling's name.
        document: Arc<str>,
        /// The class of the access.
        class: Class,
    },
    /// No document has a stance on the class, and the command or tool that performs the access is
    /// granted.
    Covered(Class),
    /// The tool is of a known kind, so the accesses of the call are judged instead of its name.
    KnownTool,
    /// The project has no `projectname`, which every use of a keychain entry needs.
    NoProject,
    /// A part of the call could not be read with certainty. Boxed because doubts are rare and
    /// large.
    Doubt(Box<Doubt>),
    /// The fence holds what would be asked or denied without it.
    HeldByFence(HeldByFence),
}

/// What a fence holds, so that it is allowed inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeldByFence {
    /// No rule grants it. The kernel holds its effects, and every start is judged.
    Unlisted(Class),
    /// The environment of a fence has only what was granted.
    Environment,
    /// The fence has a network of its own, whose ports reach nothing outside.
    OwnNetwork,
    /// It could not be read. The kernel holds its effects, and every start is judged.
    Unread(Box<Doubt>),
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
    /// Returns the effect of this ground alone.
    pub fn effect(&self) -> Effect {
        match self {
            Ground::Rule(rule) => rule.rule().map_or(Effect::Deny, |rule| rule.effect),
            Ground::Danger(_) | Ground::Protected(_) | Ground::Ceiling { .. } => Effect::Deny,
            Ground::NotGranted { default, .. } => *default,
            Ground::Covered(_) | Ground::KnownTool | Ground::HeldByFence(_) => Effect::Allow,
            Ground::NoProject => Effect::Deny,
            Ground::Doubt(doubt) => doubt.effect,
        }
    }

    /// Returns the rule of this ground, if there is one.
    pub fn rule(&self) -> Option<&Rule> {
        match self {
            Ground::Rule(rule) | Ground::Danger(rule) | Ground::Protected(rule) => rule.rule(),
            _ => None,
        }
    }
}

/// A rule of a compiled policy, with the role of its document.
///
/// The reference holds the shared rule list and the rule's number, so creating one does not load
/// the rule.
#[derive(Clone)]
pub struct RuleRef {
    rules: Arc<RuleBook>,
    number: u32,
    role: Role,
}

impl RuleRef {
    /// Creates a reference to the rule with this number.
    pub(crate) fn new(rules: Arc<RuleBook>, number: u32, role: Role) -> RuleRef {
        RuleRef { rules, number, role }
    }

    /// Returns the rule; `None` only for a number that the policy does not have.
    pub fn rule(&self) -> Option<&Rule> {
        self.rules.get(self.number)
    }

    /// Returns the role of the rule's document.
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
    /// The effect of this doubt on the call.
    pub effect: Effect,
    /// The reason, as a message for people.
    pub reason: Box<str>,
    /// The byte range of the call's text that is in doubt.
    pub span: Option<(usize, usize)>,
    /// What is in doubt. It decides whether a fence holds it.
    pub kind: DoubtKind,
    /// The kind of text that is in doubt, which tells what to write instead.
    pub construct: DoubtConstruct,
}

/// The kind of text that a doubt is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DoubtConstruct {
    /// A word, a value or a whole call. What the span covers shows what to change.
    #[default]
    Text,
    /// A program's input: commands or code that are not written in the call.
    Input,
    /// Text that does not parse.
    Syntax,
    /// Characters that nobody sees.
    Hidden,
    /// More text than is read.
    Length,
}

/// What a doubt is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DoubtKind {
    /// Which programs a shell will start later. At an exec gate, which judges every start, such a
    /// doubt is dropped.
    LaterStarts,
    /// Which program, script or code runs. `[security] unanalysable` decides it if a document sets
    /// it.
    Program,
    /// Which file, host or variable is touched.
    Place,
    /// Anything else. No fence holds it.
    Other,
}

impl Doubt {
    /// Creates a doubt about the whole call that denies it.
    pub fn denied(reason: impl Into<Box<str>>) -> Doubt {
        Doubt::about_the_call(Effect::Deny, reason.into())
    }

    /// Creates a doubt about the whole call that asks a person.
    pub fn asked(reason: impl Into<Box<str>>) -> Doubt {
        Doubt::about_the_call(Effect::Ask, reason.into())
    }

    fn about_the_call(effect: Effect, reason: Box<str>) -> Doubt {
        let (kind, construct) = (DoubtKind::Other, DoubtConstruct::Text);
        Doubt { effect, reason, span: None, kind, construct }
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
            Ground::NotGranted { .. } => f.write_str("not granted"),
            Ground::Ceiling { document, class } => {
                write!(f, "the ceiling {document} has no rule that allows this in class {class}")
            }
            Ground::Covered(class) => {
                write!(
                    f,
                    "covered by the grant of its command or tool: no document has a stance on {class}"
                )
            }
            Ground::KnownTool => {
                f.write_str("a tool of a known kind: its accesses are judged instead of its name")
            }
            Ground::NoProject => f.write_str("keychain entries need a `projectname`"),
            Ground::Doubt(doubt) => f.write_str(&doubt.reason),
            Ground::HeldByFence(held) => held.fmt(f),
        }
    }
}

impl fmt::Display for HeldByFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeldByFence::Unlisted(class) => {
                write!(f, "no rule grants this in class {class}; the fence holds what it does")
            }
            HeldByFence::Environment => {
                f.write_str("the fence has only the variables that were granted")
            }
            HeldByFence::OwnNetwork => {
                f.write_str("the port is in the fence's own network, which leads nowhere else")
            }
            HeldByFence::Unread(doubt) => {
                write!(f, "{}; the fence holds what it does", doubt.reason)
            }
        }
    }
}
