//! Scripts, lists, pipelines and simple commands.

use std::sync::Arc;

use crate::span::Span;

use super::compound::Compound;
use super::redirect::Redirect;
use super::word::{Part, Word};

/// A list of commands: a whole line, or what stands inside `( )`, `$( )`, a loop and the like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// Where it stands.
    pub span: Span,
    /// What it runs, in order.
    pub items: Vec<Item>,
}

/// One element of a list, up to its `;`, `&` or newline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it runs.
    pub list: AndOr,
    /// How it ends.
    pub end: ItemEnd,
    /// Whether the shell reads on in a new line behind it, whatever became of this one.
    pub last_in_line: bool,
}

/// How an element of a list ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemEnd {
    /// The shell waits for it.
    Wait,
    /// `&`: the shell goes on at once.
    Background,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AndOr {
    /// Where it stands.
    pub span: Span,
    /// The first pipeline.
    pub first: Pipeline,
    /// The others, each with the operator before it.
    pub rest: Vec<(AndOrOperator, Pipeline)>,
}

/// `&&` or `||`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AndOrOperator {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` and `|&`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// Where it stands.
    pub span: Span,
    /// Whether an odd number of `!` stands before it.
    pub negated: bool,
    /// Whether `time` stands before it.
    pub timing: Timing,
    /// Its commands; none for `!` or `time` alone.
    pub stages: Vec<Stage>,
}

/// Whether and how a pipeline is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// It is not.
    Untimed,
    /// `time`
    Timed,
    /// `time -p`
    Posix,
}

/// One command of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The command.
    pub command: Command,
    /// How its output goes to the next one; `None` for the last.
    pub pipe: Option<Pipe>,
}

/// `|` or `|&`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pipe {
    /// `|`: its output.
    Output,
    /// `|&`: its output and its errors.
    OutputAndErrors,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Assignments, a program with arguments, redirections.
    Simple(SimpleCommand),
    /// A loop, a group, a test and the like.
    Compound(Box<Compound>),
    /// The definition of a function.
    Function(Box<Function>),
    /// `coproc`
    Coproc(Box<Coproc>),
}

impl Command {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Command::Simple(simple) => simple.span,
            Command::Compound(compound) => compound.span,
            Command::Function(function) => function.span,
            Command::Coproc(coproc) => coproc.span,
        }
    }
}

/// Assignments, a program with arguments, redirections; any of them may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SimpleCommand {
    /// Where it stands.
    pub span: Span,
    /// The assignments before the program.
    pub assignments: Vec<Assignment>,
    /// The program and its arguments, after brace expansion.
    pub words: Vec<Word>,
    /// The redirections, in order.
    pub redirects: Vec<Redirect>,
}

/// `NAME=VALUE` before a command or alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Where it stands.
    pub span: Span,
    /// The name of the variable.
    pub name: String,
    /// The subscript, for an element of an array.
    pub subscript: Option<Vec<Part>>,
    /// Whether it is `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignmentValue,
}

/// What is assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignmentValue {
    /// One value.
    Scalar(Word),
    /// `( … )`
    Array(Vec<ArrayElement>),
}

/// One element of `( … )`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayElement {
    /// The subscript of `[…]=`.
    pub subscript: Option<Vec<Part>>,
    /// The value.
    pub value: Word,
}

/// The definition of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Where it stands.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// What it runs when called; redirections after it are made at each call.
    pub body: Arc<Compound>,
}

/// `coproc`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coproc {
    /// Where it stands.
    pub span: Span,
    /// Its name, where one is given.
    pub name: Option<String>,
    /// What it runs.
    pub command: Command,
}
