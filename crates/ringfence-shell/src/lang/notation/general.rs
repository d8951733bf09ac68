//! General languages without a reader of their own, and small ones that run commands.
//!
//! Code of an interpreter is part of its grant. What can be told of any language is what its names
//! and strings say: a name that starts programs is a doubt, a path in a string is used.

use super::calls;
use super::shape::{
    Does, Found, Keys, does, is_path, pieces, place, place_written, shell, unknown,
};
use crate::lang::Finding;

/// A word behind Perl's own: most programs open it with `<>`, where a bar runs it and an angle
/// bracket says how it is opened.
pub(super) fn perl_operand(text: &str) -> Found {
    let bare = text.trim();
    let line = bare.strip_prefix('|').or_else(|| bare.strip_suffix('|'));
    match (line, bare.strip_prefix('>'), bare.strip_prefix('<')) {
        (Some(line), ..) => vec![shell(line)],
        (_, Some(path), _) => vec![Finding::Write(path.trim_start_matches('>').trim().to_owned())],
        (.., Some(path)) => vec![Finding::Read(path.trim().to_owned())],
        _ => vec![Finding::Operand(text.to_owned())],
    }
}

/// Names that start programs or load code, in some language, in small letters.
const RUNS: [&str; 38] = [
    "system",
    "exec",
    "execl",
    "execv",
    "execve",
    "execvp",
    "execute",
    "shell",
    "sh",
    "bash",
    "cmd",
    "command",
    "spawn",
    "popen",
    "fork",
    "process",
    "processbuilder",
    "runtime",
    "program",
    "callcommand",
    "readprocess",
    "launch",
    "port",
    "ffi",
    "dlopen",
    "foreign",
    "unsafe",
    "eval",
    "evaluate",
    "load",
    "require",
    "include",
    "import",
    "classloader",
    "compile",
    "glibc",
    "foundation",
    "unix",
];

/// Names that change files.
const CHANGES: [&str; 14] = [
    "write",
    "writefile",
    "delete",
    "remove",
    "unlink",
    "rm",
    "rename",
    "save",
    "spit",
    "append",
    "mkdir",
    "copy",
    "move",
    "output",
];

pub(super) fn read(text: &str) -> Found {
    let names = || {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase)
    };
    let mut found = Vec::new();
    if let Some(name) = names().find(|name| RUNS.contains(&name.as_str())) {
        found.push(unknown(&format!("can't tell what `{name}` runs")));
    }
    if names().any(|name| matches!(name.as_str(), "socket" | "serversocket" | "tcpsocket")) {
        found.push(unknown("can't tell what a socket leads to"));
    }
    if names().any(|name| name == "env" || name == "getenv" || name == "environ") {
        found.push(Finding::AllEnv);
    }
    found.extend(pieces(text, &['"', '\''], place));
    if names().any(|name| CHANGES.contains(&name.as_str())) {
        found.extend(pieces(text, &['"', '\''], place_written));
    }
    found
}

/// Code of a compiler that runs what it compiles: no part of it is certain.
pub(super) fn opaque(_: &str) -> Found {
    vec![unknown("can't tell what this code does")]
}

/// `!` runs the rest of the line, `?` a line of the input; strings are run by `x`.
pub(super) fn dc(text: &str) -> Found {
    if text.contains('?') {
        return vec![unknown("dc runs what it is given on standard input")];
    }
    let compares = |rest: &str| rest.starts_with(['<', '>', '=']);
    let rests = text.match_indices('!').filter_map(|(at, _)| text.get(at.saturating_add(1)..));
    match rests.into_iter().find(|rest| !compares(rest)) {
        Some(_) if text.contains('[') => vec![unknown("dc runs a command from a string")],
        Some(rest) => vec![shell(rest.lines().next().unwrap_or(rest))],
        None => Vec::new(),
    }
}

/// Commands of gnuplot: paths in strings are read or written, and much of it runs commands.
pub(super) fn gnuplot(text: &str) -> Found {
    const RUNS: [&str; 9] =
        ["system", "load", "call", "eval", "evaluate", "import", "shell", "sh", "loadpath"];
    let mut names = text.split(|c: char| !c.is_ascii_alphanumeric());
    let bang = text.replace("!=", "").contains('!');
    let pipe = text.replace("||", "").contains('|');
    let piped = text.contains("\"<") || text.contains("'<");
    if names.any(|name| RUNS.contains(&name)) || bang || pipe || piped || text.contains('`') {
        return vec![unknown("can't tell what these commands of gnuplot run")];
    }
    let named = [("output", Does::Write), ("out", Does::Write), ("o", Does::Write)];
    let mut found = calls::files_after(text, &named);
    found.extend(pieces(text, &['"', '\''], |piece| match is_path(piece) {
        true => Does::Edit.with("", piece),
        false => Vec::new(),
    }));
    found
}

