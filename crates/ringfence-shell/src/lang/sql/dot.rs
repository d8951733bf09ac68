//! The shells of SQLite and DuckDB: lines that start with a dot are commands of the shell.
//!
//! Names may be cut short, so a short name is taken for every command that it may be.

use super::super::Finding;
use super::lexer::Dialect;
use super::pending::Pending;
use super::statements;

/// Reads a script of the shell.
pub(super) fn read(dialect: Dialect, code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut sql = String::new();
    let mut state = Pending::new(dialect);
    let mut trigger = false;
    for line in code.split_inclusive('\n') {
        let pending = state.is_pending();
        // A slash or `go` on a line of its own ends a statement, as in other shells.
        let word = line.trim();
        let line = match word == "/" || word.eq_ignore_ascii_case("go") {
            true if !state.is_quoted() => ";\n",
            _ => line,
        };
        if line.starts_with('.') && !pending {
            // A trigger holds semicolons, so it is not certain that it has ended.
            if trigger {
                found.push(super::super::unreadable("a line with a dot follows a trigger"));
            }
            flush(dialect, &mut sql, &mut found);
            command(dialect, line.trim_end(), &mut found);
        } else if pending || !line.starts_with('#') {
            trigger |= line.to_ascii_uppercase().contains("TRIGGER");
            state.feed(line);
            sql.push_str(line);
        }
    }
    flush(dialect, &mut sql, &mut found);
    found
}

fn flush(dialect: Dialect, sql: &mut String, found: &mut Vec<Finding>) {
    if !sql.trim().is_empty() {
        statements::read(dialect, sql, 0, found);
    }
    sql.clear();
}

/// Commands that matter, with the fewest letters first where one starts another.
const COMMANDS: [&str; 23] = [
    "archive", "backup", "cd", "clone", "edit", "excel", "import", "iotrace", "load", "log",
    "once", "open", "output", "read", "restore", "save", "session", "shell", "system", "testcase",
    "trace", "www", "check",
];

/// Commands that show or set something.
const HARMLESS: [&str; 65] = [
    "auth",
    "bail",
    "binary",
    "cancel",
    "changes",
    "columns",
    "connection",
    "constant",
    "crlf",
    "crnl",
    "databases",
    "dbconfig",
    "dbinfo",
    "dbtotxt",
    "decimal_sep",
    "dump",
    "echo",
    "eqp",
    "exit",
    "expert",
    "explain",
    "filectrl",
    "fullschema",
    "headers",
    "header",
    "help",
    "highlight",
    "imposter",
    "indexes",
    "indices",
    "intck",
    "keyword",
    "large_number_rendering",
    "last",
    "limit",
    "lint",
    "maxrows",
    "maxwidth",
    "mode",
    "multiline",
    "nonce",
    "nullvalue",
    "print",
    "progress",
    "prompt",
    "quit",
    "recover",
    "rows",
    "scanstats",
    "schema",
    "selftest",
    "separator",
    "sha3sum",
    "show",
    "singleline",
    "stats",
    "tables",
    "thousand_sep",
    "timeout",
    "timer",
    "unmodule",
    "version",
    "vfsinfo",
    "vfslist",
    "width",
];

fn command(dialect: Dialect, line: &str, found: &mut Vec<Finding>) {
    let Some(words) = arguments(line.trim_start_matches('.')) else {
        found.push(super::super::unreadable(
            "a command of the shell has an open quote or an escape",
        ));
        return;
    };
    let Some((name, rest)) = words.split_first() else { return };
    let name = name.to_ascii_lowercase();
    if HARMLESS.contains(&name.as_str()) {
        return;
    }
    // The value of a parameter is an expression of SQL.
    if name.len() > 1 && "parameter".starts_with(&name) {
        let value = rest.get(2..).unwrap_or_default().join(" ");
        return statements::read(dialect, &format!("SELECT {value}"), 0, found);
    }
    let mut known = false;
    for full in COMMANDS.iter().filter(|full| full.starts_with(&name)) {
        known = true;
        act(dialect, full, line, rest, found);
    }
    if !known && !HARMLESS.iter().any(|full| full.starts_with(&name)) {
        found.push(super::super::unreadable("a command of the shell is not known"));
    }
}

