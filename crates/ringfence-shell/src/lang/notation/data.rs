//! Expressions of tools that filter and change data.

use super::calls;
use super::shape::{Found, is_path, read, unknown};
use crate::lang::Finding;

/// Expressions of yq, or a file where there is none.
pub(super) fn yq(text: &str) -> Found {
    let mut found = Vec::new();
    for call in calls::of(text) {
        match call.name {
            "load" | "load_str" | "load_xml" | "load_props" | "load_base64" => {
                found.push(match call.text {
                    Some(file) => read(file),
                    None => Finding::ReadUnknown(format!("yq's `{}` reads any file", call.name)),
                })
            }
            "env" | "strenv" => found.push(match call.word {
                Some(name) => Finding::GetEnv(name.to_owned()),
                None => Finding::AllEnv,
            }),
            "system" | "eval" => {
                found.push(unknown(&format!("can't tell what yq's `{}` does", call.name)));
            }
            _ => {}
        }
    }
    if words(text).any(|word| matches!(word, "envsubst" | "ENV")) || bare_env(text) {
        found.push(Finding::AllEnv);
    }
    if words(text).any(|word| matches!(word, "import" | "include")) && text.contains(';') {
        found.push(Finding::ReadUnknown("a module is loaded".to_owned()));
    }
    // `yq FILE`: an expression has signs that names of files lack.
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | '~');
    if text.chars().all(name)
        && (text.contains('/') || text.ends_with("ml") || text.ends_with(".json"))
    {
        found.push(read(text));
    }
    found
}

/// `env` as jq has it: all variables.
fn bare_env(text: &str) -> bool {
    let called = calls::of(text).filter(|call| call.name == "env").count();
    let fields = text.matches(".env").count();
    words(text).filter(|word| *word == "env").count() > called.saturating_add(fields)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// Selectors of dasel.
pub(super) fn dasel(text: &str) -> Found {
    let read_file = |call: calls::Call<'_>| match (call.name, call.text) {
        ("readFile", Some(file)) => Some(read(file)),
        ("readFile", None) => Some(Finding::ReadUnknown("a selector reads any file".to_owned())),
        ("env" | "getenv", _) => Some(Finding::AllEnv),
        _ => None,
    };
    calls::of(text).filter_map(read_file).collect()
}

/// One word of Miller: a verb, its options, an expression, or a file.
pub(super) fn mlr(word: &str) -> Found {
    const PRINTS: [&str; 10] =
        ["tee", "emit", "emit1", "emitp", "emitf", "print", "printn", "eprint", "dump", "edump"];
    let mut found = Vec::new();
    for call in calls::of(word) {
        if matches!(call.name, "system" | "exec") {
            found.push(match (call.name, call.text) {
                ("system", Some(line)) => Finding::Shell(line.to_owned()),
                _ => unknown("can't tell what Miller runs"),
            });
        }
    }
    if words(word).any(|own| own == "ENV") {
        found.push(Finding::AllEnv);
    }
    let redirects = word.contains(['>', '|']) && words(word).any(|own| PRINTS.contains(&own));
    if redirects {
        found.push(unknown("Miller prints into a file or a program"));
    }
    match word {
        "tee" | "split" => found.push(Finding::WriteUnknown("Miller writes files".to_owned())),
        _ if word.starts_with("--prepipe") || word == "-p" => {
            found.push(unknown("Miller runs a program on its input"));
        }
        _ if word.starts_with('-') => {}
        _ if word.chars().all(|c| c.is_ascii_alphanumeric() || "._-/~+@".contains(c))
            && (is_path(word) || word.contains('.')) =>
        {
            found.push(read(word));
        }
        _ => {}
    }
    found
}

/// The variables of a format such as `$HOME ${USER}`.
pub(super) fn envsubst(text: &str) -> Found {
    let name = |part: &str| {
        let part = part.strip_prefix('{').unwrap_or(part);
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        part.get(..end).filter(|name| !name.is_empty()).map(str::to_owned)
    };
    text.split('$').skip(1).filter_map(name).map(Finding::GetEnv).collect()
}

/// Patterns of pcre2grep: a call-out with a string runs a program, its words between bars.
pub(super) fn pcre2(text: &str) -> Found {
    let callouts = text.match_indices("(?C").filter_map(|(at, own)| {
        let rest = text.get(at.saturating_add(own.len())..)?;
        let delimiter = rest.chars().next()?;
        if delimiter == ')' || delimiter.is_ascii_digit() {
            return None;
        }
        let close = if delimiter == '{' { '}' } else { delimiter };
        let inside = rest.get(delimiter.len_utf8()..)?.split(close).next()?;
        // A bar at the start prints; a dollar puts in what matched.
        let words: Vec<String> = inside.split('|').map(str::to_owned).collect();
        Some(match inside.contains('$') || words.first().is_none_or(String::is_empty) {
            true => unknown("can't tell what this pattern runs"),
            false => Finding::Run(words),
        })
    });
    callouts.collect()
}

/// Words that bash expands once more.
pub(super) fn expand(text: &str) -> Found {
    match text.contains(['$', '`']) {
        true => vec![unknown("can't tell what these words expand to")],
        false => Vec::new(),
    }
}

/// An expression of yq that names the files into which documents are split, or one that is as any other.
pub(super) fn yq_split(text: &str) -> Found {
    let mut found = yq(text);
    found.extend(super::shape::pieces(text, &['"'], super::shape::place_written));
    found
}