/// Commands of sbt; some change the build or evaluate code.
pub(super) fn sbt(text: &str) -> Found {
    pieces(text, &[';'], |command| {
        let command = command.trim_start_matches(['~', '+', ' ']);
        let first = command.split_ascii_whitespace().next().unwrap_or("");
        let heavy =
            ["eval", "set", "apply", "alias", "loadp", "console", "consoleProject", "onFailure"];
        match heavy.contains(&first) || command.starts_with(['<', '!', '-', '{']) {
            true => vec![unknown(&format!("can't tell what sbt's `{first}` runs"))],
            false => Vec::new(),
        }
    })
}

/// `NAME;KEY=VALUE`, where a logger may be a library.
pub(super) fn dotnet_logger(text: &str) -> Found {
    pieces(text.trim_start_matches(':'), &[';'], |piece| match piece.split_once('=') {
        Some((_, value)) => place_written(value),
        None if is_path(piece) || piece.contains(".dll") => vec![unknown("a library is loaded")],
        None => Vec::new(),
    })
}

/// `NAME=VALUE;…`: steps and tools of a build are programs.
pub(super) fn msbuild(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("*Event", Does::Shell),
        ("*Command", Does::Shell),
        ("*CommandLine", Does::Shell),
        ("*ToolExe", Does::Unknown),
        ("*ToolPath", Does::Unknown),
        ("*Targets", Does::Unknown),
        ("*TargetsPath", Does::Unknown),
        ("*PropsPath", Does::Unknown),
        ("*PropsFile", Does::Unknown),
        ("*TasksPath", Does::Unknown),
        ("*Props", Does::Unknown),
        ("*Import", Does::Unknown),
        ("*Analyzers", Does::Unknown),
        ("*Dir", Does::WriteTree),
        ("*Path", Does::WriteTree),
        ("*Directory", Does::WriteTree),
        ("*Sources", Does::Place),
    ];
    pieces(text.trim_start_matches(':'), &[';'], |piece| {
        let (key, value) = piece.split_once('=').unwrap_or((piece, ""));
        does(KEYS, key).unwrap_or(Does::PlaceWritten).with(key, value)
    })
}

/// A line of GHCi: code, or a command of its own, of which `:!` runs a program.
pub(super) fn ghci(text: &str) -> Found {
    const ASKS: [&str; 8] = [":t", ":type", ":i", ":info", ":k", ":kind", ":browse", ":doc"];
    pieces(text, &['\n'], |line| {
        let first = line.split_whitespace().next().unwrap_or_default();
        match line.strip_prefix(":!") {
            Some(line) => vec![shell(line)],
            None if !line.starts_with(':') || ASKS.contains(&first) => read(line),
            None => vec![unknown(&format!("what `{first}` of GHCi does is not known"))],
        }
    })
}

/// `NAME=VALUE` of m4, where a value may call a macro.
pub(super) fn m4(text: &str) -> Found {
    const RUNS: [&str; 10] = [
        "syscmd",
        "esyscmd",
        "include",
        "sinclude",
        "maketemp",
        "mkstemp",
        "debugfile",
        "eval",
        "builtin",
        "indir",
    ];
    let mut names = text.split(|c: char| !c.is_ascii_alphanumeric());
    match names.any(|name| RUNS.contains(&name)) || text.contains('(') {
        true => vec![unknown("can't tell what this macro runs")],
        false => Vec::new(),
    }
}

/// Settings of PHP.
pub(super) fn php_ini(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("auto_prepend_file", Does::Read),
        ("auto_append_file", Does::Read),
        ("opcache.preload", Does::Read),
        ("extension_dir", Does::Unknown),
        ("ffi.preload", Does::Unknown),
        ("sendmail_path", Does::Shell),
        ("error_log", Does::Write),
        ("mail.log", Does::Write),
        ("include_path", Does::Paths),
        ("open_basedir", Does::Nothing),
        ("*_host", Does::Host),
        ("session.save_path", Does::WriteTree),
        ("*_dir", Does::WriteTree),
    ];
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    match key.trim() {
        "extension" | "zend_extension" if is_path(value) => Does::Unknown.with(key, value),
        key => does(KEYS, key).unwrap_or(Does::Place).with(key, value.trim()),
    }
}

/// A library of ruby; two of them make commands of what follows.
pub(super) fn ruby_library(text: &str) -> Found {
    match text {
        "un" | "debug" => vec![unknown("what the words behind it do is not known")],
        _ => super::node::module(text),
    }
}

/// Code, or the name of a file with it.
pub(super) fn ruby_or_file(text: &str) -> Found {
    match (is_path(text) && !text.contains([' ', '(', '\n'])) || text.ends_with(".rb") {
        true => Does::Read.with("", text),
        false => vec![Finding::Code("ruby", text.to_owned())],
    }
}
