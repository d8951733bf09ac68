//! Commands of vim, as `-c` and its scripts hold them.
//!
//! Names are read as vim reads them when they are cut short. A command that is not known may do
//! anything, and so may keys that are typed and names that are computed.

mod commands;
mod expr;

use super::Finding;
use super::cursor::Cursor;
use commands::Role;

/// Reads commands, one on each line or parted by bars.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(code);
    while !cursor.is_done() {
        cursor.take_while(|c| c.is_ascii_whitespace() || c == ':' || c == '|');
        if cursor.peek() == Some('\\') {
            found.push(super::unreadable("a line goes on that was begun before"));
        }
        command(&mut cursor, 0, &mut found);
    }
    found
}

fn unknown(found: &mut Vec<Finding>, reason: &str) {
    found.push(Finding::RunUnknown(reason.to_owned()));
}

/// Reads one command and stays before the bar or the end of the line after it.
fn command(cursor: &mut Cursor<'_>, depth: usize, found: &mut Vec<Finding>) {
    if depth > super::MAX_DEPTH {
        cursor.take_line();
        return found.push(super::unreadable("commands are nested too deeply"));
    }
    range(cursor);
    match cursor.peek() {
        None | Some('\n' | '|') => return,
        Some('"') => {
            cursor.take_line();
            return;
        }
        Some('!') => {
            cursor.bump();
            let line = cursor.take_line();
            return shell(line, found);
        }
        Some('@' | '*') => {
            cursor.take_line();
            return unknown(found, "vim runs what a register holds");
        }
        Some('<' | '>' | '=' | '&' | '#' | '~') => {
            rest(cursor);
            return;
        }
        Some(_) => {}
    }
    let name = name(cursor);
    let bang = cursor.peek() == Some('!');
    match commands::role(name) {
        Some(role) => act(role, bang, cursor, depth, found),
        None => {
            cursor.take_line();
            unknown(found, &format!("vim's command `{name}` is not known"));
        }
    }
}

/// Lines, marks and patterns before a command.
fn range(cursor: &mut Cursor<'_>) {
    while let Some(c) = cursor.peek() {
        match c {
            ' ' | '\t' | ':' | '%' | '.' | '$' | ',' | ';' | '+' | '-' | '0'..='9' => {
                cursor.bump();
            }
            '\'' => {
                cursor.bump();
                cursor.bump();
            }
            '\\' => {
                cursor.bump();
                cursor.bump();
            }
            '/' | '?' => {
                cursor.bump();
                pattern(cursor, c);
            }
            _ => return,
        }
    }
}

/// Steps behind the delimiter that ends a pattern.
fn pattern(cursor: &mut Cursor<'_>, delimiter: char) {
    while let Some(c) = cursor.peek() {
        if c == '\n' {
            return;
        }
        cursor.bump();
        match c {
            '\\' => {
                cursor.bump();
            }
            c if c == delimiter => return,
            _ => {}
        }
    }
}

fn name<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    let start = cursor.at();
    cursor.take_while(|c| c.is_ascii_alphabetic());
    // `py3` has a digit in it; `k` and `s` take what follows at once.
    if cursor.since(start) == "py"
        || cursor.since(start) == "python"
        || cursor.since(start) == "vim"
    {
        cursor.take_while(|c| c == '3' || c == '9');
        cursor.take_while(|c| c.is_ascii_alphabetic());
    }
    if cursor.at() == start {
        cursor.bump();
    }
    cursor.since(start)
}

/// What follows a command, up to a bar.
fn rest<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    let start = cursor.at();
    while let Some(c) = cursor.peek() {
        match c {
            '\n' | '|' => break,
            '\\' | '\u{16}' => {
                cursor.bump();
                cursor.bump();
            }
            _ => {
                cursor.bump();
            }
        }
    }
    cursor.since(start).trim()
}

