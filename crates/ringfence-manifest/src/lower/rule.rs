//! One entry of a flat list.

use std::sync::Arc;

use ringfence_core::document::Stance;
use ringfence_core::pattern::{CommandPattern, NamePattern, PathPattern};
use ringfence_core::{Class, Effect, Pattern, Rule, RuleNote, Scope};

use super::context::Context;
use super::tool_words;
use crate::de::Spanned;
use crate::raw::{ClassWord, RawRule, RuleTable, TextOr, Texts};
use crate::text::{Fault, Span};

/// The lists in which rules stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Allow,
    Ask,
    Danger,
    Deny,
    Dangerous,
    Ceiling,
}

/// What an entry says.
pub(super) enum Said {
    Rule(Rule),
    Fallback(Rule),
    Closed(Stance),
}

impl List {
    fn effect(self) -> Effect {
        match self {
            List::Allow | List::Danger | List::Ceiling => Effect::Allow,
            List::Ask => Effect::Ask,
            List::Deny | List::Dangerous => Effect::Deny,
        }
    }

    fn objects(self) -> bool {
        matches!(self, List::Deny | List::Dangerous)
    }
}

/// Lowers one entry; `None` if something is wrong with it.
pub(super) fn lower(cx: &mut Context<'_>, list: List, raw: RawRule) -> Option<Said> {
    match raw.value {
        TextOr::Text(value) => {
            let text = Spanned { value, span: raw.span };
            let pattern = cx.pattern("", &text)?;
            Some(Said::Rule(cx.rule(list.effect(), pattern, text.span)))
        }
        TextOr::Table(table) => lower_table(cx, list, raw.span, *table),
    }
}

/// Lowers a rule table.
pub(super) fn lower_table(
    cx: &mut Context<'_>,
    list: List,
    span: Span,
    mut table: RuleTable,
) -> Option<Said> {
    let scope = scope(cx, &mut table);
    let (effect, fallback) = flags(cx, list, &table);
    match (table.pattern.take(), table.closed.take()) {
        (Some(pattern), None) => {
            let rule = pattern_rule(cx, (list, effect), &pattern, table)?;
            let rule = Rule { scope: scope?, ..rule };
            Some(if fallback { Said::Fallback(rule) } else { Said::Rule(rule) })
        }
        (None, Some(class)) => {
            if list != List::Allow && list != List::Ceiling {
                cx.misplaced(class.span, "closed", "stands only in `allow` and `ceiling`");
            }
            Some(Said::Closed(Stance { class: class_of(class.value), scope: scope? }))
        }
        (None, None) => {
            cx.fault(Fault::new(span, "the key `pattern` is missing"));
            None
        }
        (Some(_), Some(class)) => {
            cx.misplaced(class.span, "closed", "cannot stand beside `pattern`");
            None
        }
    }
}

/// What `ask` and `fallback` make of an entry.
fn flags(cx: &mut Context<'_>, list: List, table: &RuleTable) -> (Effect, bool) {
    if let Some(ask) = &table.ask
        && list != List::Ceiling
    {
        cx.misplaced(ask.span, "ask", "stands only in `ceiling`");
    }
    if let Some(fallback) = &table.fallback
        && list != List::Allow
    {
        cx.misplaced(fallback.span, "fallback", "stands only in `allow`");
    }
    let is_set = |flag: &Option<Spanned<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
    let effect = if is_set(&table.ask) { Effect::Ask } else { list.effect() };
    (effect, is_set(&table.fallback))
}

fn pattern_rule(
    cx: &mut Context<'_>,
    (list, effect): (List, Effect),
    text: &Spanned<String>,
    table: RuleTable,
) -> Option<Rule> {
    let pattern = cx.pattern("", text)?;
    let mut rule = cx.rule(effect, pattern, text.span);
    if let Some(texts) = table.except {
        if let (false, Some(first)) = (list.objects(), texts.first()) {
            cx.misplaced(first.span, "except", "stands only in `deny` and `danger_list`");
        }
        let excepts = texts.iter().map(|text| except(cx, &rule.pattern, text));
        rule.except = excepts.collect::<Option<_>>()?;
    }
    rule.note = RuleNote {
        why: table.why.map(Arc::from),
        owner: table.owner.map(Arc::from),
        until: table.until.map(|date| date.0),
        id: table.id.map(Arc::from),
        harmless: None,
    };
    Some(rule)
}

/// An exception: a pattern of the same class, for file rules also a bare path.
fn except(cx: &mut Context<'_>, of: &Pattern, text: &Spanned<String>) -> Option<Pattern> {
    if let Pattern::File(rights, _) = of
        && !text.value.starts_with("fs:")
    {
        let path = cx.parsed(text, PathPattern::parse)?;
        return Some(Pattern::File(*rights, path));
    }
    let pattern = cx.pattern("", text)?;
    if pattern.class() != of.class() {
        let message = format!("`{pattern}` can be no exception to `{of}`");
        cx.fault(Fault::new(text.span, message).hint("write a pattern of the same sort"));
        return None;
    }
    Some(pattern)
}

/// Where a rule holds; `None` if something is wrong with that.
fn scope(cx: &mut Context<'_>, table: &mut RuleTable) -> Option<Scope> {
    let agent = match table.agent.take() {
        Some(agent) if cx.of_agent => {
            cx.misplaced(agent.span, "agent", "cannot stand under `[agents.…]`");
            return None;
        }
        Some(agent) => Some(cx.parsed(&agent, NamePattern::parse)?),
        None => None,
    };
    let tool = match table.tool.take() {
        Some(tool) => Some(tool_words::scope(cx, &tool)?),
        None => None,
    };
    Some(Scope {
        agent,
        tool,
        command: texts(cx, table.command.take(), parse_command)?,
        unless: texts(cx, table.unless.take(), parse_command)?,
        within: texts(cx, table.within.take(), parse_directory)?,
    })
}

type Parsed<T> = Result<T, ringfence_core::PatternError>;

fn parse_command(text: &str) -> Parsed<CommandPattern> {
    CommandPattern::parse(text.strip_prefix("cmd:").unwrap_or(text))
}

/// A directory with all that lies below it.
pub(super) fn parse_directory(text: &str) -> Parsed<PathPattern> {
    PathPattern::parse(text).map(|path| path.and_below())
}

/// Every text parsed; the outer `None` says that one of them is bad.
#[expect(clippy::option_option, reason = "absent and bad are two things")]
fn texts<T>(
    cx: &mut Context<'_>,
    texts: Option<Texts>,
    parse: fn(&str) -> Parsed<T>,
) -> Option<Option<Arc<[T]>>> {
    let Some(Texts(texts)) = texts else { return Some(None) };
    let parsed = texts.iter().map(|text| cx.parsed(text, parse));
    parsed.collect::<Option<Vec<T>>>().map(|parsed| Some(parsed.into()))
}

fn class_of(word: ClassWord) -> Class {
    match word {
        ClassWord::Exec => Class::Exec,
        ClassWord::Files => Class::Files,
        ClassWord::Net => Class::Net,
        ClassWord::Socket => Class::Socket,
        ClassWord::Env => Class::Env,
        ClassWord::Tool => Class::Tool,
        ClassWord::Keychain => Class::Keychain,
    }
}
