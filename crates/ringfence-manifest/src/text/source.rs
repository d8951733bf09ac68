//! A text with its name and format.

use std::sync::Arc;

use super::diagnostic::{Diagnostic, Errors, Excerpt, Fault, Severity};
use super::{Format, Lines, Span};

/// The longest document that is read, in bytes.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A document's text: not yet read, but short enough and free of what no document holds.
#[derive(Debug, Clone)]
pub struct Source {
    name: Arc<str>,
    location: Arc<str>,
    format: Format,
    text: Arc<str>,
}

impl Source {
    /// A document's text under the name by which people know it (`user policy.toml`).
    pub fn new(name: impl Into<Arc<str>>, format: Format, text: &str) -> Result<Source, Errors> {
        Source::from_bytes(name, format, text.as_bytes())
    }

    /// A document's text as it was read from a file.
    pub fn from_bytes(
        name: impl Into<Arc<str>>,
        format: Format,
        bytes: &[u8],
    ) -> Result<Source, Errors> {
        let name = name.into();
        let refuse = |message: String, place: Option<(&str, usize)>| {
            Errors::new(vec![early(&name, message, place)])
        };
        if bytes.len() > MAX_BYTES {
            let message = format!("is longer than {} MiB", MAX_BYTES / (1024 * 1024));
            return Err(refuse(message, None));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = bytes.get(..error.valid_up_to()).unwrap_or(&[]);
            let good = str::from_utf8(good).unwrap_or("");
            refuse("is not UTF-8 here".to_owned(), Some((good, good.len())))
        })?;
        if let Some(at) = text.find('\0') {
            return Err(refuse("has a NUL byte".to_owned(), Some((text, at))));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).into();
        Ok(Source { location: Arc::clone(&name), name, format, text })
    }

    /// The same source with the place that `extends` is resolved from (a path, usually).
    #[must_use]
    pub fn at(mut self, location: impl Into<Arc<str>>) -> Source {
        self.location = location.into();
        self
    }

    /// The name by which people know it.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The place that `extends` is resolved from; the name where none was given.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// How it is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What a fault looks like to people.
    pub(crate) fn diagnose(
        &self,
        lines: &Lines<'_>,
        severity: Severity,
        fault: Fault,
    ) -> Diagnostic {
        let (line, column) = lines.locate(fault.span.start);
        Diagnostic {
            severity,
            file: Arc::clone(&self.name),
            line,
            column,
            message: fault.message,
            hint: fault.hint,
            excerpt: Excerpt::of(lines, fault.span),
        }
    }

    /// Faults as errors, in the order of the text.
    pub(crate) fn refuse(&self, mut faults: Vec<Fault>) -> Errors {
        /// More errors than anyone reads in one go.
        const SHOWN: usize = 100;
        faults.sort_by_key(|fault| (fault.span.start, fault.span.end));
        faults.dedup();
        faults.truncate(SHOWN);
        let lines = Lines::new(&self.text);
        let diagnose = |fault| self.diagnose(&lines, Severity::Error, fault);
        Errors::new(faults.into_iter().map(diagnose).collect())
    }
}

/// An error in a text that is not even worth parsing.
fn early(name: &Arc<str>, message: String, place: Option<(&str, usize)>) -> Diagnostic {
    let located = place.map(|(text, at)| {
        let lines = Lines::new(text);
        let (line, column) = lines.locate(at);
        (line, column, Excerpt::of(&lines, Span::new(at, at)))
    });
    let (line, column, excerpt) = located.unwrap_or_default();
    let file = Arc::clone(name);
    Diagnostic { severity: Severity::Error, file, line, column, message, hint: None, excerpt }
}
