//! What stands in `make --eval` and in variables on make's command line.
//!
//! Values end up in recipes, which a shell runs; so a value with characters of the shell in it may
//! run anything.

use super::Finding;
use super::cursor::Cursor;

/// Reads a piece of a makefile.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let joined = code.replace("\\\n", " ");
    for line in joined.lines() {
        functions(line, &mut found);
        match line.strip_prefix('\t') {
            Some(recipe) => shell(recipe, &mut found),
            None => statement(line.trim(), &mut found),
        }
    }
    found
}

/// Reads `NAME=VALUE` as a word of the command line.
pub(super) fn read_variable(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    functions(code, &mut found);
    // What is no assignment is a target.
    if let Some((name, operator, value)) = assignment(code) {
        variable(name, operator, value, &mut found);
        if FLAGS.iter().any(|own| name.ends_with(own)) {
            found.push(Finding::Code("cflags", value.to_owned()));
        }
        found.push(Finding::HandsOn(name.to_owned()));
        if value.contains([';', '&', '|', '`', '<', '>', '\n']) || value.contains("$$") {
            let reason = "a value of make has characters that its recipes' shell reads";
            found.push(Finding::RunUnknown(reason.to_owned()));
        }
    }
    found
}

/// The name, operator and value of an assignment.
fn assignment(line: &str) -> Option<(&str, &str, &str)> {
    let at = line.find('=')?;
    let (head, value) = line.split_at_checked(at)?;
    let name = head.trim_end_matches([':', '?', '+', '!', ' ', '\t']);
    let operator = head.get(name.len()..)?.trim();
    let plain =
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-,".contains(&b));
    plain.then_some((name, operator, value.get(1..)?.trim()))
}

fn statement(line: &str, found: &mut Vec<Finding>) {
    let line = line.split('#').next().unwrap_or(line).trim();
    let word = line.split_whitespace().next().unwrap_or("");
    let rest = line.get(word.len()..).unwrap_or("").trim();
    match word {
        "" | "endif" | "else" | "endef" | "ifdef" | "ifndef" | "ifeq" | "ifneq" | "undefine"
        | "vpath" => {}
        "include" | "-include" | "sinclude" => {
            for file in rest.split_whitespace() {
                found.push(match file.contains('$') {
                    true => Finding::ReadUnknown("a makefile's name is computed".to_owned()),
                    false => Finding::CodeFile("make", file.to_owned()),
                });
            }
        }
        "load" | "-load" => found.push(Finding::RunUnknown("make loads a library".to_owned())),
        "export" | "override" | "private" | "unexport" | "define" => exported(word, rest, found),
        _ => match assignment(line) {
            Some((name, operator, value)) => variable(name, operator, value, found),
            None => rule(line, found),
        },
    }
}

fn exported(word: &str, rest: &str, found: &mut Vec<Finding>) {
    match assignment(rest) {
        Some((name, operator, value)) => {
            if word == "export" {
                found.push(Finding::SetEnv(name.to_owned()));
            }
            variable(name, operator, value, found);
        }
        None if word == "define" => {
            found.push(Finding::RunUnknown("make defines text that it may run".to_owned()));
        }
        None => {}
    }
}

/// A rule; what follows its semicolon is a recipe.
fn rule(line: &str, found: &mut Vec<Finding>) {
    if let Some((_, recipe)) = line.split_once(';') {
        shell(recipe, found);
    }
    // A variable of one target alone.
    if let Some((_, rest)) = line.split_once(':')
        && let Some((name, operator, value)) = assignment(rest.trim())
    {
        variable(name, operator, value, found);
    }
}

