//! Rules: an effect, a pattern, a scope, and where they were written.

use std::sync::Arc;

use crate::date::Date;
use crate::effect::Effect;
use crate::origin::Origin;
use crate::pattern::{CommandPattern, NamePattern, PathPattern, Pattern};

/// One statement of a document.
#[derive(Debug, Clone)]
pub struct Rule {
    /// What the rule says about what it matches.
    pub effect: Effect,
    /// What it matches.
    pub pattern: Pattern,
    /// What it does not match after all; only deny rules have exceptions.
    pub except: Vec<Pattern>,
    /// Where it holds.
    pub scope: Scope,
    /// Where it was written.
    pub origin: Origin,
    /// Reason, owner, last day and name, as the author gave them.
    pub note: Note,
}

impl Rule {
    /// A rule that holds everywhere and carries no note.
    pub fn new(effect: Effect, pattern: Pattern, origin: Origin) -> Rule {
        Rule {
            effect,
            pattern,
            except: Vec::new(),
            scope: Scope::default(),
            origin,
            note: Note::default(),
        }
    }
}

/// What a rule's author wrote about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    /// Why the rule is there.
    pub why: Option<Arc<str>>,
    /// Who answers for it.
    pub owner: Option<Arc<str>>,
    /// The last day on which it holds.
    pub until: Option<Date>,
    /// Its name in messages and tests.
    pub id: Option<Arc<str>>,
}

/// Where a rule holds; the default is everywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Only for agents of this name.
    pub agent: Option<NamePattern>,
    /// Only for calls of this tool.
    pub tool: Option<ToolScope>,
    /// Only for what happens under a command that one of these patterns matches.
    pub command: Option<Arc<[CommandPattern]>>,
    /// Not for what happens under a command that one of these patterns matches. Seal's tables need
    /// it: the lists of the narrowest matching command entry count, those of broader ones do not.
    pub unless: Option<Arc<[CommandPattern]>>,
    /// Only for commands that run at or below one of these directories.
    pub within: Option<Arc<[PathPattern]>>,
}

/// The tools that a scope takes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolScope {
    /// Every tool of this kind, whatever an agent calls it.
    Kind(ToolKind),
    /// Every tool whose name matches, MCP tools by their wire name `mcp__SERVER__TOOL`.
    Name(NamePattern),
}

/// The kinds of tool that ringfence knows by what they do.
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

    /// The word for this kind in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            ToolKind::Terminal => "terminal",
            ToolKind::File => "file",
            ToolKind::CodeExecution => "code_execution",
            ToolKind::Web => "web",
        }
    }

    /// The kind that a document means by this word.
    pub fn from_word(word: &str) -> Option<ToolKind> {
        ToolKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}
