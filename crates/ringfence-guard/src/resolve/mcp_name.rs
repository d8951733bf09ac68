//! What a tool of an MCP server does, told by the words of its name.

use ringfence_core::access::FileOp;

use super::tool_name::words;

/// What a tool of an MCP server does with the paths in its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum McpDoing {
    Read,
    Search,
    Write,
    Edit,
    Delete,
    Move,
    Copy,
    Unknown,
}

impl McpDoing {
    /// What it does with whatever a shape of paths matches.
    pub(super) fn ops(self) -> &'static [FileOp] {
        match self {
            McpDoing::Read | McpDoing::Search => &[FileOp::Read],
            McpDoing::Write => &[FileOp::Write],
            McpDoing::Edit | McpDoing::Copy | McpDoing::Unknown => &[FileOp::Read, FileOp::Write],
            McpDoing::Delete => &[FileOp::Delete],
            McpDoing::Move => &[FileOp::Read, FileOp::Delete, FileOp::Write],
        }
    }
}

/// Names of operations that change what they touch.
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
/// Names of operations that only look.
const READ_VERBS: [&str; 12] = [
    "read", "get", "list", "search", "find", "view", "show", "grep", "glob", "describe", "fetch",
    "resolve",
];
/// Names of operations that only look, and of things with which anything may be done.
const READ_NOUNS: [&str; 9] =
    ["stat", "info", "tree", "log", "diff", "status", "head", "tail", "query"];
/// Words beside which these are operations: what they belong to, and words that say nothing.
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
/// Words of names that change something, beside whatever else: what they do with a path cannot be told.
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

/// What a tool of a server does, by the words of its name.
pub(crate) fn classify_mcp(server: &str, tool: &str) -> McpDoing {
    let words = words(tool);
    let has = |one: &[&str]| words.iter().any(|word| one.contains(&word.as_str()));
    if has(&["move", "rename"]) {
        McpDoing::Move
    } else if has(&["copy"]) {
        McpDoing::Copy
    } else if has(&["delete", "remove"]) {
        McpDoing::Delete
    } else if has(&["edit"]) {
        McpDoing::Edit
    } else if has(&WRITE_WORDS) {
        McpDoing::Write
    } else if !only_looks(server, &words) {
        McpDoing::Unknown
    } else if has(&["search", "find", "grep", "glob", "tree"]) {
        McpDoing::Search
    } else {
        McpDoing::Read
    }
}

/// Whether the words say that something is looked at, and nothing else. A verb says so by itself, unless
/// another says more; a noun only beside what it belongs to.
fn only_looks(server: &str, words: &[String]) -> bool {
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let verbs = words.iter().filter(|word| is(word, &READ_VERBS)).count();
    if verbs > 0 {
        // What follows the verb is what it looks at: `get_commit`, `list_builds`.
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

/// `search_replace`, `find_apply`: the last word is what is done with what was found.
fn ends_in_change(words: &[String]) -> bool {
    const AFTER: [&str; 12] = [
        "replace", "apply", "update", "set", "insert", "truncate", "rm", "unlink", "fix",
        "execute", "exec", "run",
    ];
    words.last().is_some_and(|word| AFTER.contains(&word.as_str()))
}

/// Whether the name speaks of files.
pub(super) fn names_files(tool: &str) -> bool {
    const FILES: [&str; 8] =
        ["file", "files", "dir", "directory", "directories", "folder", "folders", "path"];
    words(tool).iter().any(|word| FILES.contains(&word.as_str()))
}

#[cfg(test)]
#[path = "mcp_name_tests.rs"]
mod tests;
