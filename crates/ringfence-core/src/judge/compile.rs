//! Compilation of documents into a policy.

use std::borrow::Cow;
use std::sync::Arc;

use super::bound_table::BoundTable;
use super::entry::{EntryKind, EntryView, RuleEntry, Side};
use super::expand::{Expander, PlacementError};
use super::floating::FloatingRules;
use super::problem::RuleProblem;
use super::queries::ProgramNames;
use super::rule_book::{RuleBook, RuleLocation};
use super::scope::CompiledScope;
use super::side_index::SideIndex;
use crate::class::Class;
use crate::context::Context;
use crate::document::{Document, McpServer, ProgramEntry, Role};
use crate::effect::Effect;
use crate::host::Host;
use crate::index::RuleNumber;
use crate::path::PathRules;
use crate::pattern::{NamePattern, Pattern};
use crate::rule::{Rule, Scope, ToolScope};
use crate::settings::{Mode, Settings};

/// All documents in force, compiled. A policy never changes; it is replaced as a whole.
#[derive(Debug)]
pub struct Policy {
    pub(super) documents: Vec<DocumentInfo>,
    /// Whether every document grants, so that no ceiling and no untrusted document applies.
    pub(super) only_grants: bool,
    pub(super) entries: Vec<RuleEntry>,
    /// The rules behind `entries`, with the same numbers. Verdicts share the whole list, so that a
    /// decision need not load the rules it refers to.
    pub(super) rules: Arc<RuleBook>,
    // Boxed, because the indexes are large and a policy is moved.
    pub(super) grants: Box<SideIndex>,
    pub(super) objections: Box<SideIndex>,
    /// The built-in rule tables that documents use.
    pub(super) tables: Vec<BoundTable>,
    pub(super) path_rules: PathRules,
    pub(super) settings: Settings,
    /// The documents' descriptions of programs.
    programs: Vec<ProgramEntry>,
    /// The MCP servers that have a section of their own in a granting document.
    servers: Vec<McpServer>,
    /// The deny and danger rules of the documents that may match at any depth of a tree.
    pub(super) floating: FloatingRules,
    /// The rules that grant nothing, with the reason.
    notices: Vec<(RuleNumber, PlacementError)>,
    pub(super) program_names: ProgramNames,
}

/// The parts of a document that a decision needs besides its rules.
#[derive(Debug)]
pub(super) struct DocumentInfo {
    pub(super) name: Arc<str>,
    pub(super) role: Role,
    /// The number of the document that speaks for this one: the first document of the pool for the
    /// others in it, and the document itself if it stands apart.
    pub(super) speaker: u32,
    pub(super) scope: Option<Box<CompiledScope>>,
    pub(super) has_danger_list: bool,
    pub(super) default: Option<Effect>,
    pub(super) tool_default: Option<Effect>,
    pub(super) exec_default: Option<Effect>,
    /// The effect on programs in a fence that no rule grants.
    pub(super) unlisted_programs: Option<Effect>,
    /// For each class, the scopes in which the document has a stance; `None` means everywhere.
    pub(super) stances: [Vec<Option<Box<CompiledScope>>>; Class::ALL.len()],
    /// The scopes in which the document has a stance on loopback ports.
    pub(super) port_stances: Vec<Option<Box<CompiledScope>>>,
}

impl Policy {
    /// Compiles documents into a policy.
    ///
    /// `dangers` is the danger list; documents may add entries to it. A deny rule whose pattern
    /// cannot be expanded on this host is an error. An allow rule with this fault grants nothing
    /// and is reported as a notice.
    pub fn compile(
        documents: Vec<Document>,
        dangers: Vec<Rule>,
        context: &Context,
        host: &dyn Host,
    ) -> Result<Policy, Vec<RuleProblem>> {
        Compiler::new(context, host).compile(documents, dangers)
    }

    /// Creates a policy without documents, which denies everything.
    pub fn empty(context: &Context, host: &dyn Host) -> Policy {
        Compiler::new(context, host).policy
    }

    /// Returns the combined settings of all documents; for each setting, the strictest value.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the documents' descriptions of programs, without the built-in catalogue.
    pub fn programs(&self) -> &[ProgramEntry] {
        &self.programs
    }

    /// Returns whether this MCP server has a section of its own in a granting document.
    pub fn names_server(&self, name: &str) -> bool {
        self.servers.iter().any(|own| &*own.name == name)
    }

