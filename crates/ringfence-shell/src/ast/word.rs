//! Words and what they are made of.

use std::borrow::Cow;

use crate::span::Span;

use super::command::{ArrayElement, Script};
use super::param::Param;

/// A word: what a shell makes an argument, a value or a file name of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// Its parts, in order, quotes removed. The empty list is a word of no characters.
    pub parts: Vec<Part>,
}

impl Word {
    /// The text of the word, if it is the same whenever and wherever the line runs.
    pub fn as_static(&self) -> Option<Cow<'_, str>> {
        self.text(None)
    }

    /// The text of the word, `~` taken for `home`.
    pub fn as_static_at(&self, home: &str) -> Option<Cow<'_, str>> {
        self.text(Some(home))
    }

    fn text(&self, home: Option<&str>) -> Option<Cow<'_, str>> {
        match self.parts.as_slice() {
            [] => Some(Cow::Borrowed("")),
            [Part { kind: PartKind::Literal(text), .. }] => Some(Cow::Borrowed(text)),
            parts => {
                let mut whole = String::new();
                for part in parts {
                    match &part.kind {
                        PartKind::Literal(text) => whole.push_str(text),
                        PartKind::Tilde(Tilde::Home) => whole.push_str(home?),
                        _ => return None,
                    }
                }
                Some(Cow::Owned(whole))
            }
        }
    }

    /// The text of the word, if it is written without any quoting or expansion.
    pub fn as_bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part { quoted: false, kind: PartKind::Literal(text), .. }] => Some(text),
            _ => None,
        }
    }
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Where it stands.
    pub span: Span,
    /// Whether it is quoted: its result is neither split nor taken for a pattern.
    pub quoted: bool,
    /// What it is.
    pub kind: PartKind,
}

/// What a part of a word is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind {
    /// Text that stands for itself.
    Literal(String),
    /// What `$'…'` says where it is no text: not UTF-8, or a byte that the shell treats as a mark.
    Bytes(Vec<u8>),
    /// `*`, `?` or `[…]` that matches file names or text.
    Glob(String),
    /// `@(…)` and kin.
    ExtGlob {
        /// The character before the parenthesis.
        operator: char,
        /// What stands inside, `|` included.
        body: Vec<Part>,
    },
    /// `~` and kin.
    Tilde(Tilde),
    /// A brace expansion that is too large to write out; what it is made of.
    Braces(Vec<Part>),
    /// `$x`, `${x…}`
    Param(Box<Param>),
    /// `$( … )` or backquotes.
    Command(Box<Substitution>),
    /// `<( … )` or `>( … )`.
    Process(Box<ProcessSubstitution>),
    /// `$(( … ))` or `$[ … ]`.
    Arith(Arith),
    /// `( … )` after `declare NAME=` and kin.
    Array(Vec<ArrayElement>),
}

/// A tilde that is expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tilde {
    /// `~`: the home directory.
    Home,
    /// `~+`: the working directory.
    Current,
    /// `~-`: the working directory before.
    Previous,
    /// `~NAME`: the home directory of a user, or an entry of the directory stack.
    Named(String),
}

/// A command substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitution {
    /// How it is written.
    pub form: SubstitutionForm,
    /// What it runs.
    pub script: Script,
}

/// How a command substitution is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubstitutionForm {
    /// `$( … )`
    Dollar,
    /// Backquotes.
    Backquote,
}

/// A process substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessSubstitution {
    /// Which end the line holds.
    pub direction: ProcessDirection,
    /// What it runs.
    pub script: Script,
}

/// Which end of a process substitution the line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessDirection {
    /// `<( … )`: the line reads what the commands write.
    Read,
    /// `>( … )`: the commands read what the line writes.
    Write,
}

/// An arithmetic expression: its text, and the expansions in it.
///
/// The shell evaluates names in it in turn, subscripts included, so that the value of a variable
/// can run a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arith {
    /// Where it stands, without the parentheses.
    pub span: Span,
    /// Its parts.
    pub parts: Vec<Part>,
}
