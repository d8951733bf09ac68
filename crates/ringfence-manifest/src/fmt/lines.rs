//! Comments and blank lines between the parts of a document.

/// A line that says nothing to the reader of the document, but something to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    Comment(String),
}

/// The stretch between two values: what stands on the line of the first, and what on its own.
#[derive(Debug, Default)]
pub(super) struct Between {
    /// A comment on the line of what came before.
    pub(super) after: Option<String>,
    /// Comments and blank lines above what follows.
    pub(super) above: Vec<Line>,
}

/// Reads the blanks and `#` comments between two values.
pub(super) fn between(text: &str) -> Between {
    let mut lines = text.split('\n');
    let head = lines.next().unwrap_or("").trim();
    let after = (!head.is_empty()).then(|| head.to_owned());
    let mut above = Vec::new();
    let mut rest: Vec<&str> = lines.map(str::trim).collect();
    // What comes last is the indentation of the next value.
    rest.pop_if(|last| last.is_empty());
    for line in rest {
        match line {
            "" => above.push(Line::Blank),
            comment => above.push(Line::Comment(comment.to_owned())),
        }
    }
    Between { after, above }
}

/// The lines with at most one blank line in a row.
pub(super) fn squeeze(mut lines: Vec<Line>) -> Vec<Line> {
    lines.dedup_by(|next, last| *next == Line::Blank && *last == Line::Blank);
    lines
}

/// The lines without blank ones at their start.
pub(super) fn without_first_blank(mut lines: Vec<Line>) -> Vec<Line> {
    while lines.first() == Some(&Line::Blank) {
        lines.remove(0);
    }
    lines
}

/// The lines as text, each indented and ended.
pub(super) fn write(lines: &[Line], indent: &str) -> String {
    let line = |line: &Line| match line {
        Line::Blank => "\n".to_owned(),
        Line::Comment(text) => format!("{indent}{text}\n"),
    };
    lines.iter().map(line).collect()
}
