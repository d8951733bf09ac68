//! Compound commands.

use crate::span::Span;

use super::command::Script;
use super::cond::Cond;
use super::redirect::Redirect;
use super::word::{Arith, Word};

/// A compound command with its redirections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compound {
    /// Where it stands, redirections included.
    pub span: Span,
    /// What it is.
    pub kind: CompoundKind,
    /// The redirections after it.
    pub redirects: Vec<Redirect>,
}

/// What a compound command is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompoundKind {
    /// `( … )`
    Subshell(Script),
    /// `{ …; }`
    Group(Script),
    /// `if`
    If(IfCommand),
    /// `while` and `until`
    Loop(LoopCommand),
    /// `for NAME` and `select NAME`
    For(ForCommand),
    /// `for (( ; ; ))`
    ArithFor {
        /// The three expressions as written.
        header: Arith,
        /// What is repeated.
        body: Script,
    },
    /// `case`
    Case(CaseCommand),
    /// `(( … ))`
    Arith(Arith),
    /// `[[ … ]]`
    Cond(Cond),
}

/// `if`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IfCommand {
    /// The condition and body of `if` and of every `elif`.
    pub branches: Vec<(Script, Script)>,
    /// The body of `else`.
    pub otherwise: Option<Script>,
}

/// `while` or `until`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopCommand {
    /// Which of the two.
    pub kind: LoopKind,
    /// What is asked before each round.
    pub condition: Script,
    /// What is repeated.
    pub body: Script,
}

/// `while` or `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopKind {
    /// `while`
    While,
    /// `until`
    Until,
}

/// `for NAME` or `select NAME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForCommand {
    /// Which of the two.
    pub kind: ForKind,
    /// The variable.
    pub name: String,
    /// The words after `in`; `None` where the positional parameters are meant.
    pub words: Option<Vec<Word>>,
    /// What is repeated.
    pub body: Script,
}

/// `for` or `select`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForKind {
    /// `for`
    For,
    /// `select`
    Select,
}

/// `case`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseCommand {
    /// What is compared.
    pub word: Word,
    /// The clauses, in order.
    pub clauses: Vec<CaseClause>,
}

/// One clause of `case`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseClause {
    /// The patterns.
    pub patterns: Vec<Word>,
    /// What runs when one of them matches; may be empty.
    pub body: Script,
    /// What happens after it.
    pub end: CaseEnd,
}

/// What happens after a clause of `case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseEnd {
    /// `;;` or the end: the command is done.
    Leave,
    /// `;&`: the next body runs too.
    FallThrough,
    /// `;;&`: the next patterns are tried too.
    TryNext,
}
