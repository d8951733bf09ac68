//! Virtual environments of Python that were there before: their script to activate them says what
//! every such script says, and puts the environment's programs in front.

use ringfence_core::path::AbsPath;

use super::Walker;

/// Variables that the script sets.
const SETS: [&str; 12] = [
    "VIRTUAL_ENV_PROMPT",
    "_OLD_VIRTUAL_PATH",
    "_OLD_VIRTUAL_PYTHONHOME",
    "_OLD_VIRTUAL_PS1",
    "PYTHONHOME",
    "PS1",
    "TCL_LIBRARY",
    "TK_LIBRARY",
    "PKG_CONFIG_PATH",
    "_OLD_VIRTUAL_TCL_LIBRARY",
    "_OLD_VIRTUAL_TK_LIBRARY",
    "_OLD_PKG_CONFIG_PATH",
];

/// Values of `PATH` in the script: the environment in front, and what was there before.
const PATHS: [&str; 6] = [
    "\"$VIRTUAL_ENV/bin:$PATH\"",
    "\"$VIRTUAL_ENV/\"bin\":$PATH\"",
    "\"$VIRTUAL_ENV/\"'bin'\":$PATH\"",
    "\"${VIRTUAL_ENV}/bin:$PATH\"",
    "\"${_OLD_VIRTUAL_PATH:-}\"",
    "\"$_OLD_VIRTUAL_PATH\"",
];

/// Lines that are the same in each script.
const LINES: [&str; 34] = [
    "}",
    "fi",
    "else",
    "esac",
    ";;",
    "*)",
    "hash -r",
    "hash -r 2> /dev/null",
    "hash -r 2>/dev/null",
    "hash -r 2>/dev/null || true",
    "hash -r 2> /dev/null || true",
    "deactivate () {",
    "deactivate() {",
    "deactivate nondestructive",
    "pydoc () {",
    "pydoc() {",
    "python -m pydoc \"$@\"",
    "unset -f deactivate",
    "unset -f pydoc >/dev/null 2>&1",
    "unset -f pydoc >/dev/null 2>&1 || true",
    "alias pydoc 2>/dev/null >/dev/null && unalias pydoc",
    "alias pydoc 2>/dev/null >/dev/null && unalias pydoc || true",
    "exit 33",
    "echo \"You must source this script: \\$ source $0\" >&2",
    "case \"$(uname)\" in",
    "CYGWIN*|MSYS*|MINGW*)",
    "VIRTUAL_ENV=$(cygpath -u \"$VIRTUAL_ENV\")",
    "VIRTUAL_ENV_PROMPT=$(basename \"$VIRTUAL_ENV\")",
    "VIRTUAL_ENV_PROMPT=\"$(basename \"$VIRTUAL_ENV\")\"",
    "PS1=\"(`basename \\\"$VIRTUAL_ENV\\\"`) ${PS1-}\"",
    "PS1=\"(`basename \"$VIRTUAL_ENV\"`) ${PS1:-}\"",
    "if ([ \"$OSTYPE\" = \"cygwin\" ] || [ \"$OSTYPE\" = \"msys\" ]) && $(command -v cygpath &> /dev/null) ; then",
    "if [ \"$OSTYPE\" = \"cygwin\" ] || [ \"$OSTYPE\" = \"msys\" ] && command -v cygpath >/dev/null ; then",
    "export PATH",
];

impl Walker<'_> {
    /// Whether a script is the one that activates the environment in which it lies, as it was before
    /// the line; then programs are found there first.
    #[cold]
    pub(super) fn activates(&mut self, script: &AbsPath, text: &str) -> bool {
        let environment = script.as_str().strip_suffix("/bin/activate");
        let Some(environment) = environment.and_then(|text| AbsPath::new(text).ok()) else {
            return false;
        };
        let is_set = |name: &str| self.state.variables.contains_key(name);
        if !is_activation(text, environment.as_str())
            || self.may_be_changed(&environment)
            || ["PS1", "VIRTUAL_ENV", "_OLD_VIRTUAL_PATH"].into_iter().any(is_set)
        {
            return false;
        }
        match environment.child("bin") {
            Ok(programs) => {
                self.adds_environment(programs);
                true
            }
            Err(_) => false,
        }
    }

    /// Whether the line has written anything in a directory.
    fn may_be_changed(&self, directory: &AbsPath) -> bool {
        use ringfence_core::AccessKind;
        use ringfence_core::access::FileOp;
        self.effects.accesses.iter().any(|access| match &access.what {
            AccessKind::File(file) => {
                let real = &file.path.real;
                file.op != FileOp::Read
                    && (real.starts_with(directory) || directory.starts_with(real))
            }
            _ => false,
        })
    }
}

