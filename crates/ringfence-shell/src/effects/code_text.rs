//! Text of code that the line puts into files.

use ringfence_core::path::AbsPath;

/// What the line has put into a file.
#[derive(Debug, Clone)]
pub(super) struct Put {
    pub(super) real: AbsPath,
    pub(super) text: String,
    /// Whether what was in it before is kept.
    pub(super) append: bool,
}

/// The texts that a file may have had, one after the other.
pub(super) fn texts(put: &[Put]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for own in put {
        match texts.last_mut().filter(|_| own.append) {
            Some(text) => text.push_str(&own.text),
            None => texts.push(own.text.clone()),
        }
    }
    texts
}

/// The words of a text before which nothing stands, or a sign behind which a command may begin.
pub(super) fn first_words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let may_begin = |before: &str| {
        let last = before.trim_end_matches([' ', '\t']).chars().next_back();
        last.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '.' | '_')))
    };
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    text.lines().filter(move |line| !is_comment(line)).flat_map(move |line| {
        let mut at = 0_usize;
        line.split_inclusive(move |c| !is_word(c)).filter_map(move |piece| {
            let before = line.get(..at).unwrap_or_default();
            at = at.saturating_add(piece.len());
            let word = piece.trim_end_matches(|c| !is_word(c));
            (!word.is_empty() && may_begin(before)).then_some(word)
        })
    })
}

/// The scripts in the text of a `package.json`; all of it where they may be written otherwise.
pub(super) fn scripts_of(text: &str) -> &str {
    let Some((_, behind)) = text.split_once("\"scripts\"") else {
        return if text.contains("\\u") { text } else { "" };
    };
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, c) in behind.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '{' if !quoted => depth = depth.saturating_add(1),
            '}' if !quoted && depth <= 1 => return behind.get(..at).unwrap_or(behind),
            '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    behind
}

/// The language of a file, by the end of its name.
pub(super) fn language_of(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    Some(match end {
        "py" => "python",
        "js" | "mjs" | "cjs" | "ts" | "mts" | "jsx" | "tsx" => "node",
        "rb" => "ruby",
        "pl" | "t" => "perl",
        "php" => "php",
        "lua" => "lua",
        "mk" => "make",
        _ => return None,
    })
}

#[cfg(test)]
#[path = "code_text_tests.rs"]
mod tests;
