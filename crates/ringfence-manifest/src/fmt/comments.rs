//! The comments of a document, and the rules they stand at.

use std::collections::BTreeMap;

use crate::text::{Format, Lines, Source};
use crate::tree;

/// Comments by line, each to be taken once.
#[derive(Default)]
pub(super) struct Comments {
    by_line: BTreeMap<u32, Vec<Comment>>,
    head: Vec<String>,
    /// Comments on the lines of what is no rule.
    stray: Vec<String>,
}

struct Comment {
    text: String,
    /// Whether nothing stands before it on its line.
    alone: bool,
}

impl Comments {
    pub(super) fn of(source: &Source) -> Comments {
        let text = source.text();
        let spans = match source.format() {
            Format::Toml => tree::toml_comments(text),
            Format::Yaml => tree::yaml_comments(text),
            Format::Json => tree::json_comments(text),
        };
        let lines = Lines::new(text);
        let mut by_line: BTreeMap<u32, Vec<Comment>> = BTreeMap::new();
        for span in spans {
            let (start, _) = lines.line_at(span.start);
            let alone = text.get(start..span.start).is_some_and(|before| before.trim().is_empty());
            let (line, _) = lines.locate(span.start);
            let comment = text.get(span.start..span.end).unwrap_or("");
            let words = words(comment).into_iter().map(|text| Comment { text, alone });
            by_line.entry(line).or_default().extend(words);
        }
        let head = head(text, &mut by_line);
        Comments { by_line, head, stray: Vec::new() }
    }

    /// The block at the top of the file that a blank line parts from the rest.
    pub(super) fn take_head(&mut self) -> Vec<String> {
        std::mem::take(&mut self.head)
    }

    /// The comments that belong to what stands on this line: on it, and above it.
    pub(super) fn take_to(&mut self, line: u32) -> Vec<String> {
        let later = self.by_line.split_off(&line.saturating_add(1));
        let mut taken = Vec::new();
        for (at, comments) in std::mem::replace(&mut self.by_line, later) {
            for comment in comments {
                let belongs = comment.alone || at == line;
                if belongs { &mut taken } else { &mut self.stray }.push(comment.text);
            }
        }
        taken
    }

    /// What belongs to nothing.
    pub(super) fn take_rest(&mut self) -> Vec<String> {
        let last = self.take_to(u32::MAX.saturating_sub(1));
        let mut rest = std::mem::take(&mut self.stray);
        rest.extend(last);
        rest
    }
}

fn head(text: &str, by_line: &mut BTreeMap<u32, Vec<Comment>>) -> Vec<String> {
    let mut last = 0u32;
    for line in text.lines() {
        let next = last.saturating_add(1);
        let commented = by_line.get(&next).is_some_and(|line| line.iter().all(|it| it.alone));
        match (commented, line.trim().is_empty()) {
            (true, _) => last = next,
            (false, true) if last > 0 => break,
            (false, _) => return Vec::new(),
        }
    }
    let rest = by_line.split_off(&last.saturating_add(1));
    let head = std::mem::replace(by_line, rest).into_values().flatten();
    head.map(|comment| comment.text).collect()
}

/// What a comment says, line by line, without its marks.
fn words(comment: &str) -> Vec<String> {
    let inner = match comment.strip_prefix("/*") {
        Some(block) => block.strip_suffix("*/").unwrap_or(block),
        None => comment.strip_prefix("//").or(comment.strip_prefix('#')).unwrap_or(comment),
    };
    inner.lines().map(|line| line.trim().to_owned()).collect()
}
