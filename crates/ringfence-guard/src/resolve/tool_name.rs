//! What a tool does, told by its name.
//!
//! Agents name their tools alike but not the same. A name is taken for a file tool only if all of
//! its words are verbs and nouns that are known; any other name is a tool of no known kind, which
//! needs a grant of its own.

use ringfence_core::rule::ToolKind;

/// What a known tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    RunLine,
    RunCode,
    /// Types into a program that runs already.
    TypeInput,
    Fetch,
    File(FileDoing),
    ReadUri,
}

/// What a file tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileDoing {
    Read,
    List,
    Search,
    Grep,
    Glob,
    Write,
    Edit,
    Delete,
    Move,
    Copy,
    SymbolicLink,
    HardLink,
}

impl Doing {
    /// The kind of tool that does this.
    pub(crate) fn kind(self) -> ToolKind {
        match self {
            Doing::RunLine | Doing::TypeInput => ToolKind::Terminal,
            Doing::RunCode => ToolKind::CodeExecution,
            Doing::Fetch => ToolKind::Web,
            Doing::File(_) | Doing::ReadUri => ToolKind::File,
        }
    }
}

/// Names of tools that run command lines.
const TERMINALS: [&str; 18] = [
    "terminal",
    "bash",
    "shell",
    "exec",
    "run_command",
    "execute_command",
    "run_shell_command",
    "run_terminal_cmd",
    "run_terminal_command",
    "run_in_terminal",
    "local_shell",
    "shell_command",
    "exec_command",
    "execute_bash",
    "command",
    "run_bash_command",
    "shell_exec",
    "bash_exec",
];
/// Names of tools that type into a program that runs already.
const TYPERS: [&str; 16] = [
    "write_stdin",
    "write_bash",
    "write_powershell",
    "write_shell",
    "write_to_terminal",
    "write_terminal",
    "terminal_write",
    "terminal_input",
    "send_terminal_input",
    "send_to_terminal",
    "send_keys",
    "send_stdin",
    "shell_input",
    "bash_input",
    "pty_write",
    "write_to_process",
];
/// Names of tools that run code.
const CODE_RUNNERS: [&str; 8] = [
    "code_execution",
    "execute_code",
    "code_exec",
    "run_code",
    "run_python",
    "execute_python",
    "code_interpreter",
    "python",
];
/// Names of tools that fetch a URL.
const FETCHERS: [&str; 13] = [
    "web_fetch",
    "web_extract",
    "webfetch",
    "fetch",
    "fetch_url",
    "url_fetch",
    "http_request",
    "http_get",
    "read_url",
    "open_url",
    "browse",
    "download",
    "download_file",
];
/// Nouns that file tools are named with.
const FILE_NOUNS: [&str; 36] = [
    "file",
    "files",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
    "path",
    "paths",
    "notebook",
    "text",
    "image",
    "media",
    "lines",
    "line",
    "content",
    "contents",
    "multiple",
    "many",
    "multi",
    "str",
    "string",
    "link",
    "symlink",
    "hardlink",
    "symbolic",
    "hard",
    "soft",
    "all",
    "to",
    "in",
    "into",
    "based",
    "tool",
    "editor",
];

/// Verbs by what they do, strongest first: a name with several means the strongest.
const VERBS: [(FileDoing, &[&str]); 10] = [
    (FileDoing::Move, &["move", "mv", "rename"]),
    (FileDoing::Copy, &["copy", "cp", "duplicate"]),
    (FileDoing::Delete, &["delete", "remove", "rm", "rmdir", "unlink", "trash"]),
    (
        FileDoing::Edit,
        &["edit", "multiedit", "patch", "apply", "replace", "update", "modify", "insert", "diff"],
    ),
    (
        FileDoing::Write,
        &[
            "write",
            "create",
            "append",
            "overwrite",
            "mkdir",
            "make",
            "touch",
            "save",
            "truncate",
            "chmod",
            "chown",
            "put",
            "new",
            "set",
        ],
    ),
    (FileDoing::Grep, &["grep", "rg", "ripgrep"]),
    (FileDoing::Search, &["search", "find", "tree"]),
    (FileDoing::Glob, &["glob"]),
    (FileDoing::List, &["list", "ls", "stat", "info"]),
    (FileDoing::Read, &["read", "view", "cat", "open", "show", "get", "head", "tail"]),
];

/// What the tool of this name does; `None` for tools of no known kind.
pub(crate) fn classify(name: &str) -> Option<Doing> {
    let words = words(name);
    let joined = words.join("_");
    let listed = |names: &[&str]| names.contains(&joined.as_str());
    if listed(&TERMINALS) {
        return Some(Doing::RunLine);
    }
    if listed(&TYPERS) {
        return Some(Doing::TypeInput);
    }
    if listed(&CODE_RUNNERS) {
        return Some(Doing::RunCode);
    }
    if listed(&FETCHERS) {
        return Some(Doing::Fetch);
    }
    if joined == "read_resource" {
        return Some(Doing::ReadUri);
    }
    file_doing(&words).map(Doing::File)
}

fn file_doing(words: &[String]) -> Option<FileDoing> {
    let is_verb = |word: &str| VERBS.iter().any(|(_, verbs)| verbs.contains(&word));
    let known = |word: &String| is_verb(word) || FILE_NOUNS.contains(&word.as_str());
    if words.is_empty() || !words.iter().all(known) {
        return None;
    }
    let has = |one: &[&str]| words.iter().any(|word| one.contains(&word.as_str()));
    let doing = VERBS.iter().find(|(_, verbs)| has(verbs)).map(|(doing, _)| *doing);
    match doing {
        // What is searched for in the content of files is text.
        Some(FileDoing::Search) if has(&["content", "contents", "text"]) => Some(FileDoing::Grep),
        Some(FileDoing::Write) | None if has(&["hardlink", "hard"]) => Some(FileDoing::HardLink),
        Some(FileDoing::Write) | None if has(&["symlink", "symbolic", "soft", "link"]) => {
            Some(FileDoing::SymbolicLink)
        }
        doing => doing,
    }
}

/// The words of a name: `readFile`, `read-file` and `read_file` have the same.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last_lower = false;
    let mut open = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        if !open || (last_lower && c.is_uppercase()) {
            words.push(String::new());
        }
        open = true;
        last_lower = c.is_lowercase();
        match words.last_mut() {
            Some(word) if c.is_ascii() => word.push(c.to_ascii_lowercase()),
            Some(word) => word.extend(c.to_lowercase()),
            None => {}
        }
    }
    words
}

#[cfg(test)]
#[path = "tool_name_tests.rs"]
mod tests;
