//! The rules of a file on their way to a policy.

use std::sync::Arc;

use ringfence_core::rule::{ToolKind, ToolScope};
use ringfence_core::{Effect, Pattern, Scope};

use super::difference::{Difference, Way};
use crate::node::{Node, Value};
use crate::text::{Errors, Fault, Lines, Source, Span};
use crate::{tree, words};

/// A rule that was found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) effect: Effect,
    pub(super) pattern: Pattern,
    pub(super) except: Vec<Pattern>,
    pub(super) scope: Scope,
    /// Of several rules that match, the one of the highest rank decides; of one rank, the
    /// strictest.
    pub(super) rank: u32,
    pub(super) why: Option<String>,
    /// Where it stands; `None` for what the other program does without a rule.
    pub(super) span: Option<Span>,
}

/// Where a rule stands, and how much it counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) span: Span,
    pub(super) rank: u32,
}

/// For which tools a rule is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of<'n> {
    All,
    Kind(ToolKind),
    Name(&'n str),
}

/// What was found in a file so far.
pub(super) struct Draft<'s> {
    pub(super) source: &'s Source,
    lines: Lines<'s>,
    pub(super) found: Vec<Found>,
    pub(super) default: Effect,
    /// How many rules the file has.
    pub(super) rules: usize,
    pub(super) differences: Vec<Difference>,
    /// What a file says whose form we read ourselves, in canonical form.
    pub(super) part: Option<crate::lower::Part>,
}

impl<'s> Draft<'s> {
    pub(super) fn new(source: &'s Source) -> Draft<'s> {
        Draft {
            source,
            lines: Lines::new(source.text()),
            found: Vec::new(),
            default: Effect::Ask,
            rules: 0,
            differences: Vec::new(),
            part: None,
        }
    }

    /// The file as a tree.
    pub(super) fn tree(&self) -> Result<Node<'s>, Errors> {
        tree::read(self.source.format(), self.source.text())
            .map_err(|faults| self.source.refuse(faults))
    }

    /// The error of a file that is not what it should be.
    pub(super) fn refuse(&self, span: Span, message: impl Into<String>) -> Errors {
        self.source.refuse(vec![Fault::new(span, message.into())])
    }

    /// Adds a rule whose pattern is written in our own notation; one that cannot be read is lost.
    pub(super) fn rule(&mut self, effect: Effect, pattern: &str, of: Of<'_>, at: At) -> bool {
        let scope = match of {
            Of::All => Some(Scope::default()),
            Of::Kind(kind) => Some(Scope { tool: Some(ToolScope::Kind(kind)), ..Scope::default() }),
            Of::Name(name) => {
                let name = ringfence_core::pattern::NamePattern::exact(name);
                Some(Scope { tool: Some(ToolScope::Name(name)), ..Scope::default() })
            }
        };
        match (parse(pattern), scope) {
            (Ok(pattern), Some(scope)) => {
                self.found.push(Found {
                    effect,
                    pattern,
                    except: Vec::new(),
                    scope,
                    rank: at.rank,
                    why: None,
                    span: Some(at.span),
                });
                true
            }
            (Err(reason), _) => {
                self.lost(effect, at.span, format!("not carried over: {reason}"));
                false
            }
            (_, None) => false,
        }
    }

    /// Adds what the other program does where no rule says anything.
    pub(super) fn without_rule(&mut self, effect: Effect, pattern: &str, of: Of<'_>) {
        let at = At { span: Span::default(), rank: 0 };
        if self.rule(effect, pattern, of, at)
            && let Some(last) = self.found.last_mut()
        {
            last.span = None;
        }
    }

    /// Says that a rule allows less than the one it was made of.
    pub(super) fn narrower(&mut self, span: Span, message: impl Into<String>) {
        self.differs(Way::Narrower, Some(span), message);
    }

    /// Says that a rule allows more than the one it was made of.
    pub(super) fn wider(&mut self, span: Span, message: impl Into<String>) {
        self.differs(Way::Wider, Some(span), message);
    }

    /// Says that a rule had no effect and has none.
    pub(super) fn idle(&mut self, span: Span, message: impl Into<String>) {
        self.differs(Way::Same, Some(span), message);
    }

    /// Says that a rule of this effect was left out.
    pub(super) fn lost(&mut self, effect: Effect, span: Span, message: impl Into<String>) {
        let way = if effect == Effect::Allow { Way::Narrower } else { Way::Wider };
        self.differs(way, Some(span), message);
    }

    /// Says something that holds for every rule.
    pub(super) fn everywhere(&mut self, way: Way, message: impl Into<String>) {
        self.differs(way, None, message);
    }

    pub(super) fn differs(&mut self, way: Way, span: Option<Span>, message: impl Into<String>) {
        let difference = self.difference(way, span, message.into());
        if !self.differences.contains(&difference) {
            self.differences.push(difference);
        }
    }

    pub(super) fn difference(&self, way: Way, span: Option<Span>, message: String) -> Difference {
        let (line, column) = span.map_or((0, 0), |span| self.lines.locate(span.start));
        let rule = span.map(|span| self.written(span)).unwrap_or_default();
        Difference { file: Arc::clone(self.source.name()), line, column, rule, way, message }
    }

    /// The text of a span on one line, shortened, without the quotes around it.
    pub(super) fn written(&self, span: Span) -> String {
        let text = self.source.text().get(span.start..span.end).unwrap_or("");
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        words::shorten(inner.unwrap_or(&text)).to_string()
    }

    /// The line of a place.
    pub(super) fn line(&self, span: Span) -> u32 {
        self.lines.locate(span.start).0
    }
}

/// A pattern in our own notation, within the limits that documents have.
pub(super) fn parse(text: &str) -> Result<Pattern, String> {
    if text.len() > ringfence_core::pattern::MAX_PATTERN_BYTES {
        return Err("it is too long".to_owned());
    }
    if text.contains(|c: char| c.is_control()) {
        return Err("it has a control character".to_owned());
    }
    Pattern::parse(text).map_err(|error| error.to_string())
}

/// The texts of a list, each with its place; what is no text is passed to `other`.
pub(super) fn texts<'n>(
    node: Option<&'n Node<'_>>,
    mut other: impl FnMut(&'n Node<'_>),
) -> Vec<(&'n str, Span)> {
    let mut texts = Vec::new();
    for item in node.map(Node::items).unwrap_or_default() {
        match &item.value {
            Value::Text(text) => texts.push((text.as_ref(), item.span)),
            _ => other(item),
        }
    }
    texts
}
