//! Diagnostics as people read them.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::diagnostic::{Diagnostic, Severity};

impl Diagnostic {
    /// The diagnostic with its source line, a caret under what is wrong, and the hint.
    pub fn render(&self, color: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        // Files may hold anything: control characters never reach a terminal.
        let message = annotate_snippets::normalize_untrusted_str(&self.message);
        let group = Group::with_title(level.primary_title(message));
        let group = self.with_source(group);
        let group = match &self.hint {
            Some(hint) => group.element(
                Level::HELP
                    .with_name("hint")
                    .message(annotate_snippets::normalize_untrusted_str(hint)),
            ),
            None => group,
        };
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }

    fn with_source<'a>(&'a self, group: Group<'a>) -> Group<'a> {
        let path: &str = &self.file;
        if self.line == 0 {
            return group.element(Origin::path(path));
        }
        let marked = self.excerpt.start..self.excerpt.end;
        let snippet = Snippet::source(self.excerpt.text.as_str())
            .line_start(to_usize(self.line))
            .annotation(AnnotationKind::Primary.span(marked));
        if self.excerpt.whole {
            return group.element(snippet.path(path));
        }
        // Of a very long line only a part is shown, so the column must be told apart.
        let (line, column) = (to_usize(self.line), to_usize(self.column));
        group.element(Origin::path(path).line(line).char_column(column)).element(snippet)
    }
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