/// Ends of the names of variables whose words are options of a compiler.
const FLAGS: &[&str] = &["CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "FFLAGS", "LDLIBS"];

/// Variables that name programs.
const PROGRAMS: &[&str] = &[
    "SHELL",
    "MAKE",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "FC",
    "F77",
    "PC",
    "CO",
    "GET",
    "LEX",
    "YACC",
    "LINT",
    "MAKEINFO",
    "TEX",
    "TEXI2DVI",
    "WEAVE",
    "CWEAVE",
    "TANGLE",
    "CTANGLE",
    "RM",
    "INSTALL",
    "INSTALL_PROGRAM",
    "PYTHON",
    "PYTHON3",
    "NODE",
    "NPM",
    "GO",
    "CARGO",
    "RUSTC",
    "STRIP",
    "OBJCOPY",
    "OBJDUMP",
    "RANLIB",
    "NM",
    "PKG_CONFIG",
    "HOSTCC",
    "HOSTCXX",
    "LDSHARED",
    "AWK",
    "SED",
    "GREP",
    "PERL",
    "RUBY",
    "JAVA",
    "JAVAC",
    "DOCKER",
    "GIT",
    "CURL",
    "CP",
    "MV",
    "MKDIR",
    "LN",
    "ECHO",
    "CCACHE",
    "LIBTOOL",
    "BASH",
    "SH",
    "KUBECTL",
];

/// Whether a variable names a program: those of the rules that make has by itself have one for each
/// kind of file, as `COMPILE.c`.
fn names_program(name: &str) -> bool {
    const KINDS: [&str; 6] = ["COMPILE", "LINK", "PREPROCESS", "LEX", "YACC", "LINT"];
    let kind = name.split_once('.').map(|(kind, _)| kind);
    PROGRAMS.contains(&name)
        || matches!(name, "MAKE_COMMAND" | "M2C" | "CHECKOUT,v")
        || kind.is_some_and(|kind| KINDS.contains(&kind))
}

fn variable(name: &str, operator: &str, value: &str, found: &mut Vec<Finding>) {
    if operator.contains('!') {
        return shell(value, found);
    }
    let text = || value.to_owned();
    match name {
        _ if value.is_empty() => {}
        _ if names_program(name) => shell(value, found),
        ".SHELLFLAGS" | "MAKEFLAGS" | "GNUMAKEFLAGS" | "MFLAGS" => {
            found.push(Finding::RunUnknown(format!("make's `{name}` changes what it runs")));
        }
        "MAKEFILES" => found.push(Finding::CodeFile("make", text())),
        "CROSS_COMPILE" if value.contains('/') => {
            found.push(Finding::RunUnknown("compilers are taken from another place".to_owned()));
        }
        "DESTDIR" | "prefix" | "PREFIX" | "bindir" | "BINDIR" => found.push(Finding::Write(text())),
        _ => {}
    }
}

/// A line for the shell, as far as make puts nothing into it.
fn shell(line: &str, found: &mut Vec<Finding>) {
    let line = line.trim_start_matches(['@', '-', '+', ' ', '\t']).trim();
    let text = line.replace("$$", "\u{1}");
    if text.contains('$') {
        found.push(Finding::RunUnknown("make puts variables into a command".to_owned()));
    } else if !line.is_empty() {
        found.push(Finding::Shell(text.replace('\u{1}', "$")));
    }
}

/// Functions of make that reach beyond it, wherever they stand.
fn functions(text: &str, found: &mut Vec<Finding>) {
    let mut cursor = Cursor::new(text);
    while let Some(c) = cursor.bump() {
        if c != '$' || cursor.eat('$') {
            continue;
        }
        let close = match cursor.peek() {
            Some('(') => ')',
            Some('{') => '}',
            _ => continue,
        };
        cursor.bump();
        let mut ahead = cursor;
        let name = ahead.take_while(|c| c.is_ascii_alphabetic());
        ahead.skip_blanks();
        match name {
            "shell" => {
                let command = ahead.take_while(|c| c != close && c != '$' && c != '(');
                found.push(match ahead.peek() == Some(close) {
                    true => Finding::Shell(command.trim().to_owned()),
                    false => {
                        Finding::RunUnknown("make's $(shell) runs a computed command".to_owned())
                    }
                });
            }
            "file" => file(ahead.take_while(|c| c != ',' && c != close), found),
            "guile" | "eval" | "call" => {
                found.push(Finding::RunUnknown(format!("make's $({name}) may run anything")));
            }
            _ => {}
        }
    }
}

/// `$(file >NAME,TEXT)`.
fn file(argument: &str, found: &mut Vec<Finding>) {
    let path = argument.trim_start_matches(['<', '>']).trim().to_owned();
    found.push(match (path.contains('$'), argument.starts_with('<')) {
        (true, _) => Finding::WriteUnknown("make's $(file) gets a computed name".to_owned()),
        (false, true) => Finding::Read(path),
        (false, false) => Finding::Write(path),
    });
}

#[cfg(test)]
#[path = "make_tests.rs"]
mod tests;