    /// Returns whether paths in calls of this MCP server's tools are paths on another machine.
    pub fn has_remote_paths(&self, server: &str) -> bool {
        self.servers.iter().any(|own| own.is_remote && &*own.name == server)
    }

    /// Returns the MCP servers that have a section of their own in a granting document.
    pub fn servers(&self) -> &[McpServer] {
        &self.servers
    }

    /// Returns the rules that grant nothing, because their patterns cannot be expanded on this
    /// host.
    pub fn notices(&self) -> impl Iterator<Item = RuleProblem> {
        let unplaced = self.tables.iter().flat_map(BoundTable::unplaced);
        let unplaced = unplaced.map(|rule| RuleProblem::new(rule, PlacementError::NoRoot));
        let own = self.notices.iter();
        let own = own
            .filter_map(|(number, error)| Some(RuleProblem::new(self.rules.get(*number)?, *error)));
        own.chain(unplaced)
    }

    /// Returns every allow, ask and deny rule with its document's role, in document order.
    pub fn rules(&self) -> impl Iterator<Item = (Role, &Rule)> {
        let rules = self.numbered().filter(|(entry, _)| matches!(entry.kind, EntryKind::Rule(_)));
        rules.map(|(entry, rule)| (self.role(entry), rule))
    }

    /// Returns every entry with its rule, in the order of their numbers.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (EntryView<'_>, &Rule)> {
        self.numbered_where(|_| true).map(|(_, entry, rule)| (entry, rule))
    }

    /// Returns the entries that `passes` accepts, with their numbers and rules. Table rules are
    /// loaded only for accepted entries.
    pub(super) fn numbered_where<'p>(
        &'p self,
        passes: impl Fn(&EntryView<'p>) -> bool,
    ) -> impl Iterator<Item = (RuleNumber, EntryView<'p>, &'p Rule)> {
        let numbers =
            (0..self.rules.next()).filter_map(|number| Some((number, self.entry(number)?)));
        let passing = numbers.filter(move |(_, entry)| passes(entry));
        passing.filter_map(|(number, entry)| Some((number, entry, self.rule(number)?)))
    }

    /// Returns the entry with a number.
    pub(super) fn entry(&self, number: RuleNumber) -> Option<EntryView<'_>> {
        match self.rules.find(number)? {
            RuleLocation::Rule(at) => self.entries.get(at).map(EntryView::from),
            RuleLocation::Row { table, row, first, document } => {
                let row = table.rows.get(row as usize).filter(|row| !row.is_of_host)?;
                Some(EntryView::of_row(row, first, document))
            }
        }
    }
}

/// Returns the scope in which a rule gives its document a stance; `None` for a deny rule. An MCP
/// rule gives a granting document a stance on MCP tools only.
pub(super) fn stance_scope(rule: &Rule, role: Role) -> Option<Cow<'_, Scope>> {
    if rule.effect == Effect::Deny {
        return None;
    }
    let is_of_servers = matches!(rule.pattern, Pattern::Mcp(_)) && rule.scope.tool.is_none();
    if is_of_servers
        && role != Role::Ceiling
        && let Ok(servers) = NamePattern::parse("mcp__*")
    {
        let tool = Some(ToolScope::Name(servers));
        return Some(Cow::Owned(Scope { tool, ..rule.scope.clone() }));
    }
    Some(Cow::Borrowed(&rule.scope))
}

/// Returns whether the rules of a document count as if they stood in one document with those of the
/// other documents in the pool.
fn is_pooled(document: &Document) -> bool {
    document.role.is_pooled() && document.scope == Scope::default()
}

/// Returns whether a granting document grants loopback or every host. Then its host rules give it
/// no stance on loopback ports.
fn grants_loopback(document: &Document) -> bool {
    const LOOPBACK: [&str; 4] = ["localhost", "127.", "[::1]", "::1"];
    let grants = |rule: &Rule| {
        let text = match &rule.pattern {
            Pattern::Net(net) if rule.effect == Effect::Allow => net.text(),
            _ => return false,
        };
        text == "*" || LOOPBACK.iter().any(|start| text.starts_with(start))
    };
    document.role != Role::Ceiling && document.rules.iter().any(grants)
}

pub(super) struct Compiler<'a> {
    pub(super) policy: Policy,
    pub(super) rules: RuleBook,
    errors: Vec<RuleProblem>,
    pub(super) expander: Expander<'a>,
    context: &'a Context,
    pool: Pool,
}

