//! Questions about a policy that are not decisions.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::compile::Policy;
use super::decide::is_admitted;
use super::entry::{Side, Sort, has_right};
use super::foreseen::Extract;
use crate::access::{Access, FileOp, ToolName};
use crate::class::Class;
use crate::document::Role;
use crate::effect::Effect;
use crate::pattern::{Base, Component, Glob, McpSort, PathPattern, Pattern, Token};
use crate::rule::Rule;
use crate::verdict::Verdict;

/// Shells whose names are no words of anything else.
const PLAIN_SHELLS: [&str; 11] =
    ["sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "csh", "tcsh", "pwsh"];

/// Answers that go through all rules, kept once they were asked for.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The programs that rules object to by name.
    objected: OnceLock<BTreeSet<Box<str>>>,
    narrowed: OnceLock<BTreeSet<Box<str>>>,
    /// The variables with which paths of rules start.
    variables: OnceLock<BTreeSet<Arc<str>>>,
    /// Whether a deny rule speaks of commands.
    denies_commands: OnceLock<bool>,
    /// Whether rules float, by operation, without danger and with it.
    floating: [[OnceLock<bool>; 2]; 3],
    /// The verdict on the first tool that was called.
    pub(super) first_tool: OnceLock<(Arc<ToolName>, Verdict)>,
}

impl Policy {
    /// Whether any document has a stance on the class of the access, in its scope.
    pub fn has_stance(&self, access: &Access) -> bool {
        let counts = |role: Role| role.grants() || role == Role::Ceiling;
        self.in_play(access, counts).any(|(_, document)| document.has_stance(access))
    }

    /// Whether a granting rule names the tool itself, without a wildcard.
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

    /// Whether a granting rule says where the server's name ends in a joined one: it names the server
    /// without a wildcard, and the tool so far that another separator is in it.
    pub fn tells_apart(&self, server: &str, tool: &str, separator: &str) -> bool {
        let is_server = |glob: &Glob| glob.as_literal().as_deref() == Some(server);
        let goes_on = |glob: &Glob| glob.literal_start().contains(separator) && glob.matches(tool);
        self.granting_rules().any(|rule| match &rule.pattern {
            Pattern::Mcp(own) => {
                own.sort == McpSort::Tool
                    && own.server.alternatives().iter().any(is_server)
                    && own.item.alternatives().iter().any(goes_on)
            }
            _ => false,
        })
    }

    /// The allow rules of documents that grant; those of one that narrows tell nothing.
    fn granting_rules(&self) -> impl Iterator<Item = &Rule> {
        let allows = self.numbered().filter(|(entry, _)| {
            entry.sort == Sort::Rule(Effect::Allow) && !entry.expired && self.role(entry).grants()
        });
        allows.map(|(_, rule)| rule)
    }

    /// Whether the tool of the access is scoped by path lists of its own.
    pub fn is_scoped_by_path(&self, access: &Access) -> bool {
        let mut without_tool = access.clone();
        without_tool.scope.tool = None;
        let is_ceiling = |role: Role| role == Role::Ceiling;
        let mut by_tool = self.in_play(access, is_ceiling);
        by_tool.any(|(number, document)| {
            let everywhere = || {
                self.in_play(&without_tool, is_ceiling)
                    .any(|(own, document)| own == number && document.has_stance(&without_tool))
            };
            document.has_stance(access) && !everywhere()
        })
    }

    /// Whether a path of some rule starts with this variable.
    pub fn names_variable(&self, name: &str) -> bool {
        self.answers.variables.get_or_init(|| self.named_variables()).contains(name)
    }

    fn named_variables(&self) -> BTreeSet<Arc<str>> {
        let paths = self.rules().filter_map(|(_, rule)| match &rule.pattern {
            Pattern::File(_, path) => Some(path),
            _ => None,
        });
        let bases = paths.flat_map(|path| path.alternatives()).map(|it| &it.base);
        bases
            .filter_map(|base| match base {
                Base::Var(name) => Some(name.clone()),
                _ => None,
            })
            .collect()
    }

