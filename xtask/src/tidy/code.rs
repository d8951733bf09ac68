//! Rust source reduced to what the compiler acts on, and the words in it.
//!
//! It is not a parser: it knows just enough of the grammar that a word in a comment, a string or a
//! character is never taken for code.

/// The source with comments, strings and characters blanked out, line for line as before.
pub(super) fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let in_word = code.chars().next_back().is_some_and(is_word_part);
        match silent(rest, in_word) {
            0 => {
                code.push(next);
                rest = rest.split_at(next.len_utf8()).1;
            }
            length => {
                let (blanked, after) = rest.split_at(length);
                code.extend(blanked.chars().map(|c| if c == '\n' { c } else { ' ' }));
                rest = after;
            }
        }
    }
    code
}

/// A word of code and what follows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'code> {
    /// The word: letters, digits and underscores.
    pub(super) text: &'code str,
    /// Everything after it.
    pub(super) after: &'code str,
    /// The line it stands in, counted from 1.
    pub(super) line: usize,
}

/// The words of code that [`code_only`] gave.
pub(super) fn words(code: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = code;
    let mut line = 1_usize;
    std::iter::from_fn(move || {
        let start = rest.find(is_word_part)?;
        let (gap, from_word) = rest.split_at(start);
        line = line.saturating_add(gap.matches('\n').count());
        let length = from_word.find(|c| !is_word_part(c)).unwrap_or(from_word.len());
        let (text, after) = from_word.split_at(length);
        rest = after;
        Some(Word { text, after, line })
    })
}

fn is_word_part(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the comment, string or character that `rest` starts with; 0 if there is none.
fn silent(rest: &str, in_word: bool) -> usize {
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        block_comment(rest)
    } else if rest.starts_with('"') {
        quoted(rest, '"')
    } else if rest.starts_with('\'') {
        character(rest)
    } else if in_word {
        0
    } else {
        raw_string(rest)
    }
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut end = 0_usize;
    while let Some(tail) = rest.get(end..).filter(|tail| !tail.is_empty()) {
        let step = if tail.starts_with("/*") {
            depth = depth.saturating_add(1);
            2
        } else if tail.starts_with("*/") {
            depth = depth.saturating_sub(1);
            2
        } else {
            tail.chars().next().map_or(1, char::len_utf8)
        };
        end = end.saturating_add(step);
        if depth == 0 {
            break;
        }
    }
    end
}

/// From the opening quote to the closing one, backslashes respected.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at.saturating_add(c.len_utf8()),
            _ => {}
        }
    }
    rest.len()
}

/// A character in quotes; a lifetime is none.
fn character(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(rest, '\''),
        _ => 0,
    }
}

/// `r"…"`, `br##"…"##` and their like.
fn raw_string(rest: &str) -> usize {
    let marker = rest.strip_prefix(['b', 'c']).unwrap_or(rest);
    let Some(hashed) = marker.strip_prefix('r') else {
        return 0;
    };
    let body = hashed.trim_start_matches('#');
    let Some(content) = body.strip_prefix('"') else {
        return 0;
    };
    let hashes = hashed.len().saturating_sub(body.len());
    let close = format!("\"{}", "#".repeat(hashes));
    match content.split_once(&close) {
        Some((_, after)) => rest.len().saturating_sub(after.len()),
        None => rest.len(),
    }
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
