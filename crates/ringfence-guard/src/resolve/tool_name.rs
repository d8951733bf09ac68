//! Classifies tools by their names.
//!
//! Agents use similar but different names. A tool counts as a file tool only if every word of its
//! name is a known verb or noun. Any other name is a tool of unknown kind, which needs a grant by
//! name.

use ringfence_core::rule::ToolKind;

/// What a known tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolOperation {
    RunLine,
    RunCode,
    /// Types into a running program.
    TypeInput,
    Fetch,
    File(FileOperation),
    ReadUri,
}

/// What a file tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOperation {
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

impl ToolOperation {
    /// Returns the kind of the tool.
    pub(crate) fn kind(self) -> ToolKind {
        match self {
            ToolOperation::RunLine | ToolOperation::TypeInput => ToolKind::Terminal,
            ToolOperation::RunCode => ToolKind::CodeExecution,
            ToolOperation::Fetch => ToolKind::Web,
            ToolOperation::File(_) | ToolOperation::ReadUri => ToolKind::File,
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
/// Names of tools that type into a running program.
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
/// Nouns in names of file tools.
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

/// Verbs by operation, strongest first: a name with several verbs has the strongest meaning.
const VERBS: [(FileOperation, &[&str]); 10] = [
    (FileOperation::Move, &["move", "mv", "rename"]),
    (FileOperation::Copy, &["copy", "cp", "duplicate"]),
    (FileOperation::Delete, &["delete", "remove", "rm", "rmdir", "unlink", "trash"]),
    (
        FileOperation::Edit,
        &["edit", "multiedit", "patch", "apply", "replace", "update", "modify", "insert", "diff"],
    ),
    (
        FileOperation::Write,
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
    (FileOperation::Grep, &["grep", "rg", "ripgrep"]),
    (FileOperation::Search, &["search", "find", "tree"]),
    (FileOperation::Glob, &["glob"]),
    (FileOperation::List, &["list", "ls", "stat", "info"]),
    (FileOperation::Read, &["read", "view", "cat", "open", "show", "get", "head", "tail"]),
];

/// Returns what a tool with this name does, or `None` for a tool of unknown kind.
pub(crate) fn classify(name: &str) -> Option<ToolOperation> {
    let words = words(name);
    let joined = words.join("_");
    let listed = |names: &[&str]| names.contains(&joined.as_str());
    if listed(&TERMINALS) {
        return Some(ToolOperation::RunLine);
    }
    if listed(&TYPERS) {
        return Some(ToolOperation::TypeInput);
    }
    if listed(&CODE_RUNNERS) {
        return Some(ToolOperation::RunCode);
    }
    if listed(&FETCHERS) {
        return Some(ToolOperation::Fetch);
    }
    if joined == "read_resource" {
        return Some(ToolOperation::ReadUri);
    }
    file_operation(&words).map(ToolOperation::File)
}

fn file_operation(words: &[String]) -> Option<FileOperation> {
    let is_verb = |word: &str| VERBS.iter().any(|(_, verbs)| verbs.contains(&word));
    let known = |word: &String| is_verb(word) || FILE_NOUNS.contains(&word.as_str());
    if words.is_empty() || !words.iter().all(known) {
        return None;
    }
    let has = |one: &[&str]| words.iter().any(|word| one.contains(&word.as_str()));
    let operation = VERBS.iter().find(|(_, verbs)| has(verbs)).map(|(operation, _)| *operation);
    match operation {
        // A search in contents takes a text, not a path.
        Some(FileOperation::Search) if has(&["content", "contents", "text"]) => {
            Some(FileOperation::Grep)
        }
        Some(FileOperation::Write) | None if has(&["hardlink", "hard"]) => {
            Some(FileOperation::HardLink)
        }
        Some(FileOperation::Write) | None if has(&["symlink", "symbolic", "soft", "link"]) => {
            Some(FileOperation::SymbolicLink)
        }
        operation => operation,
    }
}

/// Splits a name into words: `readFile`, `read-file` and `read_file` have the same.
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
