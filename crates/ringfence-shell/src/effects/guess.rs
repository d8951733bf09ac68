//! Programs of which nothing is known.
//!
//! What looks like a path or an address is read or dialled, wherever in a word it stands, and an option
//! that is called like one that names a program is taken for one.

use ringfence_core::program::{FileUse, WordRole};

use super::Walker;
use crate::field::Field;

/// Parts of the names of options whose value is a program or a command line.
const RUNS: [&str; 37] = [
    "exec",
    "execute",
    "cmd",
    "command",
    "shell",
    "rsh",
    "program",
    "prog",
    "hook",
    "editor",
    "pager",
    "askpass",
    "interpreter",
    "launcher",
    "wrapper",
    "eval",
    "bin",
    "binary",
    "executable",
    "python",
    "python3",
    "perl",
    "ruby",
    "php",
    "java",
    "node",
    "cc",
    "cxx",
    "compiler",
    "linker",
    "assembler",
    "browser",
    "viewer",
    "preprocessor",
    "postprocessor",
    "invoke",
    "sendmail",
];

/// Functions by which languages start a program, in small letters.
const STARTS: [&str; 20] = [
    "system",
    "exec",
    "execl",
    "execv",
    "execvp",
    "execve",
    "popen",
    "spawn",
    "spawnl",
    "passthru",
    "shell_exec",
    "proc_open",
    "pcntl_exec",
    "run-shell-command",
    "run-program",
    "shell-command",
    "callcommand",
    "execute_process",
    "esyscmd",
    "execute",
];

/// Longer words are not searched for what they name.
const LONGEST: usize = 1 << 16;

impl Walker<'_> {
    /// A program of which nothing is known: what looks like a path is read.
    #[cold]
    pub(super) fn by_guess(&mut self, name: &str, args: &[Field]) {
        let mut options = true;
        let mut runs_next = false;
        for field in args {
            let text = field.prefix();
            let runs = std::mem::take(&mut runs_next);
            if options && field.as_known() == Some("--") {
                options = false;
            } else if options && text.starts_with('-') {
                let value = text.find('=').map(|at| field.skip(at.saturating_add(1)));
                let named = text.split('=').next().unwrap_or(text);
                if names_program(named) {
                    runs_next = value.is_none();
                    value.iter().for_each(|value| self.may_name_program(value));
                }
                let glued = || text.find('/').map(|at| field.skip(at));
                if let Some(value) = value.or_else(glued) {
                    self.loose_operand(&value);
                    self.may_run(name, &value);
                }
            } else {
                if runs {
                    self.may_name_program(field);
                }
                self.loose_operand(field);
                self.may_run(name, field);
            }
            self.inside(name, field);
        }
    }

    /// The value of an option that is called like one which names a program.
    fn may_name_program(&mut self, value: &Field) {
        // A file of the project, or no name at all.
        let is_other = |text: &str| {
            let first = text.split_whitespace().next().unwrap_or_default();
            let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
            let is_switch =
                ["true", "false", "yes", "no", "on", "off", "auto", "none"].contains(&first);
            is_number || is_switch || first.starts_with(['-', '.']) && !first.starts_with("..")
        };
        if !value.as_known().is_some_and(is_other) {
            self.role(&WordRole::Run, std::slice::from_ref(value), None);
        }
    }

    /// Paths that stand behind other characters of a word, and functions that start programs.
    fn inside(&mut self, name: &str, field: &Field) {
        let text = field.prefix();
        if text.len() > LONGEST {
            return;
        }
        let places: Vec<String> = paths_in(text).map(str::to_owned).collect();
        for path in places {
            self.named_in_code(FileUse::Read, &path, field.span);
        }
        match started(text) {
            Some(Some(line)) => self.shell_text(line, field.span),
            Some(None) => {
                let reason = format!("`{name}` may start programs by `{}`", field.shown());
                self.unanalysable(&reason, Some(field.span));
            }
            None => {}
        }
    }

    /// A word that is or begins with a program to which a rule objects, or a text that looks like
    /// code and has one in it.
    fn may_run(&mut self, name: &str, field: &Field) {
        const OF_CODE: [char; 15] =
            ['(', '{', '[', '!', '`', '$', '|', ';', '&', '\\', '%', '"', '\'', '\n', '<'];
        let objects = |word: &str| self.world.objects_to_program(word);
        let is_program = |text: &str| {
            let (directory, last) = text.rsplit_once('/').unwrap_or(("bin", text));
            directory.ends_with("bin") && objects(last)
        };
        let in_code = |text: &str| {
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
            text.contains(OF_CODE) && text.split(|c| !is_word(c)).any(is_program)
        };
        let begins = |text: &str| text.split_whitespace().next().is_some_and(is_program);
        // `key=rm x` and `a=b,path=rm` hand it on as well.
        let in_value = |text: &str| match text.contains(char::is_whitespace) {
            true => text.split('=').skip(1).any(begins),
            false => text.contains('=') && text.split(['=', ',']).skip(1).any(begins),
        };
        let may = |text: &str| begins(text) || in_value(text) || in_code(text);
        if field.as_known().is_some_and(may) {
            let reason = format!("`{name}` may run `{}`", field.shown());
            self.unanalysable(&reason, Some(field.span));
        }
    }
}

