//! What lowering knows and has found wrong so far.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;

use ringfence_core::pattern::{MAX_PATTERN_BYTES, has_control};
use ringfence_core::{Effect, Origin, Pattern, PatternError, Role, Rule};

use crate::de::Spanned;
use crate::text::{Diagnostic, Errors, Fault, Lines, Severity, Source, Span};

/// After so many faults nothing more is looked at: the document is refused anyway.
const MAX_FAULTS: usize = 200;

/// A document on its way from text to rules.
pub(super) struct Context<'s> {
    source: &'s Source,
    lines: Lines<'s>,
    /// The part that the document plays.
    pub(super) role: Role,
    /// Programs whose grant the author really means.
    pub(super) granted: BTreeSet<String>,
    /// Whether this is the ceiling of one agent.
    pub(super) of_agent: bool,
    faults: Vec<Fault>,
    warnings: Vec<Fault>,
}

impl<'s> Context<'s> {
    pub(super) fn new(source: &'s Source, role: Role) -> Context<'s> {
        Context {
            source,
            lines: Lines::new(source.text()),
            role,
            granted: BTreeSet::new(),
            of_agent: false,
            faults: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The name of the document, or of a part of it.
    pub(super) fn name(&self, part: &str) -> Arc<str> {
        match part {
            "" => Arc::clone(self.source.name()),
            part => format!("{} {part}", self.source.name()).into(),
        }
    }

    pub(super) fn origin(&self, span: Span) -> Origin {
        let (line, column) = self.lines.locate(span.start);
        Origin::new(Arc::clone(self.source.name()), line, column)
    }

    pub(super) fn rule(&self, effect: Effect, pattern: Pattern, span: Span) -> Rule {
        Rule::new(effect, pattern, self.origin(span))
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }

    pub(super) fn warn(&mut self, fault: Fault) {
        if self.warnings.len() < MAX_FAULTS {
            self.warnings.push(fault);
        }
    }

    /// What a parser makes of a text; a bad text is noted.
    pub(super) fn parsed<T>(
        &mut self,
        text: &Spanned<String>,
        parse: impl FnOnce(&str) -> Result<T, PatternError>,
    ) -> Option<T> {
        if self.faults.len() >= MAX_FAULTS {
            return None;
        }
        if text.value.len() > MAX_PATTERN_BYTES {
            let message = format!("is longer than {MAX_PATTERN_BYTES} bytes");
            self.fault(Fault::new(text.span, message));
            return None;
        }
        if has_control(&text.value) {
            self.fault(Fault::new(text.span, "has a control character"));
            return None;
        }
        parse(&text.value).map_err(|error| self.bad_pattern(text.span, &error)).ok()
    }

    /// Reads the pattern that a text stands for; `prefix` is what its place leaves out.
    pub(super) fn pattern(&mut self, prefix: &str, text: &Spanned<String>) -> Option<Pattern> {
        self.parsed(text, |text| match prefix {
            "" => Pattern::parse(text),
            prefix => Pattern::parse(&format!("{prefix}{text}")),
        })
    }

    fn bad_pattern(&mut self, span: Span, error: &PatternError) {
        let fault = Fault::new(span, error.to_string());
        self.fault(match error.remedy() {
            Some(remedy) => fault.hint(remedy),
            None => fault,
        });
    }

    /// Notes that a key has no place here.
    pub(super) fn misplaced(&mut self, span: Span, key: &str, why: impl Display) {
        self.fault(Fault::new(span, format!("`{key}` {why}")));
    }

    /// The warnings, or every error, with those that were known before.
    pub(super) fn finish(self, mut known: Vec<Fault>) -> Result<Vec<Diagnostic>, Errors> {
        // What is missing because it could not be read is no second error.
        let new = |fault: &Fault| !known.iter().any(|other| other.is_within(fault));
        let found: Vec<Fault> = self.faults.into_iter().filter(new).collect();
        known.extend(found);
        if !known.is_empty() {
            return Err(self.source.refuse(known));
        }
        let warning = |fault| self.source.diagnose(&self.lines, Severity::Warning, fault);
        Ok(self.warnings.into_iter().map(warning).collect())
    }
}
