//! Text of code that the line puts into files.

use ringfence_core::path::AbsPath;

/// What the line has put into a file.
#[derive(Debug, Clone)]
pub(super) struct Put {
    pub(super) real: AbsPath,
    pub(super) text: String,
    /// Whether what was in it before is kept.
    pub(super) append: bool,
    /// Whether exactly this text was put, once.
    pub(super) exact: bool,
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

/// Returns the texts that a file may have: any part of what was put into it may be left out, where
/// the command that puts it does not run. `None` where a part ends within a line.
pub(super) fn possible_texts(put: &[Put]) -> Option<Vec<String>> {
    let mut all = texts(put);
    if put.len() > 1 {
        let is_whole = |own: &Put| own.text.is_empty() || own.text.ends_with('\n');
        if !put.iter().all(is_whole) {
            return None;
        }
        all.extend(put.iter().map(|own| own.text.clone()));
        all.dedup();
    }
    Some(all)
}

/// The words of a text before which nothing stands, or a sign behind which a command may begin.
pub(super) fn first_words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let may_begin = |before: &str| {
        let trimmed = before.trim_end_matches([' ', '\t']);
        let last = trimmed.chars().next_back();
        last.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '.' | '_')))
            || trimmed.len() < before.len() && introduces(trimmed)
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

/// The first word of each text in quotes, and what `go generate` is told.
pub(super) fn quoted_words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let told = text.split("//go:generate").skip(1).map(str::trim_start);
    let quoted = text.split(['"', '`']).skip(1);
    quoted.chain(told).filter_map(move |rest| {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = rest.get(..end).filter(|word| !word.is_empty())?;
        Some(word.rsplit('/').next().unwrap_or(word))
    })
}

/// Whether a source starts a program that it does not name as one text in quotes.
pub(super) fn starts_unknown(text: &str) -> bool {
    const CALLS: [&str; 14] = [
        "Command::new(",
        "exec.Command(",
        "exec.CommandContext(",
        "syscall.Exec(",
        "StartProcess(",
        "ProcessBuilder(",
        "Runtime().exec(",
        "system(",
        "popen(",
        "execl(",
        "execlp(",
        "execvp(",
        "execve(",
        "posix_spawnp(",
    ];
    let is_named = |given: &str| {
        let rest = given.trim_start();
        let Some(quoted) = rest.strip_prefix('"') else {
            // What cargo has built for the tests.
            return rest.starts_with("env!(") || rest.starts_with(')');
        };
        let Some((name, behind)) = quoted.split_once('"') else { return false };
        !name.contains('\\') && behind.trim_start().starts_with([',', ')'])
    };
    CALLS.iter().any(|call| {
        text.split(call).skip(1).any(|rest| match *call {
            "exec.CommandContext(" => {
                !rest.split_once(',').is_some_and(|(_, behind)| is_named(behind))
            }
            _ => !is_named(rest),
        })
    })
}

/// Whether a text ends with a word behind which a command stands: `ProxyCommand rm`, `exec rm`.
fn introduces(text: &str) -> bool {
    const WORDS: [&str; 9] =
        ["command", "cmd", "exec", "run", "shell", "system", "spawn", "generate", "sh"];
    let word = text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(text);
    let word = word.to_ascii_lowercase();
    WORDS.iter().any(|own| word.ends_with(own))
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
        "pl" | "pm" | "t" => "perl",
        "php" => "php",
        "lua" => "lua",
        "mk" => "make",
        _ => return None,
    })
}

#[cfg(test)]
#[path = "code_text_tests.rs"]
mod tests;