fn act(role: Role, bang: bool, cursor: &mut Cursor<'_>, depth: usize, found: &mut Vec<Finding>) {
    if bang && !matches!(role, Role::ReadFile) {
        cursor.bump();
    }
    match role {
        Role::Inert => {
            rest(cursor);
        }
        Role::Expression => expr::read(cursor, found),
        Role::Nested => command(cursor, depth.saturating_add(1), found),
        Role::Global => {
            if let Some(delimiter) = delimiter(cursor, found) {
                pattern(cursor, delimiter);
                command(cursor, depth.saturating_add(1), found);
            }
        }
        Role::Substitute => substitute(cursor, found),
        Role::Set => set(rest(cursor), found),
        Role::Execute => execute(cursor, found),
        Role::Normal => normal(cursor.take_line(), found),
        Role::ReadFile | Role::WriteFile | Role::EditFile => file(role, cursor, found),
        Role::Source => named(rest(cursor), |path| Finding::CodeFile("vim", path), found),
        Role::Redirect => redirect(rest(cursor), found),
        Role::Terminal => match cursor.take_line().trim() {
            "" => unknown(found, "vim starts a shell"),
            line => shell(line, found),
        },
        Role::Code(language) => match cursor.take_line().trim() {
            code if code.starts_with("<<") => unknown(found, "code follows on the next lines"),
            code => found.push(Finding::Code(language, code.to_owned())),
        },
        Role::CodeFile(language) => {
            named(rest(cursor), |path| Finding::CodeFile(language, path), found);
        }
        Role::Unknown => {
            cursor.take_line();
            unknown(found, "a command of vim may run anything");
        }
        Role::Unsettled => {
            rest(cursor);
            found.push(Finding::WriteUnknown("vim reads and writes other files".to_owned()));
        }
    }
}

/// A command line for a shell. vim puts names of files in place of `%`, `#` and `!`.
fn shell(line: &str, found: &mut Vec<Finding>) {
    let line = line.trim();
    if line.is_empty() || line.contains(['%', '#', '!']) {
        return unknown(found, "vim puts other text into the command that it runs");
    }
    found.push(Finding::Shell(line.to_owned()));
}

fn delimiter(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) -> Option<char> {
    cursor.skip_blanks();
    match cursor.bump() {
        Some(c) if !c.is_alphanumeric() && !matches!(c, '"' | '|' | '\\' | '\n') => Some(c),
        _ => {
            cursor.take_line();
            unknown(found, "a pattern of vim is missing");
            None
        }
    }
}

/// `s/PATTERN/REPLACEMENT/flags`, where the replacement may be an expression.
fn substitute(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    cursor.skip_blanks();
    // Without a pattern the last one is used again.
    if matches!(cursor.peek(), None | Some('\n' | '|' | 'g' | '&')) {
        rest(cursor);
        return;
    }
    let Some(delimiter) = delimiter(cursor, found) else { return };
    pattern(cursor, delimiter);
    if cursor.rest().starts_with("\\=") {
        let line = cursor.take_line();
        let mut inner = Cursor::new(line);
        while !inner.is_done() {
            expr::read(&mut inner, found);
            inner.bump();
        }
        return;
    }
    pattern(cursor, delimiter);
    rest(cursor);
}

/// Options that name programs, hold expressions, or say where code is found.
const RUNNING: &[&str] = &[
    "shell",
    "sh",
    "shellcmdflag",
    "shcf",
    "shellpipe",
    "sp",
    "shellredir",
    "srr",
    "shellquote",
    "shq",
    "shellxquote",
    "sxq",
    "makeprg",
    "mp",
    "grepprg",
    "gp",
    "equalprg",
    "ep",
    "formatprg",
    "fp",
    "keywordprg",
    "kp",
    "cscopeprg",
    "csprg",
    "printexpr",
    "pexpr",
    "foldexpr",
    "fde",
    "indentexpr",
    "inde",
    "formatexpr",
    "fex",
    "includeexpr",
    "inex",
    "balloonexpr",
    "bexpr",
    "diffexpr",
    "dex",
    "patchexpr",
    "pex",
    "charconvert",
    "ccv",
    "foldtext",
    "fdt",
    "operatorfunc",
    "opfunc",
    "completefunc",
    "cfu",
    "omnifunc",
    "ofu",
    "tagfunc",
    "tfu",
    "statusline",
    "stl",
    "tabline",
    "tal",
    "rulerformat",
    "ruf",
    "titlestring",
    "iconstring",
    "modelineexpr",
    "mle",
    "exrc",
    "ex",
    "runtimepath",
    "rtp",
    "packpath",
    "pp",
    "pythondll",
    "pythonthreedll",
    "luadll",
    "perldll",
    "rubydll",
    "tcldll",
    "mzschemedll",
    "helpfile",
    "hf",
    "termwinsize",
    "eventignore",
    "thesaurusfunc",
    "tsrfu",
    "quickfixtextfunc",
    "qftf",
    "imactivatefunc",
    "imstatusfunc",
    "findfunc",
    "ffu",
    "modeline",
    "ml",
];

