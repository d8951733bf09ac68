//! Queries about a policy other than decisions.

use std::collections::BTreeSet;

use super::compile::Policy;
use super::decide::scope_contains;
use super::entry::{EntryKind, Side, has_right};
use crate::access::{Access, FileOp, ToolName};
use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::pattern::{Base, Glob, McpItemKind, PathPattern, Pattern, Token};
use crate::rule::Rule;

/// Shells whose name does not occur as the name of another program.
const PLAIN_SHELLS: [&str; 11] =
    ["sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "csh", "tcsh", "pwsh"];

/// The programs that rules of documents name. Built-in tables keep their own list.
#[derive(Debug, Default)]
pub(super) struct ProgramNames {
    /// Programs named by deny and danger rules.
    objected: BTreeSet<Box<str>>,
    /// Programs named by deny and ask rules.
    narrowed: BTreeSet<Box<str>>,
}

impl ProgramNames {
    /// Adds the programs that a rule names.
    pub(super) fn add(&mut self, pattern: &Pattern, kind: EntryKind) {
        if kind.objects_to_programs() {
            self.objected.extend(programs_of(pattern));
        }
        if kind.narrows_programs() {
            self.narrowed.extend(programs_of(pattern));
        }
    }
}

impl EntryKind {
    pub(super) fn objects_to_programs(self) -> bool {
        matches!(self, EntryKind::Rule(Effect::Deny) | EntryKind::Danger)
    }

    pub(super) fn narrows_programs(self) -> bool {
        matches!(self, EntryKind::Rule(Effect::Deny | Effect::Ask))
    }
}

/// Returns the program names in a pattern, without those that contain a wildcard.
pub(super) fn programs_of(pattern: &Pattern) -> Vec<Box<str>> {
    match pattern {
        Pattern::Shell => PLAIN_SHELLS.map(Box::from).to_vec(),
        Pattern::Command(command) => {
            let first = command.alternatives().iter().filter_map(|own| own.tokens.first());
            let name = |token: &Token| match token {
                Token::Literal(name) => Some(name.clone()),
                Token::Glob(_) | Token::Run => None,
            };
            first.filter_map(name).collect()
        }
        _ => Vec::new(),
    }
}

impl Policy {
    /// Returns whether any document has a stance on the class of the access, in its scope.
    pub fn has_stance(&self, access: &Access) -> bool {
        let counts = |role: Role| role.grants() || role == Role::Ceiling;
        self.documents_in_scope(access, counts).any(|(_, document)| document.has_stance(access))
    }

    /// Returns whether a document or a rule is about agents of this name.
    pub fn names_agent(&self, name: &str) -> bool {
        let mut documents = self.documents.iter().filter_map(|own| own.scope.as_ref());
        let mut rules = self.rules().filter_map(|(_, rule)| rule.scope.agent.as_ref());
        documents.any(|scope| scope.names_agent(name)) || rules.any(|own| own.matches(name))
    }

    /// Returns whether an allow rule names the tool without a wildcard.
    pub fn names_tool(&self, tool: &ToolName) -> bool {
        let is = |globs: &[Glob], name: &str| {
            globs.iter().any(|glob| glob.as_literal().as_deref() == Some(name))
        };
        self.granting_rules().any(|rule| match (&rule.pattern, &tool.mcp) {
            (Pattern::Tool(name), _) => is(name.alternatives(), &tool.wire),
            (Pattern::Mcp(pattern), Some(mcp)) => {
                is(pattern.server.alternatives(), &mcp.server)
                    && is(pattern.item.alternatives(), &mcp.item)
            }
            _ => false,
        })
    }

    /// Returns whether an allow rule shows where the server name ends in a joined tool name
    /// `SERVER__TOOL`. The rule must name the server without a wildcard, and the tool up to another
    /// separator.
    pub fn splits_joined_name(&self, server: &str, tool: &str, separator: &str) -> bool {
        let is_server = |glob: &Glob| glob.as_literal().as_deref() == Some(server);
        let goes_on = |glob: &Glob| glob.literal_start().contains(separator) && glob.matches(tool);
        self.granting_rules().any(|rule| match &rule.pattern {
            Pattern::Mcp(own) => {
                own.sort == McpItemKind::Tool
                    && own.server.alternatives().iter().any(is_server)
                    && own.item.alternatives().iter().any(goes_on)
            }
            _ => false,
        })
    }

    /// Returns the allow rules on tools of granting documents.
    fn granting_rules(&self) -> impl Iterator<Item = &Rule> {
        let allows = self.numbered_where(|entry| {
            entry.class == Class::Tool
                && entry.kind == EntryKind::Rule(Effect::Allow)
                && !entry.expired
                && self.role(*entry).grants()
        });
        allows.map(|(_, _, rule)| rule)
    }

    /// Returns whether path lists limit the tool of the access.
    pub fn is_scoped_by_path(&self, access: &Access) -> bool {
        let mut without_tool = access.clone();
        without_tool.scope.tool = None;
        let is_ceiling = |role: Role| role == Role::Ceiling;
        let mut by_tool = self.documents_in_scope(access, is_ceiling);
        by_tool.any(|(number, document)| {
            let everywhere = || {
                self.documents_in_scope(&without_tool, is_ceiling)
                    .any(|(own, document)| own == number && document.has_stance(&without_tool))
            };
            document.has_stance(access) && !everywhere()
        })
    }

    /// Returns whether the path of some rule starts with this variable.
    pub fn names_variable(&self, name: &str) -> bool {
        let is_named = |path: &PathPattern| {
            let mut bases = path.alternatives().iter().map(|alternative| &alternative.base);
            bases.any(|base| matches!(base, Base::Var(own) if **own == *name))
        };
        // Built-in tables contain no path that starts with a variable.
        self.entries.iter().zip(self.rules.own()).any(|(entry, rule)| match &rule.pattern {
            Pattern::File(_, path) => matches!(entry.kind, EntryKind::Rule(_)) && is_named(path),
            _ => false,
        })
    }

    /// Returns whether a deny or danger rule names a program of this name.
    pub fn objects_to_program(&self, name: &str) -> bool {
        self.program_names.objected.contains(name)
            || self.tables.iter().any(|own| own.table.names_program(name, false))
    }

    /// Returns whether a deny or ask rule names a program of this name. The danger list does not
    /// count: it lists all names of a program itself, and each opt-in is for one name.
    pub fn narrows_program(&self, name: &str) -> bool {
        self.program_names.narrowed.contains(name)
            || self.tables.iter().any(|own| own.table.names_program(name, true))
    }

    /// Returns whether a deny rule is about commands.
    pub fn denies_commands(&self) -> bool {
        (0..self.rules.next())
            .filter_map(|number| self.entry(number))
            .any(|entry| entry.kind == EntryKind::Rule(Effect::Deny) && entry.class == Class::Exec)
    }

    /// Returns whether a deny or danger rule may match an operation at any depth of a tree. Only
    /// walking the tree can then tell whether the rule applies.
    pub fn floats(&self, op: FileOp, with_danger: bool) -> bool {
        let tables = self.tables.iter().map(|own| &own.table.floating);
        [&self.floating].into_iter().chain(tables).any(|own| own.has(op, with_danger))
    }

    /// Returns the paths that rules grant for an operation in this scope, as written in the rules.
    pub fn granted_paths(&self, access: &Access, op: FileOp) -> Vec<String> {
        let mut paths: Vec<String> = Vec::new();
        let allows = self.numbered_where(|entry| {
            entry.class == Class::Files
                && !entry.expired
                && self.role(*entry).grants()
                && entry.kind == EntryKind::Rule(Effect::Allow)
                && has_right(entry.rights, op, Side::Grant)
                && scope_contains(entry.scope, access)
        });
        for (_, _, rule) in allows {
            let Pattern::File(_, path) = &rule.pattern else { continue };
            let text = path.to_string();
            let text = text.strip_suffix("/**").unwrap_or(&text).to_owned();
            if !paths.contains(&text) {
                paths.push(text);
            }
        }
        paths
    }
}

impl EntryKind {
    pub(super) fn objects_to_files(self, with_danger: bool) -> bool {
        match self {
            EntryKind::Rule(effect) => effect == Effect::Deny,
            EntryKind::Danger => with_danger,
            _ => false,
        }
    }
}
