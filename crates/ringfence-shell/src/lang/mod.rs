//! The little languages that stand inside options of programs.
//!
//! ```
//! use ringfence_shell::lang::{Finding, read};
//! let found = read("awk", r#"{ print $1 | "sort -u" }"#).unwrap();
//! assert_eq!(found, [Finding::Shell("sort -u".to_owned())]);
//! ```
//!
//! Each reader takes the text of its language and says what it would do, as far as the text tells.
//! It accepts less than the real program and never differently: what is not certain is said to be
//! unknown, and what cannot be read at all is [`Finding::Unreadable`]. Readers are pure functions,
//! take time in proportion to the text, and never panic.

mod arith;
mod awk;
mod code;
mod cursor;
mod ed;
mod elisp;
mod gdb;
mod git;
mod jq;
mod keys;
mod make;
mod notation;
mod place;
mod sed;
mod sql;
mod ssh;
mod vim;
pub(crate) mod words;

/// What a piece of code would do, as far as its text tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A command line for `sh -c`.
    Shell(String),
    /// A program with its arguments, without a shell.
    Run(Vec<String>),
    /// A program or command is run whose text cannot be told; the reason, for a person.
    RunUnknown(String),
    /// A file that is read, as the code has it.
    Read(String),
    /// A file or directory that is read with all below it.
    ReadTree(String),
    /// A file that is written or made.
    Write(String),
    /// A directory that is written with all below it.
    WriteTree(String),
    /// A file that is deleted.
    Delete(String),
    /// A file is read whose name cannot be told; the reason.
    ReadUnknown(String),
    /// A file is written or deleted whose name cannot be told; the reason.
    WriteUnknown(String),
    /// A URL that is dialled.
    Url(String),
    /// `HOST` or `HOST:PORT` that is dialled.
    Host(String),
    /// A port, or `ADDRESS:PORT`, on which it listens.
    Listen(String),
    /// A variable of the environment that is read.
    GetEnv(String),
    /// The whole environment is read.
    AllEnv,
    /// A variable of the environment that is set.
    SetEnv(String),
    /// A variable of the program's own, which it also hands on to the environment of what it runs.
    HandsOn(String),
    /// Code in another known language, by its name.
    Code(&'static str, String),
    /// A file with code that is run: its language, or `shell`, and its path.
    CodeFile(&'static str, String),
    /// A name that may be one of the program's own, or else that of a program which it runs.
    MayRun(String),
    /// What is done is a command by another name: it meets whoever objects to that one.
    Also(Vec<String>),
    /// Words that another program takes for options: the program, and the words as one text.
    Options(&'static str, String),
    /// A word of which nothing is known: a path or a URL if it looks like one.
    Operand(String),
    /// The text could not be read at all; the reason.
    Unreadable(String),
}

/// The longest code that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 100;

/// More findings than anyone would judge one by one.
const MAX_FINDINGS: usize = 10_000;

/// Makes the table of readers and the list of their names, so that they cannot differ.
macro_rules! readers {
    ($($name:literal => $reader:expr,)*) => {
        const LANGUAGES: &[&str] = &[$($name),*];

        fn reader(language: &str) -> Option<fn(&str) -> Vec<Finding>> {
            match language {
                $($name => Some($reader),)*
                _ => notation::reader(language),
            }
        }
    };
}

readers! {
    "awk" => awk::read,
    "ipython" => ipython,
    "sed" => sed::read,
    "git-config" => git::read,
    "git-config-set" => git::read_set,
    "git-config-file" => git::read_file,
    "ssh-config" => ssh::read_file,
    "jq" => jq::read,
    "ssh-option" => ssh::read,
    "sqlite" => sql::sqlite,
    "psql" => sql::psql,
    "mysql" => sql::mysql,
    "duckdb" => sql::duckdb,
    "vim" => vim::read,
    "ed" => ed::read,
    "make" => make::read,
    "make-variable" => make::read_variable,
    "gdb" => gdb::read,
    "elisp" => elisp::read,
    "arith" => arith::read,
    "subscript" => arith::read,
    "tar-checkpoint" => keys::tar_checkpoint,
    "apt-option" => keys::apt,
    "curl-form" => keys::curl_form,
    "curl-connect" => keys::curl_connect,
    "curl-config" => keys::curl_config,
    "wgetrc" => keys::wgetrc,
    "socat" => keys::socat,
    "docker-volume" => keys::docker_volume,
    "docker-mount" => keys::docker_mount,
    "cargo-config" => keys::cargo_config,
    "rustc-codegen" => keys::rustc_codegen,
    "imagemagick" => keys::imagemagick,
    "env-split" => keys::env_split,
    "perl-module" => keys::perl_module,
    "python" => code::python,
    "node" => code::node,
    "perl" => code::perl,
    "ruby" => code::ruby,
    "php" => code::php,
    "lua" => code::lua,
    "julia" => |text| with_places(text, code::julia(text)),
    "tcl" => code::tcl,
    "r" => code::r,
}

/// IPython reads Python, and lines for a shell among it.
fn ipython(code: &str) -> Vec<Finding> {
    let runs = |line: &str| line.trim_start().starts_with(['!', '%']) || line.contains("= !");
    match code.lines().any(runs) || code.contains("get_ipython") {
        true => vec![Finding::RunUnknown("IPython runs a line in a shell".to_owned())],
        false => read("python", code).unwrap_or_default(),
    }
}

/// What was found, with the paths and addresses in the strings of a code, whoever is handed them.
fn with_places(code: &str, mut found: Vec<Finding>) -> Vec<Finding> {
    found.extend(notation::places(code));
    found
}

/// Reads code of a language; `None` if the language is not known.
pub fn read(language: &str, code: &str) -> Option<Vec<Finding>> {
    let reader = reader(language)?;
    if code.len() > MAX_BYTES {
        return Some(vec![unreadable("it is longer than a mebibyte")]);
    }
    if code.contains('\0') {
        return Some(vec![unreadable("it has a NUL, where programs may stop reading")]);
    }
    let mut found = reader(code);
    if found.len() > MAX_FINDINGS {
        found.truncate(MAX_FINDINGS);
        found.push(unreadable("it does too many things"));
    }
    Some(found)
}

/// The languages that are known.
pub fn languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().chain(notation::NAMES).copied()
}

fn unreadable(reason: &str) -> Finding {
    Finding::Unreadable(reason.to_owned())
}

/// Returns whether a notation names files that are read, hosts or things of the program's own, and
/// never anything that is run, loaded or written.
pub(crate) fn only_names(language: &str) -> bool {
    const ONLY_NAMES: [&str; 17] = [
        "7z-lists",
        "address",
        "bc",
        "browser-place",
        "docker-image",
        "editor-file",
        "gh-item",
        "gh-repo",
        "git-object",
        "key-file",
        "kube-kinds",
        "line-range",
        "name-or-file",
        "path-list",
        "pg-database",
        "pg-host",
        "place-list",
    ];
    ONLY_NAMES.contains(&language)
}

#[cfg(test)]
mod testing;

#[cfg(test)]
#[path = "mod_tests.rs"]
mod tests;
