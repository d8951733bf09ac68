//! What is wrong with a text: where, what, and what to write instead.

use std::fmt;
use std::sync::Arc;

use super::{Lines, Span};

/// Something to say about one place of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub(crate) severity: Severity,
    pub(crate) file: Arc<str>,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) excerpt: Excerpt,
}

/// Whether a document is refused for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The whole document is refused.
    Error,
    /// The document is read; its author should know.
    Warning,
}

impl Diagnostic {
    /// Whether the document is refused for it.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The document's name as people know it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, counted from 1; 0 where it is about the file as a whole.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column in characters, counted from 1; 0 where it is about the file as a whole.
    pub fn column(&self) -> u32 {
        self.column
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to write instead, where that can be told.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The text that is wrong, as far as it stands on its first line.
    pub fn offending(&self) -> &str {
        self.excerpt.text.get(self.excerpt.start..self.excerpt.end).unwrap_or("")
    }

    /// The line in which it stands, shortened around it if it is very long.
    pub fn source_line(&self) -> &str {
        &self.excerpt.text
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}: {}", self.file, self.message),
            (line, column) => write!(f, "{}:{line}:{column}: {}", self.file, self.message),
        }
    }
}

/// Part of a source line with a marked stretch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it starts where the line does.
    pub(crate) whole: bool,
}

impl Excerpt {
    /// What is kept of a line on each side of the marked stretch, in bytes.
    const AROUND: usize = 120;

    /// The first line of a span, with the part of the span that stands on it marked.
    pub(crate) fn of(lines: &Lines<'_>, span: Span) -> Excerpt {
        let (line_start, line) = lines.line_at(span.start);
        let start = floor(line, span.start.saturating_sub(line_start));
        let end = floor(line, span.end.saturating_sub(line_start)).max(start);
        let from = floor(line, start.saturating_sub(Excerpt::AROUND));
        let to = floor(line, start.saturating_add(Excerpt::AROUND.saturating_mul(2)));
        Excerpt {
            text: line.get(from..to).unwrap_or("").to_owned(),
            start: start.saturating_sub(from),
            end: end.min(to).saturating_sub(from),
            whole: from == 0,
        }
    }
}

/// The nearest character boundary at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Something wrong at a place, before it is known in which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Fault {
    pub(crate) fn new(span: impl Into<Span>, message: impl Into<String>) -> Fault {
        Fault { span: span.into(), message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }

    /// Whether this is about a part of what the other is about.
    pub(crate) fn is_within(&self, other: &Fault) -> bool {
        other.span.start <= self.span.start && self.span.end <= other.span.end
    }
}

/// Why a document was refused; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors(Vec<Diagnostic>);

impl Errors {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>) -> Errors {
        Errors(diagnostics)
    }

    /// Every error, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// The errors as people read them, each with its source line and a caret.
    pub fn render(&self, color: bool) -> String {
        let rendered: Vec<String> = self.iter().map(|error| error.render(color)).collect();
        rendered.join("\n\n")
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.iter().enumerate() {
            let separator = if at == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

impl<'a> IntoIterator for &'a Errors {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
