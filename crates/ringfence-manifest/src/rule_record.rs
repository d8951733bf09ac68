//! A rule of a built-in list as a record: text without markup, separated by control characters.
//!
//! The build script includes this file, too: it makes tables of the rules that the crate reads later.

use std::sync::Arc;

use ringfence_core::judge::RuleKind;
use ringfence_core::pattern::{CommandPattern, PathPattern};
use ringfence_core::rule::HarmlessUse;
use ringfence_core::{Effect, Origin, Pattern, PatternError, Rule, RuleNote, Scope};

/// Separates the items of a list.
pub(crate) const ITEM: char = '\u{1d}';
/// Separates the fields of a record.
pub(crate) const FIELD: char = '\u{1f}';

/// One rule of a list or profile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleRecord<'t> {
    pub(crate) pattern: &'t str,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) why: &'t str,
    pub(crate) except: &'t str,
    pub(crate) command: &'t str,
    pub(crate) source: &'t str,
    pub(crate) group: &'t str,
    pub(crate) harmless: &'t str,
    pub(crate) harmless_why: &'t str,
}

impl<'t> RuleRecord<'t> {
    /// Reads a record as the build script writes it.
    pub(crate) fn read(text: &'t str) -> RuleRecord<'t> {
        let mut fields = text.split(FIELD);
        let mut next = || fields.next().unwrap_or("");
        RuleRecord {
            pattern: next(),
            line: next().parse().unwrap_or(0),
            column: next().parse().unwrap_or(0),
            why: next(),
            except: next(),
            command: next(),
            source: next(),
            group: next(),
            harmless: next(),
            harmless_why: next(),
        }
    }

    /// Returns the exceptions as they were written.
    pub(crate) fn excepts(self) -> impl Iterator<Item = &'t str> {
        self.except.split(ITEM).filter(|text| !text.is_empty())
    }

    /// Returns the commands for which the rule holds; `None` if it holds for all.
    fn commands(self) -> Result<Option<Arc<[CommandPattern]>>, PatternError> {
        let texts = self.command.split(ITEM).filter(|text| !text.is_empty());
        let patterns = texts.map(CommandPattern::parse).collect::<Result<Arc<[_]>, _>>()?;
        Ok(Some(patterns).filter(|patterns| !patterns.is_empty()))
    }

    /// Returns the use for which the entry's reason does not apply: a word, or inert words of a value.
    fn harmless_use(self) -> Option<HarmlessUse> {
        match self.harmless {
            "" => None,
            "recoverable deletion" => Some(HarmlessUse::RecoverableDeletion),
            "own processes" => Some(HarmlessUse::OwnProcesses),
            "project program" => Some(HarmlessUse::ProjectProgram),
            words => Some(HarmlessUse::InertValue(words.split(ITEM).map(Box::from).collect())),
        }
    }

    /// Returns the rule. `document` is the name of its list.
    pub(crate) fn rule(self, kind: RuleKind, document: &Arc<str>) -> Result<Rule, PatternError> {
        let effect = match kind {
            RuleKind::Ask => Effect::Ask,
            kind if kind.is_mild() => Effect::Allow,
            _ => Effect::Deny,
        };
        let pattern = Pattern::parse(self.pattern)?;
        let excepts = self.excepts().map(|text| match &pattern {
            Pattern::File(rights, _) if !text.starts_with("fs:") => {
                PathPattern::parse(text).map(|path| Pattern::File(*rights, path))
            }
            _ => Pattern::parse(text),
        });
        let except = excepts.collect::<Result<_, _>>()?;
        let origin = Origin::new(Arc::clone(document), self.line, self.column);
        let why = (!self.why.is_empty()).then(|| Arc::from(self.why));
        let note = RuleNote { why, harmless: self.harmless_use(), ..RuleNote::default() };
        let scope = Scope { command: self.commands()?, ..Scope::default() };
        Ok(Rule { except, note, scope, ..Rule::new(effect, pattern, origin) })
    }
}