    /// Whether a deny rule, or one of the danger list, names a program of this name.
    pub fn objects_to_program(&self, name: &str) -> bool {
        self.extract.iter().for_each(|extract| extract.ask_program(name));
        let objects = |sort| matches!(sort, Sort::Rule(Effect::Deny) | Sort::Danger);
        self.answers.objected.get_or_init(|| self.programs_of(objects)).contains(name)
    }

    /// Returns whether a rule that denies or asks names a program of this name. The danger list says
    /// all names itself, and who opts in to one of them opts in to that one.
    pub fn narrows_program(&self, name: &str) -> bool {
        self.extract.iter().for_each(|extract| extract.ask_program(name));
        let narrows = |sort| matches!(sort, Sort::Rule(Effect::Deny | Effect::Ask));
        self.answers.narrowed.get_or_init(|| self.programs_of(narrows)).contains(name)
    }

    fn programs_of(&self, is_meant: impl Fn(Sort) -> bool) -> BTreeSet<Box<str>> {
        let mut names = BTreeSet::new();
        for (_, rule) in self.numbered().filter(|(entry, _)| is_meant(entry.sort)) {
            if rule.pattern == Pattern::Shell {
                names.extend(PLAIN_SHELLS.map(Box::from));
            }
            let Pattern::Command(command) = &rule.pattern else { continue };
            for alternative in command.alternatives() {
                if let Some(Token::Literal(own)) = alternative.tokens.first() {
                    names.insert(own.clone());
                }
            }
        }
        names
    }

    /// Returns whether a deny rule of some document speaks of commands.
    pub fn denies_commands(&self) -> bool {
        self.extract.iter().for_each(Extract::ask_all);
        *self.answers.denies_commands.get_or_init(|| {
            self.numbered().any(|(entry, rule)| {
                entry.sort == Sort::Rule(Effect::Deny) && rule.pattern.class() == Class::Exec
            })
        })
    }

    /// Whether a deny rule, or one of the danger list, can meet an operation anywhere in a tree,
    /// so that only a look at the tree can tell.
    pub fn floats(&self, op: FileOp, with_danger: bool) -> bool {
        self.extract.iter().for_each(Extract::ask_files);
        let kept = self.answers.floating.get(op as usize);
        match kept.and_then(|kept| kept.get(usize::from(with_danger))) {
            Some(kept) => *kept.get_or_init(|| self.has_floating(op, with_danger)),
            None => true,
        }
    }

    fn has_floating(&self, op: FileOp, with_danger: bool) -> bool {
        self.numbered().any(|(entry, rule)| {
            let objects = match entry.sort {
                Sort::Rule(effect) => effect == Effect::Deny,
                Sort::Danger => with_danger,
                _ => false,
            };
            match &rule.pattern {
                Pattern::File(rights, path) => {
                    objects && has_right(*rights, op, Side::Object) && floats(path)
                }
                _ => false,
            }
        })
    }

    /// The paths that rules grant for an operation in this scope, as they were written.
    pub fn granted_paths(&self, access: &Access, op: FileOp) -> Vec<String> {
        self.extract.iter().for_each(Extract::ask_all);
        let mut paths: Vec<String> = Vec::new();
        for (entry, rule) in self.numbered().filter(|(entry, _)| !entry.expired) {
            let grants = self.role(entry).grants();
            let allows = grants && entry.sort == Sort::Rule(Effect::Allow);
            let Pattern::File(rights, path) = &rule.pattern else { continue };
            let fits =
                has_right(*rights, op, Side::Grant) && is_admitted(entry.scope.as_deref(), access);
            if !allows || !fits {
                continue;
            }
            let text = path.to_string();
            let text = text.strip_suffix("/**").unwrap_or(&text).to_owned();
            if !paths.contains(&text) {
                paths.push(text);
            }
        }
        paths
    }
}

/// Whether a pattern has a literal somewhere behind a wildcard.
fn floats(path: &PathPattern) -> bool {
    path.alternatives().iter().any(|alternative| {
        let literal = |component: &Component| matches!(component, Component::Literal(_));
        let mut behind = alternative.components.iter().skip_while(|component| literal(component));
        behind.next().is_some() && behind.next().is_some()
    })
}
