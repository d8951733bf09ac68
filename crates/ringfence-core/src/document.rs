//! Documents: the rules of one source, with the role of that source.

use std::sync::Arc;

use crate::class::Class;
use crate::effect::Effect;
use crate::judge::RuleKind;
use crate::judge::table::{Row, RuleTable};
use crate::pattern::PathPattern;
use crate::program::CatalogueEntry;
use crate::rule::{Rule, Scope};
use crate::settings::Settings;

/// The rules and settings of one policy source.
#[derive(Debug, Clone)]
pub struct Document {
    /// The document's name in messages (`user policy.toml`).
    pub name: Arc<str>,
    /// The document's role in a decision.
    pub role: Role,
    /// The scope of the whole document. A ceiling for one agent does not apply to other agents.
    pub scope: Scope,
    /// The allow, ask and deny rules.
    pub rules: Vec<Rule>,
    /// The opt-ins to the danger list; `None` if the document has no list of opt-ins.
    pub danger: Option<Vec<Rule>>,
    /// The entries that this document adds to the danger list.
    pub dangerous: Vec<Rule>,
    /// The effect (`ask` or `deny`) where no rule matches, if the document states one.
    pub default: Option<Effect>,
    /// The effect for tools where no rule matches, if the document states one.
    pub tool_default: Option<Effect>,
    /// The effect for programs where no rule matches, if it differs from `default`.
    pub exec_default: Option<Effect>,
    /// Classes on which the document has a stance even without a rule for them.
    pub stances: Vec<Stance>,
    /// Allow rules that apply only where no granting document has a stance on their class.
    pub fallback: Vec<Rule>,
    /// Directories outside the root in which the document's command rules also apply.
    pub directories: Vec<PathPattern>,
    /// Descriptions of programs that add to the program catalogue or replace parts of it.
    pub programs: Vec<ProgramEntry>,
    /// The MCP servers that have a section of their own in the document.
    pub servers: Vec<McpServer>,
    /// The settings, which are not rules.
    pub settings: Settings,
    /// Built-in rule tables that apply as if their rules stood in this document.
    pub tables: Vec<&'static RuleTable>,
}

/// A document's description of a program or subcommand.
#[derive(Debug, Clone)]
pub struct ProgramEntry {
    /// The options and operands of the program, and what they do.
    pub entry: Arc<CatalogueEntry>,
    /// Whether this entry replaces the entry of the program catalogue.
    pub replace: bool,
}

/// An MCP server that has a section of its own in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// The server's name.
    pub name: Arc<str>,
    /// Whether paths in calls of this server's tools are paths on another machine.
    pub is_remote: bool,
}

impl Document {
    /// Creates a document without rules.
    pub fn new(name: impl Into<Arc<str>>, role: Role) -> Document {
        Document {
            name: name.into(),
            role,
            scope: Scope::default(),
            rules: Vec::new(),
            danger: None,
            dangerous: Vec::new(),
            default: None,
            tool_default: None,
            exec_default: None,
            stances: Vec::new(),
            fallback: Vec::new(),
            directories: Vec::new(),
            programs: Vec::new(),
            servers: Vec::new(),
            settings: Settings::default(),
            tables: Vec::new(),
        }
    }

    /// Moves the rules of all built-in tables into the rule lists of this document.
    pub fn expand_tables(&mut self) {
        for table in std::mem::take(&mut self.tables) {
            self.take_rules(table, false);
        }
    }

    /// Copies the rules that depend on this host from the built-in tables into the rule lists.
    pub(crate) fn copy_host_dependent_rules(&mut self) {
        self.rules.reserve_exact(self.compiled_rules().saturating_sub(self.rules.len()));
        for table in self.tables.clone() {
            self.take_rules(table, true);
        }
    }

    /// Returns about how many rules of the document a policy compiles itself.
    pub(crate) fn compiled_rules(&self) -> usize {
        let of_table = |table: &&RuleTable| table.rows.iter().filter(|row| row.is_of_host).count();
        self.tables.iter().map(of_table).sum::<usize>().saturating_add(self.rules.len())
    }

    fn take_rules(&mut self, table: &'static RuleTable, of_host_only: bool) {
        for (kind, rule) in table.rules(of_host_only) {
            let list = match kind {
                RuleKind::OptIn => self.danger.get_or_insert_default(),
                RuleKind::Danger => &mut self.dangerous,
                RuleKind::Fallback => &mut self.fallback,
                RuleKind::Allow | RuleKind::Ask | RuleKind::Deny | RuleKind::Except => {
                    &mut self.rules
                }
            };
            list.push(rule.clone());
        }
    }

    /// Returns whether this document has a stance on a class: an allow or ask rule, or an explicit
    /// stance. Answers give none.
    pub fn has_stance_on(&self, class: Class) -> bool {
        if self.role == Role::Answers {
            return false;
        }
        let gives_stance =
            |rule: &Rule| rule.pattern.class() == class && rule.effect != Effect::Deny;
        let mut rules = self.rules.iter().chain(&self.fallback);
        let is_granted = |row: &Row| row.class == class && row.kind.grants_or_asks();
        rules.any(gives_stance)
            || self.stances.iter().any(|stance| stance.class == class)
            || self.tables.iter().any(|table| table.rows.iter().any(is_granted))
    }
}

/// A stance on a class that a document takes without a rule. Accesses of this class then need a
/// grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stance {
    /// The class.
    pub class: Class,
    /// The agents, tools and commands that the stance is limited to.
    pub scope: Scope,
}

/// The role of a document in a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// ringfence's own protection; contains only deny rules.
    BuiltIn,
    /// Grants. If the organisation has a danger list, every danger opt-in must be in it too.
    Organisation,
    /// Grants: the user's own policy file.
    User,
    /// Grants: a project file that a person trusted.
    Project,
    /// Grants: the first `--policy`.
    Named,
    /// Grants: the rules that a person's answers wrote. They only add: without a rule of another
    /// document, a class is as if nobody had spoken about it.
    Answers,
    /// Only narrows: `ceiling` lists, `[agents.NAME]`, path lists of tools, further `--policy`.
    Ceiling,
    /// Only narrows: a project file that no person has trusted yet.
    Untrusted,
}

impl Role {
    /// Returns whether documents of this role can grant anything.
    pub fn grants(self) -> bool {
        matches!(
            self,
            Role::Organisation | Role::User | Role::Project | Role::Named | Role::Answers
        )
    }

    /// Returns whether the rules of documents in these roles count as if they stood in one document:
    /// those of a person, of the project that the person trusted, of the named policy, and those
    /// that the person's answers wrote.
    pub fn is_pooled(self) -> bool {
        matches!(self, Role::User | Role::Project | Role::Named | Role::Answers)
    }

    /// Returns the word for this role in messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::BuiltIn => "built-in",
            Role::Organisation => "organisation",
            Role::User => "user",
            Role::Project => "project",
            Role::Named => "named",
            Role::Answers => "answers",
            Role::Ceiling => "ceiling",
            Role::Untrusted => "untrusted",
        }
    }
}
