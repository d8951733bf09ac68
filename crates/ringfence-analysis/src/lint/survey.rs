//! All that lint looks at, laid out so that a question about one rule can be answered.

use std::collections::{HashMap, HashSet};

use ringfence_core::{Class, Document, Effect, Origin, Pattern, Role, Rule, Scope};

use super::LintOptions;
use super::beginnings::Beginnings;
use super::compare::Compare;

/// A policy under survey.
#[derive(Debug)]
pub(super) struct Survey<'a> {
    pub(super) documents: &'a [Document],
    pub(super) options: &'a LintOptions<'a>,
    pub(super) compare: Compare,
    /// Every rule of every list, in the order of the documents.
    entries: Vec<Entry<'a>>,
    /// Those that are in force.
    in_force: Beginnings<Entry<'a>>,
    /// The same by document and list.
    beside: HashMap<(usize, List), Vec<Entry<'a>>>,
    /// The document that each statement was read into; `None` for several.
    statements: HashMap<&'a Origin, Option<usize>>,
    /// The commands to which rules of each document are scoped, or which they leave out.
    scopes: HashSet<(usize, String)>,
    /// The danger list, with what documents add to it, as far as it is in force.
    dangers: Vec<Danger<'a>>,
    dangers_around: Beginnings<Danger<'a>>,
}

/// A rule and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) document: &'a Document,
    /// The number of the document.
    pub(super) number: usize,
    pub(super) list: List,
    /// The place in that list.
    pub(super) position: usize,
    pub(super) rule: &'a Rule,
}

/// An entry of the danger list.
#[derive(Debug, Clone, Copy)]
struct Danger<'a> {
    rule: &'a Rule,
    /// The one document for which it surely holds, where it does not hold for all.
    only: Option<usize>,
}

impl Danger<'_> {
    fn holds_for(&self, entry: &Entry<'_>) -> bool {
        self.only.is_none_or(|number| number == entry.number)
    }
}

/// The lists of rules that a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum List {
    /// Allow, ask and deny rules.
    Rules,
    /// Opt-ins to the danger list.
    OptIns,
    /// Additions to the danger list.
    Dangers,
}

