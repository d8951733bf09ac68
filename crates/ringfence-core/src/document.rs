//! Documents: the rules of one source, and the part that source plays.

use std::sync::Arc;

use crate::class::Class;
use crate::effect::Effect;
use crate::judge::Stand;
use crate::judge::table::{Row, RuleTable};
use crate::pattern::PathPattern;
use crate::program::Entry;
use crate::rule::{Rule, Scope};
use crate::settings::Settings;

/// The rules of one source.
#[derive(Debug, Clone)]
pub struct Document {
    /// The name by which people know it (`user policy.toml`).
    pub name: Arc<str>,
    /// The part it plays in a decision.
    pub role: Role,
    /// Where the whole document holds; ceilings of one agent are out of play for the others.
    pub scope: Scope,
    /// Its allow, ask and deny rules.
    pub rules: Vec<Rule>,
    /// Its opt-ins to the danger list; `None` where it has no such list at all.
    pub danger: Option<Vec<Rule>>,
    /// What it adds to the danger list.
    pub dangerous: Vec<Rule>,
    /// Its answer where nothing matches (`ask` or `deny`), if it states one.
    pub default: Option<Effect>,
    /// Its answer for tools where nothing matches, if it states one.
    pub tool_default: Option<Effect>,
    /// Classes on which it has a stance although it may list no rule for them.
    pub stances: Vec<Stance>,
    /// Allow rules that hold only where no granting document has a stance on their class.
    pub fallback: Vec<Rule>,
    /// Directories outside the root that its command rules may run in.
    pub directories: Vec<PathPattern>,
    /// What it says of programs.
    pub programs: Vec<ProgramEntry>,
    /// The MCP servers that it names in sections of their own.
    pub servers: Vec<McpServer>,
    /// What it says apart from rules.
    pub settings: Settings,
    /// Built-in lists whose rules count as if they stood in this document.
    pub tables: Vec<&'static RuleTable>,
}

/// What a document says of a program or subcommand.
#[derive(Debug, Clone)]
pub struct ProgramEntry {
    /// What its options and operands do.
    pub entry: Arc<Entry>,
    /// Whether this takes the place of what the catalogue says.
    pub replace: bool,
}

/// An MCP server that a document names in a section of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// The name of the server.
    pub name: Arc<str>,
    /// Whether paths in calls of its tools are paths of another machine.
    pub is_remote: bool,
}

impl Document {
    /// A document without rules.
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
            stances: Vec::new(),
            fallback: Vec::new(),
            directories: Vec::new(),
            programs: Vec::new(),
            servers: Vec::new(),
            settings: Settings::default(),
            tables: Vec::new(),
        }
    }

    /// Takes the rules of all tables into the lists of this document.
    pub fn spell_out(&mut self) {
        for table in std::mem::take(&mut self.tables) {
            self.take_rules(table, false);
        }
    }

    /// Takes those rules of tables into the lists of this document that are compiled on their host.
    pub(crate) fn take_rules_of_host(&mut self) {
        for table in self.tables.clone() {
            self.take_rules(table, true);
        }
    }

    fn take_rules(&mut self, table: &'static RuleTable, of_host_only: bool) {
        for (stand, rule) in table.rules(of_host_only) {
            let list = match stand {
                Stand::OptIn => self.danger.get_or_insert_default(),
                Stand::Danger => &mut self.dangerous,
                Stand::Fallback => &mut self.fallback,
                Stand::Allow | Stand::Ask | Stand::Deny | Stand::Except => &mut self.rules,
            };
            list.push(rule.clone());
        }
    }

    /// Returns whether an allow or ask rule of this document, or a stance, is about a class.
    pub fn speaks_of(&self, class: Class) -> bool {
        let speaks = |rule: &Rule| rule.pattern.class() == class && rule.effect != Effect::Deny;
        let mut rules = self.rules.iter().chain(&self.fallback);
        let is_granted = |row: &Row| row.class == class && row.stand.grants_or_asks();
        rules.any(speaks)
            || self.stances.iter().any(|stance| stance.class == class)
            || self.tables.iter().any(|table| table.rows.iter().any(is_granted))
    }
}

/// A word on a class that is said without a rule: what is not listed is not granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stance {
    /// The class.
    pub class: Class,
    /// Where the stance holds.
    pub scope: Scope,
}

/// The part a document plays in a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// What ringfence itself protects; only denies.
    BuiltIn,
    /// Grants, and must share every danger opt-in if it has a danger list.
    Organisation,
    /// Grants.
    User,
    /// Grants: a project file that a person trusted.
    Project,
    /// Grants: the first `--policy`.
    Named,
    /// Only narrows: `ceiling` lists, `[agents.NAME]`, path lists of tools, further `--policy`.
    Ceiling,
    /// Only narrows: a project file that nobody has trusted yet.
    Untrusted,
}

impl Role {
    /// Whether documents of this role can grant anything.
    pub fn grants(self) -> bool {
        matches!(self, Role::Organisation | Role::User | Role::Project | Role::Named)
    }

    /// Returns whether the rules of documents in these roles count as if they stood in one document:
    /// those of a person, of the project that the person trusted, and of the named policy.
    pub fn is_pooled(self) -> bool {
        matches!(self, Role::User | Role::Project | Role::Named)
    }

    /// The word for this role in messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::BuiltIn => "built-in",
            Role::Organisation => "organisation",
            Role::User => "user",
            Role::Project => "project",
            Role::Named => "named",
            Role::Ceiling => "ceiling",
            Role::Untrusted => "untrusted",
        }
    }
}
