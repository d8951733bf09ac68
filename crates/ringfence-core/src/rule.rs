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
    /// For an entry of the danger list: the use for which its reason does not apply.
    pub harmless: Option<HarmlessUse>,
}

/// A use of a dangerous program or variable for which the reason of a danger entry does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HarmlessUse {
    /// Everything that is deleted lies strictly below the root, and git ignores it or can bring it
    /// back.
    RecoverableDeletion,
    /// Only processes of the fence, or jobs of the same shell, are reached.
    OwnProcesses,
    /// Files of the project become programs, and nothing else changes.
    ProjectProgram,
    /// The value has only these words; a star at the end stands for plain characters.
    InertValue(Arc<[Box<str>]>),
}

impl HarmlessUse {
    /// Returns whether a value consists of inert words alone.
    pub fn admits_value(&self, value: &str) -> bool {
        let HarmlessUse::InertValue(known) = self else { return false };
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'=');
        let is_known = |word: &str| {
            word.bytes().all(is_plain)
                && known.iter().any(|own| match own.strip_suffix('*') {
                    Some(start) => word.len() > start.len() && word.starts_with(start),
                    None => word == &**own,
                })
        };
        // Whoever reads it may split at other blanks, or unite words by quotes.
        value.split(' ').filter(|word| !word.is_empty()).all(is_known)
    }
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
