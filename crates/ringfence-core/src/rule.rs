//! Rules: an effect, a pattern, a scope and a source position.

use std::sync::Arc;

use crate::date::Date;
use crate::effect::Effect;
use crate::origin::Origin;
use crate::pattern::{CommandPattern, NamePattern, PathPattern, Pattern};

/// One rule of a document.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The effect on the accesses that the rule matches.
    pub effect: Effect,
    /// The accesses that the rule matches.
    pub pattern: Pattern,
    /// Exceptions from `pattern`. Only deny rules have them.
    pub except: Vec<Pattern>,
    /// The agents, tools, commands and directories that the rule is limited to.
    pub scope: Scope,
    /// The source position of the rule.
    pub origin: Origin,
    /// The author's notes: reason, owner, expiry date and identifier.
    pub note: RuleNote,
}

impl Rule {
    /// Creates a rule without scope, exceptions and notes.
    pub fn new(effect: Effect, pattern: Pattern, origin: Origin) -> Rule {
        Rule {
            effect,
            pattern,
            except: Vec::new(),
            scope: Scope::default(),
            origin,
            note: RuleNote::default(),
        }
    }
}

/// The notes that a rule's author wrote about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleNote {
    /// The reason for the rule.
    pub why: Option<Arc<str>>,
    /// The person or team responsible for the rule.
    pub owner: Option<Arc<str>>,
    /// The last day on which the rule applies.
    pub until: Option<Date>,
    /// The rule's identifier in messages and tests.
    pub id: Option<Arc<str>>,
}

/// The agents, tools, commands and directories that a rule is limited to. The default has no
/// limits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Limits the rule to agents whose name matches.
    pub agent: Option<NamePattern>,
    /// Limits the rule to calls of these tools.
    pub tool: Option<ToolScope>,
    /// Limits the rule to accesses by a command that one of these patterns matches.
    pub command: Option<Arc<[CommandPattern]>>,
    /// Excludes accesses by a command that one of these patterns matches. Command tables
    /// (`[capabilities.allow.commands]`) need this: only the lists of the most specific matching
    /// table apply.
    pub unless: Option<Arc<[CommandPattern]>>,
    /// Limits the rule to commands that run in one of these directories or below it.
    pub within: Option<Arc<[PathPattern]>>,
}

/// The tools that a scope contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolScope {
    /// Every tool of this kind, under any name.
    Kind(ToolKind),
    /// Every tool whose name matches. MCP tools have the name `mcp__SERVER__TOOL`.
    Name(NamePattern),
}

/// The kinds of tool that ringfence knows. Tools of these kinds are judged by the accesses of their
/// calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolKind {
    /// Runs command lines.
    Terminal,
    /// Reads, writes, lists and searches files.
    File,
    /// Runs code.
    CodeExecution,
    /// Fetches and searches the web.
    Web,
}

impl ToolKind {
    /// Every kind.
    pub const ALL: [ToolKind; 4] =
        [ToolKind::Terminal, ToolKind::File, ToolKind::CodeExecution, ToolKind::Web];

    /// Returns the word for this kind in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            ToolKind::Terminal => "terminal",
            ToolKind::File => "file",
            ToolKind::CodeExecution => "code_execution",
            ToolKind::Web => "web",
        }
    }

    /// Returns the kind that a word in a document names.
    pub fn from_word(word: &str) -> Option<ToolKind> {
        ToolKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}
