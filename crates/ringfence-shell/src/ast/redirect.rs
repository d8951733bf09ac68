//! Redirections.

use crate::span::Span;

use super::word::Word;

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// Where it stands; without the body of a here-document.
    pub span: Span,
    /// The descriptor written before the operator.
    pub descriptor: Descriptor,
    /// The operator.
    pub op: RedirectOp,
    /// What stands after it.
    pub target: RedirectTarget,
}

impl Redirect {
    /// The operator with its descriptor, as written.
    pub fn operator(&self) -> String {
        match &self.descriptor {
            Descriptor::Implied => self.op.text().to_owned(),
            Descriptor::Number(number) => format!("{number}{}", self.op.text()),
            Descriptor::Variable(name) => format!("{{{name}}}{}", self.op.text()),
        }
    }

    /// Whether what the target becomes is expanded a second time.
    ///
    /// After `>&` bash takes what is no number for the name of a file and expands it again, so that
    /// `>&"$x"` runs `$( )` in the value of `x`. Text for which that matters is not parsed.
    pub fn is_expanded_twice(&self) -> bool {
        match (&self.target, self.op) {
            (RedirectTarget::Word(word), RedirectOp::CopyOutput) => word.as_static().is_none(),
            _ => false,
        }
    }
}

/// The descriptor before an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Descriptor {
    /// None is written.
    Implied,
    /// `2>`
    Number(u32),
    /// `{NAME}>`: the shell picks one and assigns it.
    Variable(String),
}

/// The operator of a redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `<&`
    CopyInput,
    /// `>&`
    CopyOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<`
    HereDoc,
    /// `<<-`
    HereDocTabs,
    /// `<<<`
    HereString,
}

impl RedirectOp {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            RedirectOp::Read => "<",
            RedirectOp::Write => ">",
            RedirectOp::Append => ">>",
            RedirectOp::Clobber => ">|",
            RedirectOp::ReadWrite => "<>",
            RedirectOp::CopyInput => "<&",
            RedirectOp::CopyOutput => ">&",
            RedirectOp::WriteBoth => "&>",
            RedirectOp::AppendBoth => "&>>",
            RedirectOp::HereDoc => "<<",
            RedirectOp::HereDocTabs => "<<-",
            RedirectOp::HereString => "<<<",
        }
    }
}

/// What stands after the operator of a redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectTarget {
    /// A file, a descriptor, `-`, or the text of a here-string.
    Word(Word),
    /// A here-document.
    HereDoc(Box<HereDoc>),
}

/// A here-document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HereDoc {
    /// The line that ends it, quotes removed.
    pub delimiter: String,
    /// Whether the delimiter was quoted, so that the body is plain text.
    pub quoted: bool,
    /// The body, without the line that ends it.
    pub body: Word,
    /// Which of the bodies read so far is its own. The body comes after the command it belongs to,
    /// so it is put in place when the list is done.
    pub(crate) slot: usize,
}