/// Options that say where files are written.
const WRITING: &[&str] = &[
    "backupdir",
    "bdir",
    "directory",
    "dir",
    "undodir",
    "udir",
    "viewdir",
    "vdir",
    "verbosefile",
    "vfile",
    "spellfile",
    "spf",
    "viminfo",
    "vi",
    "viminfofile",
    "vif",
    "errorfile",
    "ef",
    "makeef",
    "mef",
    "patchmode",
    "pm",
    "backupext",
    "bex",
    "shada",
    "sd",
    "shadafile",
];

/// Options with what they are set to.
fn set(line: &str, found: &mut Vec<Finding>) {
    for word in line.split_whitespace() {
        let name: String = word.chars().take_while(char::is_ascii_alphanumeric).collect();
        let off = name.starts_with("no") && RUNNING.contains(&name.trim_start_matches("no"));
        if !off {
            set_option(&name, found);
        }
    }
}

fn set_option(name: &str, found: &mut Vec<Finding>) {
    if RUNNING.contains(&name) {
        unknown(found, &format!("vim's option `{name}` names what is run"));
    } else if WRITING.contains(&name) {
        found.push(Finding::WriteUnknown(format!("vim's option `{name}` names where is written")));
    }
}

/// `execute` with one constant is that command; anything else is computed.
fn execute(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    let line = cursor.take_line().trim();
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = quote.and_then(|quote| line.strip_prefix(quote)?.strip_suffix(quote));
    match inner {
        Some(inner) if !inner.contains(['\\', '"', '\'']) => found.extend(read(inner)),
        _ => unknown(found, "vim runs a command that is computed"),
    }
}

/// Keys are harmless if they only move, change and indent.
fn normal(keys: &str, found: &mut Vec<Finding>) {
    let keys = keys.trim_start_matches('!').trim();
    let plain = keys.chars().all(|c| {
        (c.is_ascii_alphanumeric() || " =><$^.{}(),;'\"".contains(c)) && !"KQ".contains(c)
    });
    if !plain || ["gx", "gf", "gF", "gQ", "\"="].iter().any(|bad| keys.contains(bad)) {
        unknown(found, "vim's `normal` types keys that may run commands");
    }
}

fn file(role: Role, cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    let mut ahead = *cursor;
    ahead.skip_blanks();
    if role != Role::EditFile && ahead.eat('!') {
        *cursor = ahead;
        let line = cursor.take_line();
        return shell(line, found);
    }
    let line = rest(cursor).trim_start_matches('>').trim();
    if line.contains("+") && role == Role::EditFile {
        return unknown(found, "a command may follow the `+` before a file");
    }
    for path in line.split_whitespace().filter(|word| !word.starts_with("++")) {
        match role {
            Role::ReadFile => named(path, Finding::Read, found),
            Role::WriteFile => named(path, Finding::Write, found),
            _ => {
                named(path, Finding::Read, found);
                named(path, Finding::Write, found);
            }
        }
    }
}

fn redirect(line: &str, found: &mut Vec<Finding>) {
    if let Some(path) = line.strip_prefix('>') {
        named(path.trim_start_matches('>').trim(), Finding::Write, found);
    }
}

/// A file by its name. Backquotes run a command, and the current file stands for `%`.
fn named(path: &str, finding: impl Fn(String) -> Finding, found: &mut Vec<Finding>) {
    if path.contains('`') {
        unknown(found, "backquotes in a file name run a command");
    } else if path.contains(['$', '#', '\\']) || path.contains('<') {
        found.push(Finding::WriteUnknown("the name of a file is computed".to_owned()));
    } else if !path.is_empty() && !path.starts_with('%') {
        found.push(finding(path.to_owned()));
    } else if path.starts_with('%') && path.len() > 1 {
        found.push(Finding::WriteUnknown("the name of a file is computed".to_owned()));
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