/// The documents whose rules count as if they stood in one.
#[derive(Debug, Default)]
struct Pool {
    /// The number of the first of them.
    first: Option<u32>,
    /// Whether one of them grants loopback or any host.
    grants_loopback: bool,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(context: &'a Context, host: &'a dyn Host) -> Compiler<'a> {
        let policy = Policy {
            documents: Vec::new(),
            only_grants: true,
            entries: Vec::new(),
            rules: Arc::default(),
            grants: Box::default(),
            objections: Box::default(),
            tables: Vec::new(),
            path_rules: host.path_rules(),
            settings: Settings::default(),
            programs: Vec::new(),
            servers: Vec::new(),
            floating: FloatingRules::default(),
            notices: Vec::new(),
            program_names: ProgramNames::default(),
        };
        let expander = Expander::new(context, host);
        let (rules, errors, pool) = (RuleBook::default(), Vec::new(), Pool::default());
        Compiler { policy, rules, errors, expander, context, pool }
    }

    pub(super) fn compile(
        mut self,
        documents: Vec<Document>,
        dangers: Vec<Rule>,
    ) -> Result<Policy, Vec<RuleProblem>> {
        self.add_dangers(dangers);
        let mut pooled = documents.iter().filter(|document| is_pooled(document));
        self.pool.grants_loopback = pooled.any(grants_loopback);
        let count = documents.iter().map(Document::compiled_rules).sum();
        self.rules.reserve(count);
        self.policy.entries.reserve(count);
        documents.into_iter().for_each(|document| self.add_document(document));
        match self.errors.is_empty() {
            true => Ok(Policy { rules: Arc::new(self.rules), ..self.policy }),
            false => Err(self.errors),
        }
    }

    /// Adds the danger list as a document of its own, which neither grants nor narrows.
    fn add_dangers(&mut self, dangers: Vec<Rule>) {
        let list = Document::new("danger list", Role::BuiltIn);
        let number = self.add_info(&list);
        dangers.into_iter().for_each(|rule| self.add(rule, EntryKind::Danger, number));
    }

    fn add_document(&mut self, mut document: Document) {
        // An untrusted document can only make verdicts stricter, so its rules are filtered one by
        // one. Tables contain paths in one spelling, so they cannot serve a case-insensitive host.
        match document.role == Role::Untrusted || self.policy.path_rules.case_insensitive {
            true => document.expand_tables(),
            false => document.copy_host_dependent_rules(),
        }
        self.policy.programs.extend(document.programs.iter().cloned());
        if document.role.grants() {
            self.policy.servers.extend(document.servers.iter().cloned());
        }
        let number = self.add_info(&document);
        let untrusted = document.role == Role::Untrusted;
        let tables = std::mem::take(&mut document.tables);
        for rule in document.rules {
            let effect = rule.effect;
            // An untrusted project file can only make verdicts stricter.
            if untrusted && effect == Effect::Allow {
                continue;
            }
            self.add(rule, EntryKind::Rule(effect), number);
        }
        if untrusted {
            return;
        }
        let opt_ins = document.danger.unwrap_or_default();
        opt_ins.into_iter().for_each(|rule| self.add(rule, EntryKind::OptIn, number));
        document.dangerous.into_iter().for_each(|rule| self.add(rule, EntryKind::Danger, number));
        document.fallback.into_iter().for_each(|rule| self.add(rule, EntryKind::Fallback, number));
        for table in tables {
            self.add_table(table, number);
        }
        let mut own = document.settings;
        // Only the organisation and the user may turn refusals off, or run without a facet of
        // confinement.
        if !matches!(document.role, Role::Organisation | Role::User) {
            own.mode = own.mode.filter(|mode| *mode == Mode::Enforce);
            own.best_effort = None;
        }
        let settings = std::mem::take(&mut self.policy.settings);
        self.policy.settings = settings.meet(&own);
    }

    fn add_info(&mut self, document: &Document) -> u32 {
        let number = u32::try_from(self.policy.documents.len()).unwrap_or(u32::MAX);
        let is_pooled = is_pooled(document);
        let speaker = match is_pooled {
            true => *self.pool.first.get_or_insert(number),
            false => number,
        };
        let mut info = DocumentInfo {
            name: Arc::clone(&document.name),
            role: document.role,
            speaker,
            scope: self.scope_or_everywhere(&document.scope, Side::Object),
            has_danger_list: document.danger.is_some(),
            default: document.default,
            tool_default: document.tool_default,
            exec_default: document.exec_default,
            unlisted_programs: document.settings.unlisted_programs,
            stances: Default::default(),
            port_stances: Vec::new(),
        };
        let loopback = match is_pooled {
            true => self.pool.grants_loopback,
            false => grants_loopback(document),
        };
        // Answers only add grants. A stance of theirs would take the cover of other grants away.
        let own_rules: &[Rule] =
            if document.role == Role::Answers { &[] } else { document.rules.as_slice() };
        let of_rules = own_rules.iter().filter_map(|rule| {
            let on_ports = !(loopback && matches!(rule.pattern, Pattern::Net(_)));
            let scope = stance_scope(rule, document.role)?;
            Some(((rule.pattern.class(), on_ports), scope))
        });
        let stated = document.stances.iter();
        let stated = stated.map(|stance| ((stance.class, true), Cow::Borrowed(&stance.scope)));
        let mut seen: Vec<((Class, bool), Cow<'_, Scope>)> = Vec::new();
        let everywhere = Scope::default();
        let of_tables = document.tables.iter().flat_map(|table| table.stances);
        let of_tables = of_tables.map(|class| ((*class, true), Cow::Borrowed(&everywhere)));
        for (subject, scope) in stated.chain(of_tables).chain(of_rules) {
            let is_known = |(own, of): &((Class, bool), Cow<'_, Scope>)| {
                *own == subject && (**of == everywhere || *of == scope)
            };
            if seen.iter().any(is_known) {
                continue;
            }
            let compiled = self.scope_or_everywhere(&scope, Side::Grant);
            let (class, on_ports) = subject;
            if class == Class::Net && on_ports {
                let compiled = self.scope_or_everywhere(&scope, Side::Grant);
                info.port_stances.push(compiled);
            }
            seen.push((subject, scope));
            if let Some(stances) = info.stances.get_mut(class.index()) {
                stances.push(compiled);
            }
        }
        self.policy.only_grants &= !matches!(info.role, Role::Ceiling | Role::Untrusted);
        self.policy.documents.push(info);
        number
    }

    /// Compiles a scope. If its patterns cannot be expanded on this host, the scope contains every
    /// access, so that more is judged and never less.
    fn scope_or_everywhere(&mut self, scope: &Scope, side: Side) -> Option<Box<CompiledScope>> {
        let kind = EntryKind::Rule(if side == Side::Grant { Effect::Allow } else { Effect::Deny });
        CompiledScope::new(scope, (kind, side), &mut self.expander).unwrap_or_default()
    }

    fn add(&mut self, rule: Rule, kind: EntryKind, document: u32) {
        let expired = rule.note.until.is_some_and(|last| last < self.context.today);
        let entry = self.rules.next();
        let side = kind.side(&rule.pattern);
        let scope = CompiledScope::new(&rule.scope, (kind, side), &mut self.expander);
        let added = scope.and_then(|scope| {
            let index = match side {
                Side::Grant => &mut self.policy.grants,
                Side::Object => &mut self.policy.objections,
            };
            index.insert(&rule.pattern, (kind, side), entry, &mut self.expander)?;
            Ok(scope)
        });
        let mut own = RuleEntry { expired, ..RuleEntry::new(&rule.pattern, kind, document) };
        match added {
            Ok(scope) => own.scope = scope,
            // A rule that cannot be expanded keeps its number, because the indexes may already
            // contain it.
            Err(error) => {
                self.report(&rule, (entry, kind), error);
                own.expired = true;
            }
        }
        let except = |pattern: &Pattern| Rule {
            pattern: pattern.clone(),
            except: Vec::new(),
            ..rule.clone()
        };
        let excepts: Vec<Rule> = rule.except.iter().map(except).collect();
        self.policy.program_names.add(&rule.pattern, kind);
        self.policy.floating.add(kind, &rule.pattern);
        self.policy.entries.push(own);
        self.rules.push(rule);
        for except in excepts {
            self.add(except, EntryKind::Except(entry), document);
        }
    }

    fn report(
        &mut self,
        rule: &Rule,
        (number, kind): (RuleNumber, EntryKind),
        error: PlacementError,
    ) {
        // Without a project root, a deny rule below the root has nothing to deny.
        let harmless = error == PlacementError::NoRoot || kind != EntryKind::Rule(Effect::Deny);
        match harmless {
            true => self.policy.notices.push((number, error)),
            false => self.errors.push(RuleProblem::new(rule, error)),
        }
    }
}