impl<'a> Survey<'a> {
    pub(super) fn new(documents: &'a [Document], options: &'a LintOptions<'a>) -> Survey<'a> {
        let mut survey = Survey {
            documents,
            options,
            compare: Compare::new(options.max_comparisons),
            entries: Vec::new(),
            in_force: Beginnings::new(),
            beside: HashMap::new(),
            statements: HashMap::new(),
            scopes: HashSet::new(),
            dangers: Vec::new(),
            dangers_around: Beginnings::new(),
        };
        for (number, document) in documents.iter().enumerate() {
            survey.add(document, number, List::Rules, &document.rules);
            survey.add(document, number, List::OptIns, document.danger.as_deref().unwrap_or(&[]));
            survey.add(document, number, List::Dangers, &document.dangerous);
        }
        survey.add_dangers();
        survey
    }

    fn add(&mut self, document: &'a Document, number: usize, list: List, rules: &'a [Rule]) {
        for (position, rule) in rules.iter().enumerate() {
            let entry = Entry { document, number, list, position, rule };
            self.entries.push(entry);
            let commands = [&rule.scope.command, &rule.scope.unless].into_iter().flatten();
            let commands = commands.flat_map(|commands| commands.iter());
            self.scopes.extend(commands.map(|command| (number, command.to_string())));
            let document = self.statements.entry(&rule.origin).or_insert(Some(number));
            *document = document.filter(|known| *known == number);
            if !self.is_over(rule) {
                self.in_force.insert(&rule.pattern, entry);
                self.beside.entry((number, list)).or_default().push(entry);
            }
        }
    }

    fn add_dangers(&mut self) {
        let listed = self.options.dangers.iter().filter(|rule| !self.is_over(rule));
        let listed = listed.map(|rule| Danger { rule, only: None });
        let added = self.in_force(List::Dangers).map(|entry| {
            let document = entry.document;
            let for_all = document.role != Role::Untrusted && document.scope == Scope::default();
            Danger { rule: entry.rule, only: (!for_all).then_some(entry.number) }
        });
        self.dangers = listed.chain(added).collect();
        for danger in &self.dangers {
            self.dangers_around.insert(&danger.rule.pattern, *danger);
        }
    }

    /// The rules that a person wrote and can change.
    pub(super) fn own_rules(&self) -> impl Iterator<Item = &Entry<'a>> {
        let own = |entry: &&Entry<'a>| {
            entry.document.role != Role::BuiltIn && !is_built_in(&entry.rule.origin)
        };
        self.entries.iter().filter(own)
    }

    /// Whether the rule's last day is over.
    pub(super) fn is_over(&self, rule: &Rule) -> bool {
        rule.note.until.is_some_and(|last| last < self.options.today)
    }

    /// The rules in force whose patterns may include that of the entry, apart from itself; none
    /// once too much was compared.
    pub(super) fn around(&self, entry: &Entry<'a>) -> impl Iterator<Item = Entry<'a>> + '_ {
        let entry = *entry;
        let around = self.in_force.around(&entry.rule.pattern);
        let candidates = around.iter().map(|part| part.len()).sum();
        let around = Some(around).filter(|_| self.compare.may_look_at(candidates));
        around.into_iter().flatten().flatten().filter(move |other| !other.is(&entry)).copied()
    }

    /// The other rules in force of the entry's list; `None` once too much was compared.
    pub(super) fn beside(&self, entry: &Entry<'a>) -> Option<impl Iterator<Item = &Entry<'a>>> {
        let entry = *entry;
        let beside = self.beside.get(&(entry.number, entry.list)).map_or(&[][..], Vec::as_slice);
        let others = beside.iter().filter(move |other| !other.is(&entry));
        self.compare.may_look_at(beside.len()).then_some(others)
    }

    /// The rules in force of one list, over all documents.
    pub(super) fn in_force(&self, list: List) -> impl Iterator<Item = &Entry<'a>> {
        let numbers = 0..self.documents.len();
        numbers.filter_map(move |number| self.beside.get(&(number, list))).flatten()
    }

    /// The danger list, with all that any document adds to it.
    pub(super) fn dangers(&self) -> impl Iterator<Item = &'a Rule> {
        self.dangers.iter().map(|danger| danger.rule)
    }

    /// Its entries that surely hold for the entry, and whose patterns may include the entry's.
    pub(super) fn dangers_around(&self, entry: &Entry<'a>) -> Vec<&'a Rule> {
        let around = self.dangers_around.around(&entry.rule.pattern).into_iter().flatten();
        around.filter(|danger| danger.holds_for(entry)).map(|danger| danger.rule).collect()
    }

    /// Whether it helps to be told that `other` silences the entry: they stand in one file, or
    /// the other is what the entry's file builds on or lives under.
    pub(super) fn is_worth_telling(&self, entry: &Entry<'a>, other: &Entry<'a>) -> bool {
        let (own, its) = (&entry.rule.origin, &other.rule.origin);
        // Rules that were read from one statement were all meant by it.
        let one_statement = own == its;
        let one_file = own.document == its.document;
        let extended = entry.number == other.number && own.document == entry.document.name;
        !one_statement && (one_file || extended || is_under(entry.document, other.document.role))
    }

    /// Whether `other` makes it needless to write the entry down, if it says all that it says.
    ///
    /// What a profile says today is no reason to say less. A statement that is a ceiling as well,
    /// or a command that has lists of its own, says more than its grant.
    pub(super) fn may_replace(&self, other: &Entry<'a>, entry: &Entry<'a>) -> bool {
        let origin = &entry.rule.origin;
        let elsewhere = self.statements.get(origin).is_some_and(|number| number.is_none());
        let says_more = match &entry.rule.pattern {
            Pattern::Command(command) => self.scopes.contains(&(entry.number, command.to_string())),
            _ => false,
        };
        !elsewhere
            && !says_more
            && !is_built_in(&other.rule.origin)
            && self.is_worth_telling(entry, other)
    }

    /// Whether a ceiling binds the file in which the entry stands, as far as that file can know:
    /// it stands in the same file, or in the organisation's.
    pub(super) fn binds(&self, ceiling: &Document, entry: &Entry<'a>) -> bool {
        let mut files =
            ceiling.rules.iter().map(|rule| &*rule.origin.document).chain([&*ceiling.name]);
        let of_organisation = |file: &str| {
            let documents = self.documents.iter();
            let mut documents = documents.filter(|document| *document.name == *file);
            documents.any(|document| document.role == Role::Organisation)
        };
        files.any(|file| *file == *entry.rule.origin.document || of_organisation(file))
    }
}

impl<'a> Entry<'a> {
    /// Whether it is this very rule.
    pub(super) fn is(&self, other: &Entry<'a>) -> bool {
        self.is_beside(other) && self.position == other.position
    }

    /// Whether both stand in one list of one document.
    pub(super) fn is_beside(&self, other: &Entry<'a>) -> bool {
        self.number == other.number && self.list == other.list
    }

    /// Whether it is a rule of this effect.
    pub(super) fn says(&self, effect: Effect) -> bool {
        self.list == List::Rules && self.rule.effect == effect
    }

    /// Whether it is an allow or ask rule.
    pub(super) fn grants(&self) -> bool {
        self.says(Effect::Allow) || self.says(Effect::Ask)
    }

    /// Whether it is an allow rule that can really grant, and does not merely narrow.
    pub(super) fn is_open_grant(&self) -> bool {
        self.says(Effect::Allow) && may_grant(self.document.role)
    }

    pub(super) fn class(&self) -> Class {
        self.rule.pattern.class()
    }
}

/// Whether documents of this role can grant something, now or once they are trusted.
pub(super) fn may_grant(role: Role) -> bool {
    role.grants() || role == Role::Untrusted
}

/// Rules of built-in lists and profiles stand in no file that a person could change.
fn is_built_in(origin: &Origin) -> bool {
    origin.line == 0 || origin.document.starts_with('@')
}

fn is_under(document: &Document, role: Role) -> bool {
    let above = |role: Role| match role {
        Role::BuiltIn => 0,
        Role::Organisation => 1,
        Role::User
        | Role::Project
        | Role::Named
        | Role::Answers
        | Role::Ceiling
        | Role::Untrusted => 2,
    };
    above(role) < above(document.role)
}