/// Words as the shell splits them; `None` where a quote is open or has escapes.
fn arguments(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '"' || first == '\'' {
            let inner = rest.get(1..)?;
            let end = inner.find(first)?;
            let text = inner.get(..end)?;
            if text.contains('\\') {
                return None;
            }
            words.push(text.to_owned());
            rest = inner.get(end.saturating_add(1)..)?.trim_start();
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            words.push(rest.get(..end)?.to_owned());
            rest = rest.get(end..)?.trim_start();
        }
    }
    Some(words)
}

fn act(dialect: Dialect, name: &str, line: &str, words: &[String], found: &mut Vec<Finding>) {
    let files: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let first = files.first().map(|word| (*word).clone());
    let last = files.last().map(|word| (*word).clone());
    let code = if dialect == Dialect::Duckdb { "duckdb" } else { "sqlite" };
    match name {
        "shell" | "system" => found.push(match words {
            [] => Finding::RunUnknown("a shell is started".to_owned()),
            words => Finding::Shell(
                words.iter().map(|word| requoted(word)).collect::<Vec<_>>().join(" "),
            ),
        }),
        "output" | "once" => output(line, words, first, found),
        "read" | "import" if piped(line, &first, found) => {}
        "read" => found.extend(first.map(|path| Finding::CodeFile(code, path))),
        "import" | "restore" => {
            let path = if name == "import" { first } else { last };
            found.extend(path.map(Finding::Read));
        }
        "backup" | "save" | "clone" => found.extend(last.map(Finding::Write)),
        "open" => {
            if let Some(path) = last.filter(|path| path != ":memory:") {
                found.push(Finding::Read(path.clone()));
                found.push(Finding::Write(path));
            }
        }
        "log" | "trace" | "iotrace" => {
            let path =
                first.filter(|word| !matches!(word.as_str(), "on" | "off" | "stdout" | "stderr"));
            found.extend(path.map(Finding::Write));
        }
        "testcase" | "check" => found.push(Finding::Write("testcase-out.txt".to_owned())),
        "cd" => {
            found.extend(first.map(Finding::Read));
            found.push(Finding::WriteUnknown("the shell works in another directory".to_owned()));
        }
        "archive" | "session" => {
            found.push(Finding::ReadUnknown(format!("`.{name}` reads files")));
            found.push(Finding::WriteUnknown(format!("`.{name}` writes files")));
        }
        _ => found.push(Finding::RunUnknown(format!("`.{name}` runs or loads a program"))),
    }
}

/// The shell puts words with blanks back into quotes.
fn requoted(word: &str) -> String {
    if word.contains(' ') { format!("\"{word}\"") } else { word.to_owned() }
}

fn output(line: &str, words: &[String], first: Option<String>, found: &mut Vec<Finding>) {
    let opens = words.iter().any(|word| {
        word.starts_with('-')
            && word.contains(['e', 'x', 'w'])
            && !word.contains("bom")
            && !word.contains("plain")
    });
    if opens {
        found.push(Finding::RunUnknown(
            "the output is opened in an editor or another program".to_owned(),
        ));
    }
    if !piped(line, &first, found) {
        found.extend(
            first.filter(|path| !matches!(path.as_str(), "stdout" | "off")).map(Finding::Write),
        );
    }
}

/// A bar before the name runs it; whether there was one.
fn piped(line: &str, first: &Option<String>, found: &mut Vec<Finding>) -> bool {
    if !first.as_ref().is_some_and(|word| word.starts_with('|')) {
        return false;
    }
    let command = line.split_once('|').map_or("", |(_, command)| command).trim();
    found.push(match command.contains(['"', '\'']) {
        true => Finding::RunUnknown("the command of a pipe stands in quotes".to_owned()),
        false => Finding::Shell(command.to_owned()),
    });
    true
}
