//! Rules as entries of flat lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use ringfence_core::document::Stance;
use ringfence_core::pattern::{CommandPattern, PathPattern};
use ringfence_core::rule::ToolScope;
use ringfence_core::{Class, Document, Effect, Origin, Rule, Scope};

use super::listed;
use crate::fmt::comments::Comments;
use crate::fmt::out::{Item, Out, Pair};
use crate::lower::Part;

/// Writes rules, each with the comments that stand at it.
pub(super) struct Writer<'p> {
    name: &'p str,
    /// Whether what is written stands under an agent's name, which then goes without saying.
    pub(super) of_agent: bool,
    /// The comments of each line on which a rule or test stands; the first to ask gets them.
    comments: BTreeMap<u32, Vec<String>>,
}

impl<'p> Writer<'p> {
    pub(super) fn new(part: &'p Part, comments: &mut Comments) -> Writer<'p> {
        let documents = std::iter::once(&part.document).chain(&part.ceilings);
        let of_rules = documents.flat_map(|document| {
            let lists = [&document.rules, &document.dangerous, &document.fallback];
            lists.into_iter().flatten().chain(document.danger.iter().flatten())
        });
        let of_rules = of_rules.map(|rule| rule.origin.line);
        let of_tests = part.tests.iter().map(|test| test.origin.line);
        let mut lines: Vec<u32> = of_rules.chain(of_tests).collect();
        lines.sort_unstable();
        lines.dedup();
        let comments = lines.into_iter().map(|line| (line, comments.take_to(line))).collect();
        Writer { name: &part.document.name, of_agent: false, comments }
    }

    /// An entry with the comments of its line.
    pub(super) fn item(&mut self, origin: &Origin, value: Out) -> Item {
        let own = *origin.document == *self.name;
        let above = if own { self.comments.remove(&origin.line) } else { None };
        Item { above: above.unwrap_or_default(), value }
    }

    /// All lists of a document and the ceilings that came with it.
    pub(super) fn lists(&mut self, document: &Document, ceilings: &[&Document]) -> Vec<Pair> {
        let of = |effect| document.rules.iter().filter(move |rule| rule.effect == effect);
        let mut allow: Vec<Item> = of(Effect::Allow).map(|rule| self.rule(rule, &[])).collect();
        allow.extend(document.fallback.iter().map(|rule| self.rule(rule, &["fallback"])));
        // A default for tools says itself that it closes them.
        let said = |stance: &&Stance| {
            let default = document.tool_default.is_some() && stance.class == Class::Tool;
            !(default && stance.scope == Scope::default())
        };
        allow.extend(document.stances.iter().filter(said).map(|stance| self.closed(stance)));
        let ask = of(Effect::Ask).map(|rule| self.rule(rule, &[])).collect();
        let danger = document
            .danger
            .as_ref()
            .map(|rules| listed("danger", rules.iter().map(|rule| self.rule(rule, &[])).collect()));
        let deny = of(Effect::Deny).map(|rule| self.rule(rule, &[])).collect();
        let dangerous = document.dangerous.iter().map(|rule| self.rule(rule, &[])).collect();
        let ceiling = self.ceilings(ceilings);
        let mut pairs = vec![listed("allow", allow), listed("ask", ask)];
        pairs.extend(danger);
        let rest = [("deny", deny), ("ceiling", ceiling), ("danger_list", dangerous)];
        pairs.extend(rest.map(|(key, items)| listed(key, items)));
        pairs
    }

    /// One ceiling stands in the list itself, several in lists of their own.
    fn ceilings(&mut self, ceilings: &[&Document]) -> Vec<Item> {
        let mut lists: Vec<Vec<Item>> =
            ceilings.iter().map(|ceiling| self.ceiling(ceiling)).collect();
        match lists.len() {
            0 | 1 => lists.pop().unwrap_or_default(),
            _ => {
                let apart = |items| Item { above: Vec::new(), value: Out::List(items) };
                lists.into_iter().map(apart).collect()
            }
        }
    }

    fn ceiling(&mut self, ceiling: &Document) -> Vec<Item> {
        let flags = |rule: &Rule| if rule.effect == Effect::Ask { &["ask"][..] } else { &[] };
        let mut items: Vec<Item> =
            ceiling.rules.iter().map(|rule| self.rule(rule, flags(rule))).collect();
        items.extend(ceiling.stances.iter().map(|stance| self.closed(stance)));
        items
    }

    /// A rule: its pattern alone where it has nothing else to say.
    fn rule(&mut self, rule: &Rule, flags: &[&str]) -> Item {
        let mut pairs = vec![Pair::new("pattern", Out::text(rule.pattern.to_string()))];
        pairs.extend(flags.iter().map(|flag| Pair::new(*flag, Out::Bool(true))));
        pairs.extend(self.scope(&rule.scope));
        if !rule.except.is_empty() {
            let excepts = rule.except.iter().map(|pattern| Out::text(pattern.to_string()));
            pairs.push(Pair::new("except", Out::list(excepts)));
        }
        let note = &rule.note;
        let until = note.until.map(|date| date.to_string());
        let notes = [("why", &note.why), ("owner", &note.owner), ("id", &note.id)];
        for (key, text) in notes {
            pairs.extend(text.as_ref().map(|text| Pair::new(key, Out::text(&**text))));
        }
        pairs.extend(until.map(|date| Pair::new("until", Out::Date(date))));
        let value = match <[Pair; 1]>::try_from(pairs) {
            Ok([pattern]) => pattern.value,
            Err(pairs) => Out::Table(pairs),
        };
        self.item(&rule.origin, value)
    }

    fn closed(&self, stance: &Stance) -> Item {
        let mut pairs = vec![Pair::new("closed", Out::text(stance.class.as_str()))];
        pairs.extend(self.scope(&stance.scope));
        Item { above: Vec::new(), value: Out::Table(pairs) }
    }

    /// Where a rule holds.
    fn scope(&self, scope: &Scope) -> Vec<Pair> {
        let agent = scope.agent.as_ref().filter(|_| !self.of_agent);
        let tool = scope.tool.as_ref().map(|tool| match tool {
            ToolScope::Kind(kind) => kind.as_str().to_owned(),
            ToolScope::Name(name) => name.to_string(),
        });
        let commands = |patterns: &Arc<[CommandPattern]>| Out::texts(patterns.iter().map(command));
        let paths = |paths: &Arc<[PathPattern]>| Out::texts(paths.iter().map(ToString::to_string));
        let parts = [
            ("agent", agent.map(|agent| Out::text(agent.to_string()))),
            ("tool", tool.map(Out::Text)),
            ("command", scope.command.as_ref().map(commands)),
            ("unless", scope.unless.as_ref().map(commands)),
            ("within", scope.within.as_ref().map(paths)),
        ];
        parts.into_iter().filter_map(|(key, value)| Some(Pair::new(key, value?))).collect()
    }
}

/// A command as it stands after `cmd:`, with the prefix where it would be taken for one.
fn command(pattern: &CommandPattern) -> String {
    let text = pattern.to_string();
    if text.starts_with("cmd:") { format!("cmd:{text}") } else { text }
}