/// Whether an option is called like one whose value is a program: `--rsh`, `--pre-exec`.
fn names_program(option: &str) -> bool {
    let Some(name) = option.strip_prefix("--") else { return false };
    !name.starts_with("no-") && name.split(['-', '_', '.']).any(|part| RUNS.contains(&part))
}

/// Whether a key of settings is called like one whose value is a program, by its last part:
/// `sshCommand`, `init-hook`, `python_executable`, and not `python_version`.
pub(super) fn names_program_by_end(key: &str) -> bool {
    let mut start = 0;
    let mut before = ' ';
    for (at, c) in key.char_indices() {
        if !c.is_alphanumeric() {
            start = at.saturating_add(c.len_utf8());
        } else if c.is_uppercase() && before.is_lowercase() {
            start = at;
        }
        before = c;
    }
    let last = key.get(start..).unwrap_or_default().to_ascii_lowercase();
    // Keys of these names say which release it is.
    let is_language = ["python", "python3", "perl", "ruby", "php", "java", "node", "invoke"];
    RUNS.contains(&&*last) && !is_language.contains(&&*last)
}

/// The paths from the root, a home or the directory above that stand behind other characters of a text.
fn paths_in(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.char_indices().zip(text.chars().skip(1)).filter_map(|((at, before), c)| {
        let at = at.saturating_add(before.len_utf8());
        (is_border(before) && matches!(c, '/' | '~' | '.')).then_some(at)
    });
    starts.filter_map(|at| {
        let rest = text.get(at..)?;
        let end = rest.find(|c: char| !is_of_path(c)).unwrap_or(rest.len());
        rest.get(..end).filter(|path| is_path(path))
    })
}

/// Whether a path may begin behind this character.
fn is_border(c: char) -> bool {
    c.is_whitespace() || "\"'`({[<>=@:,;|&!+".contains(c)
}

fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || "/._-~+@%".contains(c)
}

fn is_path(text: &str) -> bool {
    let below = ["/", "~/", "../"].iter().find_map(|start| text.strip_prefix(start));
    let below = below.map(|rest| rest.trim_start_matches("../"));
    below.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || "._~".contains(c)))
}

/// The program that a text starts by a function: `system("x")`, `exec 'x'`; the inner `None` where it
/// cannot be told which.
pub(super) fn started(text: &str) -> Option<Option<&str>> {
    let mut begins = true;
    let mut rest = text;
    while let Some(start) = rest.find(is_of_name) {
        let (between, from) = rest.split_at_checked(start).unwrap_or(("", rest));
        begins = match between.trim_end().chars().next_back() {
            Some(c) => ";({[&|!\n".contains(c),
            None => begins && between.is_empty(),
        };
        let end = from.find(|c| !is_of_name(c)).unwrap_or(from.len());
        let (name, behind) = from.split_at_checked(end).unwrap_or((from, ""));
        let is_start = || STARTS.iter().any(|own| own.eq_ignore_ascii_case(last_of(name)));
        // In a sentence a bracket or a quote stands apart.
        let calls = behind.starts_with('(')
            || begins && behind.trim_start().starts_with(['"', '\'', '`', '{']);
        if calls && is_start() {
            return Some(literal(behind));
        }
        (rest, begins) = (behind, false);
    }
    None
}

/// The text that a call is given, where it is one in quotes and nothing else.
fn literal(behind: &str) -> Option<&str> {
    let behind = behind.trim_start().trim_start_matches('(').trim_start();
    let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (text, rest) = behind.get(1..)?.split_once(quote)?;
    let ends = rest.trim_start().is_empty() || rest.trim_start().starts_with([')', ';', '}']);
    (ends && !text.contains(['\\', '$'])).then_some(text)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')
}

/// A name without the module that it stands behind.
fn last_of(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

#[cfg(test)]
#[path = "guess_tests.rs"]
mod tests;
