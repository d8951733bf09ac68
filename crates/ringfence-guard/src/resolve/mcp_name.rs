//! Classifies MCP tools by the words of their names.

use ringfence_core::access::FileOp;

use super::tool_name::words;

/// What an MCP tool does with the paths in its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum McpOperation {
    Read,
    Search,
    Write,
    Edit,
    Delete,
    Move,
    Copy,
    Unknown,
}

impl McpOperation {
    /// Returns the file operations on everything that a glob in the arguments matches.
    pub(super) fn ops(self) -> &'static [FileOp] {
        match self {
            McpOperation::Read | McpOperation::Search => &[FileOp::Read],
            McpOperation::Write => &[FileOp::Write],
            McpOperation::Edit | McpOperation::Copy | McpOperation::Unknown => {
                &[FileOp::Read, FileOp::Write]
            }
            McpOperation::Delete => &[FileOp::Delete],
            McpOperation::Move => &[FileOp::Read, FileOp::Delete, FileOp::Write],
        }
    }
}

/// Verbs of operations that change files.
const WRITE_WORDS: [&str; 11] = [
    "write",
    "create",
    "delete",
    "move",
    "append",
    "edit",
    "copy",
    "rename",
    "overwrite",
    "mkdir",
    "remove",
];
/// Verbs of operations that only read.
const READ_VERBS: [&str; 12] = [
    "read", "get", "list", "search", "find", "view", "show", "grep", "glob", "describe", "fetch",
    "resolve",
];
/// Nouns of operations that only read; the same words also name things that other operations
/// change.
const READ_NOUNS: [&str; 9] =
    ["stat", "info", "tree", "log", "diff", "status", "head", "tail", "query"];
/// Words that may stand next to these nouns without changing their meaning.
const THINGS: [&str; 52] = [
    "git",
    "hg",
    "svn",
    "jj",
    "repo",
    "repository",
    "file",
    "files",
    "dir",
    "directory",
    "directories",
    "folder",
    "folders",
    "path",
    "paths",
    "project",
    "workspace",
    "branch",
    "branches",
    "commit",
    "commits",
    "tag",
    "tags",
    "system",
    "disk",
    "process",
    "db",
    "database",
    "sql",
    "table",
    "schema",
    "index",
    "code",
    "symbol",
    "symbols",
    "document",
    "text",
    "notebook",
    "image",
    "media",
    "memory",
    "graph",
    "staged",
    "unstaged",
    "cached",
    "short",
    "full",
    "all",
    "multiple",
    "the",
    "of",
    "in",
];
/// Verbs that change something in a way that the name does not tell.
const CHANGES: [&str; 84] = [
    "add",
    "amend",
    "apply",
    "archive",
    "assign",
    "attach",
    "build",
    "change",
    "checkout",
    "chmod",
    "chown",
    "clean",
    "clear",
    "clone",
    "close",
    "commit",
    "compress",
    "configure",
    "convert",
    "destroy",
    "disable",
    "download",
    "drop",
    "dump",
    "empty",
    "enable",
    "erase",
    "exec",
    "execute",
    "export",
    "extract",
    "fill",
    "fix",
    "flush",
    "format",
    "generate",
    "import",
    "init",
    "insert",
    "install",
    "invoke",
    "kill",
    "launch",
    "link",
    "load",
    "lock",
    "make",
    "merge",
    "modify",
    "mount",
    "open",
    "patch",
    "post",
    "publish",
    "pull",
    "purge",
    "push",
    "put",
    "rebase",
    "replace",
    "reset",
    "restore",
    "revert",
    "rm",
    "rmdir",
    "rotate",
    "run",
    "save",
    "send",
    "set",
    "start",
    "store",
    "submit",
    "symlink",
    "sync",
    "touch",
    "trash",
    "truncate",
    "unlink",
    "unzip",
    "update",
    "upload",
    "upsert",
    "wipe",
];

/// Returns what an MCP tool does, judged by the words of its name.
pub(crate) fn classify_mcp(server: &str, tool: &str) -> McpOperation {
    let words = words(tool);
    let has = |one: &[&str]| words.iter().any(|word| one.contains(&word.as_str()));
    if has(&["move", "rename"]) {
        McpOperation::Move
    } else if has(&["copy"]) {
        McpOperation::Copy
    } else if has(&["delete", "remove"]) {
        McpOperation::Delete
    } else if has(&["edit"]) {
        McpOperation::Edit
    } else if has(&WRITE_WORDS) {
        McpOperation::Write
    } else if !only_looks(server, &words) {
        McpOperation::Unknown
    } else if has(&["search", "find", "grep", "glob", "tree"]) {
        McpOperation::Search
    } else {
        McpOperation::Read
    }
}

/// Returns whether a name only speaks of reading. A verb is enough, unless another word says more;
/// a noun needs a known word next to it.
fn only_looks(server: &str, words: &[String]) -> bool {
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let verbs = words.iter().filter(|word| is(word, &READ_VERBS)).count();
    if verbs > 0 {
        // Words after the verb are its object: `get_commit`, `list_builds`.
        let first = words.iter().position(|word| is(word, &READ_VERBS)).unwrap_or_default();
        let joined = words.iter().any(|word| matches!(word.as_str(), "and" | "or" | "then"));
        let before = words.get(..first).unwrap_or_default();
        return !before.iter().any(|word| is(word, &CHANGES)) && !joined && !ends_in_change(words);
    }
    let servers = super::tool_name::words(server);
    let belongs =
        |word: &String| is(word, &READ_NOUNS) || is(word, &THINGS) || servers.contains(word);
    words.iter().any(|word| is(word, &READ_NOUNS)) && words.iter().all(belongs)
}

/// Returns whether the last word says that the tool changes its search results:
/// `search_replace`, `find_apply`.
fn ends_in_change(words: &[String]) -> bool {
    const AFTER: [&str; 12] = [
        "replace", "apply", "update", "set", "insert", "truncate", "rm", "unlink", "fix",
        "execute", "exec", "run",
    ];
    words.last().is_some_and(|word| AFTER.contains(&word.as_str()))
}

/// Returns whether the name contains a word for files.
pub(super) fn names_files(tool: &str) -> bool {
    const FILES: [&str; 8] =
        ["file", "files", "dir", "directory", "directories", "folder", "folders", "path"];
    words(tool).iter().any(|word| FILES.contains(&word.as_str()))
}

#[cfg(test)]
#[path = "mcp_name_tests.rs"]
mod tests;
