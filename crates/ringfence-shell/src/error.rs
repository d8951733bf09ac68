//! Why a line was not parsed.

use std::borrow::Cow;
use std::fmt;

use crate::span::Span;

/// Why a line was not parsed. Either way nothing is known of what it would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseError {
    /// The shell refuses the line.
    Syntax(Syntax),
    /// The line may be right, but what it means is not certain, or it is over a limit.
    Unsupported(Unsupported),
}

/// The shell refuses the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Syntax {
    span: Span,
    message: Cow<'static, str>,
}

/// What the line says there is not read with certainty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    span: Span,
    what: Cow<'static, str>,
    is_limit: bool,
}

impl ParseError {
    pub(crate) fn syntax(span: Span, message: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError::Syntax(Syntax { span, message: message.into() })
    }

    pub(crate) fn unsupported(span: Span, what: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError::Unsupported(Unsupported { span, what: what.into(), is_limit: false })
    }

    pub(crate) fn limit(span: Span, what: &'static str) -> ParseError {
        ParseError::Unsupported(Unsupported { span, what: what.into(), is_limit: true })
    }

    /// The same where the shell reads the text only when it gets there: it runs the rest.
    pub(crate) fn deferred(self) -> ParseError {
        match self {
            ParseError::Syntax(Syntax { span, message }) => ParseError::unsupported(span, message),
            unsupported @ ParseError::Unsupported(_) => unsupported,
        }
    }

    /// Whether the line is only too long or too deep to be read.
    pub fn is_limit(&self) -> bool {
        matches!(self, ParseError::Unsupported(unsupported) if unsupported.is_limit)
    }

    /// Where in the line.
    pub fn span(&self) -> Span {
        match self {
            ParseError::Syntax(syntax) => syntax.span,
            ParseError::Unsupported(unsupported) => unsupported.span,
        }
    }

    /// What is wrong, or what is not supported.
    pub fn message(&self) -> &str {
        match self {
            ParseError::Syntax(syntax) => &syntax.message,
            ParseError::Unsupported(unsupported) => &unsupported.what,
        }
    }
}

impl Syntax {
    /// Where in the line.
    pub fn span(&self) -> Span {
        self.span
    }

    /// What is wrong there.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl Unsupported {
    /// Where in the line.
    pub fn span(&self) -> Span {
        self.span
    }

    /// What is not read with certainty.
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Syntax(syntax) => syntax.fmt(f),
            ParseError::Unsupported(unsupported) => unsupported.fmt(f),
        }
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "syntax error at byte {}: {}", self.span.start, self.message)
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not supported at byte {}: {}", self.span.start, self.what)
    }
}

impl std::error::Error for ParseError {}
