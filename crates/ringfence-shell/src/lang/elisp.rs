//! Emacs Lisp, as `--eval` takes it.
//!
//! What is not plainly harmless may run anything.

use super::Finding;
use super::cursor::Cursor;

/// Reads expressions of Emacs Lisp.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(code);
    let mut depth = 0_usize;
    while let Some(c) = cursor.peek() {
        match c {
            ';' => {
                cursor.take_line();
            }
            '"' => {
                string(&mut cursor);
            }
            '(' => {
                cursor.bump();
                depth = depth.saturating_add(1);
                head(&mut cursor, &mut found);
            }
            ')' => {
                cursor.bump();
                depth = depth.saturating_sub(1);
            }
            '?' => {
                cursor.bump();
                cursor.eat('\\');
                cursor.bump();
            }
            _ => {
                cursor.bump();
            }
        }
    }
    if depth > 0 {
        found.push(super::unreadable("its brackets do not match"));
    }
    found
}

/// A string; `None` if it has escapes that are not plain.
fn string(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.bump();
    let mut text = String::new();
    let mut plain = true;
    loop {
        match cursor.bump()? {
            '"' => return plain.then_some(text),
            '\\' => match cursor.bump()? {
                c @ ('"' | '\\') => text.push(c),
                _ => plain = false,
            },
            c => text.push(c),
        }
    }
}

/// Functions that stay within the editor.
const HARMLESS: &[&str] = &[
    "message",
    "princ",
    "print",
    "prin1",
    "terpri",
    "progn",
    "prog1",
    "let",
    "let*",
    "setq",
    "setq-local",
    "setq-default",
    "if",
    "when",
    "unless",
    "cond",
    "and",
    "or",
    "not",
    "+",
    "-",
    "*",
    "/",
    "1+",
    "1-",
    "=",
    "<",
    ">",
    "<=",
    ">=",
    "eq",
    "equal",
    "string=",
    "format",
    "concat",
    "list",
    "cons",
    "car",
    "cdr",
    "nth",
    "length",
    "insert",
    "goto-char",
    "point-min",
    "point-max",
    "point",
    "forward-line",
    "search-forward",
    "re-search-forward",
    "replace-match",
    "replace-regexp-in-string",
    "buffer-string",
    "buffer-substring",
    "buffer-name",
    "kill-emacs",
    "while",
    "dolist",
    "dotimes",
    "indent-region",
    "untabify",
    "tabify",
    "delete-trailing-whitespace",
    "upcase",
    "downcase",
    "substring",
    "split-string",
    "string-to-number",
    "number-to-string",
    "mapconcat",
    "require",
    "save-excursion",
    "with-temp-buffer",
    "erase-buffer",
    "sort-lines",
    "current-buffer",
    "ignore",
    "null",
    "string-match",
    "match-string",
    "emacs-version",
];

/// The function at the start of a list, with its constant arguments.
fn head(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    cursor.skip_space();
    let name = cursor
        .take_while(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '"' | ';' | '\'' | '`'));
    if name.is_empty() || HARMLESS.contains(&name) {
        return;
    }
    let texts = strings(*cursor);
    let first = texts.first().cloned();
    let computed = || Finding::RunUnknown(format!("the argument of `{name}` is computed"));
    let one = |finding: fn(String) -> Finding| first.clone().map_or_else(computed, finding);
    let finding = match name {
        "shell-command" | "shell-command-to-string" | "async-shell-command" | "compile" => {
            one(Finding::Shell)
        }
        "call-process" | "process-file" => match texts.is_empty() || !starts_with_string(*cursor) {
            true => computed(),
            false => Finding::Run(texts),
        },
        "delete-file" | "delete-directory" => one(Finding::Delete),
        "load" | "load-file" => one(|path| Finding::CodeFile("elisp", path)),
        "insert-file-contents" | "insert-file" | "find-file" | "find-file-noselect" => {
            one(Finding::Read)
        }
        "make-directory" => one(Finding::Write),
        "write-region" | "write-file" | "append-to-file" => {
            texts.last().cloned().map_or_else(computed, Finding::Write)
        }
        "getenv" => one(Finding::GetEnv),
        "setenv" => one(Finding::SetEnv),
        "url-retrieve" | "url-retrieve-synchronously" | "url-copy-file" | "browse-url" => {
            one(Finding::Url)
        }
        "save-buffer" => return,
        _ => Finding::RunUnknown(format!("`{name}` may run anything")),
    };
    found.push(finding);
}

fn starts_with_string(mut cursor: Cursor<'_>) -> bool {
    cursor.skip_space();
    cursor.peek() == Some('"')
}

/// The strings among the arguments, if all of them are constants.
fn strings(mut cursor: Cursor<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    for _ in 0..100 {
        cursor.skip_space();
        match cursor.peek() {
            Some('"') => match string(&mut cursor) {
                Some(text) => texts.push(text),
                None => return Vec::new(),
            },
            Some(')') => return texts,
            Some(c) if c.is_ascii_digit() => {
                cursor.take_while(|c| c.is_ascii_digit());
            }
            Some('n' | 't') => {
                let word = cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '-');
                if word != "nil" && word != "t" {
                    return Vec::new();
                }
            }
            _ => return Vec::new(),
        }
    }
    Vec::new()
}

#[cfg(test)]
#[path = "elisp_tests.rs"]
mod tests;
