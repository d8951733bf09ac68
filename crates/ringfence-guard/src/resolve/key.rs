//! Classifies the keys of a tool's arguments by what their values mean.

use super::arguments::ArgumentRole;
use super::tool_name::words;

/// The meaning of an argument's key.
#[derive(Debug)]
pub(super) enum Key {
    Role(ArgumentRole),
    /// A directory. Paths in other arguments may be relative to it.
    Place,
    /// A host or a URL, with or without a scheme.
    Address,
    /// A host or a URL, or the name of something else.
    MaybeAddress,
    /// A connection string for a database or a queue.
    Connection,
    FreeText,
    /// A patch and nothing else.
    Patch,
    /// Plain text that may be a patch.
    MaybePatch,
    Other,
}

/// Keys whose value is a patch, and keys whose value may be a patch.
const PATCHES: [&str; 3] = ["patch", "patch_text", "patches"];
const MAYBE_PATCHES: [&str; 2] = ["diff", "command"];

const FREE_TEXT: [&str; 32] = [
    "content",
    "contents",
    "text",
    "query",
    "message",
    "body",
    "description",
    "title",
    "prompt",
    "comment",
    "summary",
    "question",
    "string",
    "str",
    "code",
    "instructions",
    "explanation",
    "reason",
    "note",
    "notes",
    "replacement",
    "command",
    "cmd",
    "script",
    "data",
    "html",
    "markdown",
    "answer",
    "subject",
    "regex",
    "sql",
    "diff",
];
/// If a key ends in one of these words, its value is a directory: `dir` in `cache_dir`.
const PLACES: [&str; 7] = ["dir", "dirs", "directory", "directories", "folder", "folders", "cwd"];
/// If a key begins with one of these words and ends in `path`, its value is a directory: `repo_path`.
const PLACES_BY_PATH: [&str; 7] =
    ["repo", "repository", "root", "base", "project", "workspace", "working"];
/// If a key ends in one of these words, its value is a host or a URL: `host` in `proxy_host`.
const ADDRESSES: [&str; 11] = [
    "url",
    "urls",
    "href",
    "host",
    "hosts",
    "hostname",
    "endpoint",
    "endpoints",
    "webhook",
    "proxy",
    "proxies",
];
/// Last words of keys that may name a host.
const MAYBE_ADDRESSES: [&str; 14] = [
    "server",
    "servers",
    "address",
    "addresses",
    "addr",
    "broker",
    "brokers",
    "upstream",
    "upstreams",
    "gateway",
    "origin",
    "domain",
    "ip",
    "peer",
];
/// Words before `address` that make it a person's address, not a host.
const PEOPLE: [&str; 8] =
    ["email", "mail", "reply", "postal", "billing", "shipping", "street", "wallet"];
/// Suffixes of keys for connection strings.
const CONNECTIONS: [&str; 6] =
    ["connection_string", "connection_strings", "connection", "conn_str", "connstr", "dsn"];
const PATHS: [&str; 17] = [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
    "uri",
    "uris",
    "cwd",
];
const SOURCES: [&str; 6] = ["source", "src", "from", "old", "original", "sources"];
const DESTINATIONS: [&str; 8] =
    ["destination", "dest", "dst", "to", "new", "output", "out", "destinations"];
const GLOBS: [&str; 6] = ["glob", "globs", "include", "includes", "pattern", "patterns"];

impl Key {
    pub(super) fn new(name: &str, free: &[&str]) -> Key {
        let words = words(name);
        let joined = &*words.join("_");
        let last = words.last().map(String::as_str).unwrap_or_default();
        let first = words.first().map(String::as_str).unwrap_or_default();
        Key::of(Words { joined, first, last }, free)
    }

    /// Returns whether the value must be a path. If it is not a string, the call cannot be judged.
    pub(super) fn must_be_text(&self) -> bool {
        matches!(
            self,
            Key::Place
                | Key::Role(ArgumentRole::Path | ArgumentRole::Source | ArgumentRole::Destination)
        )
    }

    fn of(Words { joined, first, last }: Words<'_>, free: &[&str]) -> Key {
        if free.contains(&joined) {
            return Key::FreeText;
        }
        if PATCHES.contains(&joined) {
            return Key::Patch;
        }
        if MAYBE_PATCHES.contains(&joined) {
            return Key::MaybePatch;
        }
        let is_end = |own: &str| {
            joined.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
        };
        if CONNECTIONS.into_iter().any(is_end) {
            return Key::Connection;
        }
        let names_path = PATHS.contains(&last);
        let alone = joined.len() == first.len();
        let part = match first {
            "link" | "linkname" | "symlink" if alone || names_path || last == "name" => {
                ArgumentRole::LinkName
            }
            "target" if alone || names_path => ArgumentRole::Target,
            first if SOURCES.contains(&first) && (alone || names_path || last == "name") => {
                ArgumentRole::Source
            }
            first if DESTINATIONS.contains(&first) && (alone || names_path || last == "name") => {
                ArgumentRole::Destination
            }
            _ if PLACES.contains(&last) => return Key::Place,
            _ if last == "path" && PLACES_BY_PATH.contains(&first) => return Key::Place,
            _ if names_path => ArgumentRole::Path,
            _ if GLOBS.contains(&last) => ArgumentRole::Glob,
            _ if FREE_TEXT.contains(&last) => return Key::FreeText,
            first if ADDRESSES.contains(&last) && first != "no" => return Key::Address,
            first if MAYBE_ADDRESSES.contains(&last) && !PEOPLE.contains(&first) => {
                return Key::MaybeAddress;
            }
            _ => return Key::Other,
        };
        Key::Role(part)
    }
}

/// The words of a name: joined with `_`, the first, and the last.
struct Words<'n> {
    joined: &'n str,
    first: &'n str,
    last: &'n str,
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