/// Whether a text says nothing but what activates an environment.
fn is_activation(text: &str, environment: &str) -> bool {
    let sets_it = |line: &str| value_of(line, "VIRTUAL_ENV").is_some();
    text.lines().any(|line| sets_it(line.trim()))
        && text.lines().all(|line| is_line(line.trim(), environment))
}

fn is_line(line: &str, environment: &str) -> bool {
    let line = line.trim_end_matches(';').trim_end();
    line.is_empty()
        || line.starts_with('#')
        || line == ";;"
        || LINES.contains(&line)
        || is_condition(line)
        || is_unset(line)
        || is_assignment(line, environment)
}

/// `if [ … ] ; then`, with nothing in it but words and parameters.
fn is_condition(line: &str) -> bool {
    let inner = line.strip_prefix("if ").or_else(|| line.strip_prefix("elif "));
    let inner = inner.and_then(|rest| rest.strip_suffix("then"));
    let Some(inner) = inner.map(|rest| rest.trim_end().trim_end_matches(';')) else { return false };
    inner.split("||").all(|test| {
        let test = test.trim().trim_start_matches("! ");
        let test = test.strip_prefix("[ ").and_then(|rest| rest.strip_suffix(" ]"));
        test.is_some_and(|test| is_plain(test) && !test.contains('['))
    })
}

fn is_unset(line: &str) -> bool {
    let names = line.strip_prefix("unset ").or_else(|| line.strip_prefix("export "));
    let is_name = |name: &str| SETS.contains(&name) || name == "VIRTUAL_ENV";
    names.is_some_and(|names| names.split_whitespace().all(is_name))
}

fn is_assignment(line: &str, environment: &str) -> bool {
    if let Some(value) = value_of(line, "VIRTUAL_ENV") {
        let value = value
            .strip_prefix("$(cygpath ")
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap_or(value);
        return value.trim_matches(['"', '\'']) == environment;
    }
    if let Some(value) = value_of(line, "PATH") {
        return PATHS.contains(&value);
    }
    let is_value = |value: &str| is_plain(value) && is_word(value);
    SETS.iter().any(|name| value_of(line, name).is_some_and(is_value))
}

/// Whether a value is one word, so that no command follows it. The prompt may stand in parentheses
/// before what was there, which is nothing where the line has not set it.
fn is_word(value: &str) -> bool {
    let prompt = value.split_once(") ").filter(|(first, _)| first.starts_with('('));
    if prompt.is_some_and(|(first, rest)| !first.contains(' ') && rest == "\"${PS1:-}\"") {
        return true;
    }
    let mut quote = None;
    value.chars().all(|c| match (quote, c) {
        (None, '"' | '\'') => {
            quote = Some(c);
            true
        }
        (Some(open), _) => {
            quote = Some(open).filter(|_| open != c);
            true
        }
        (None, _) => c != ' ',
    })
}

/// The value that a line gives to a variable.
fn value_of<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let line = line.strip_prefix("export ").unwrap_or(line);
    line.strip_prefix(name)?.strip_prefix('=').map(str::trim_end)
}

/// Whether a text runs nothing: it has words, quotes and parameters.
fn is_plain(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || " _-+.:/\"'${}()!=@,~[]".contains(c);
    !text.contains("$(") && !text.contains("[$") && text.chars().all(allowed)
}

#[cfg(test)]
#[path = "activate_tests.rs"]
mod tests;
