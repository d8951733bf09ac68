//! Resolves calls to MCP servers.
//!
//! Only the server knows what its arguments mean. They are judged by every document with a stance
//! on their class, and by all deny and danger rules. Without a stance, the grant of the tool covers
//! them.

use ringfence_core::access::{Extent, FileAccess, FileOp, McpItem};
use ringfence_core::net::is_url;
use ringfence_core::path::{AbsPath, FilePath, Follow};
use ringfence_core::{Access, AccessKind};
use serde_json::Value;

use super::arguments::{ArgumentRole, FoundArgument, PathKeyValue, find, find_in};
use super::mcp_name::{McpOperation, classify_mcp, names_files};
use super::search::{WholeDirectory, leads_out};
use super::tool_commands::commands;
use super::value_form::looks_like_path;
use super::{Resolver, mcp_tool};
use crate::call::McpAction;

impl Resolver<'_> {
    pub(super) fn mcp(&mut self, server: &str, action: &McpAction) {
        if !is_plain_name(server) || server.contains("__") {
            let server = crate::redact::visible(server);
            return self.doubt(format!(
                "`{server}` is not a valid server name, because `__` ends a server's name; rename the server"
            ));
        }
        self.mcp_item(server, action);
    }

    /// Resolves an item of a server without checking the server's name.
    pub(super) fn mcp_item(&mut self, server: &str, action: &McpAction) {
        let item = |name: &str| McpItem { server: server.into(), item: name.into() };
        match action {
            McpAction::Tool { name, .. } if !is_plain_name(name) => {
                let name = crate::redact::visible(name);
                self.doubt(format!("`{name}` is not a valid tool name"));
            }
            McpAction::Tool { name, args } => {
                self.enter_tool(mcp_tool(server, name));
                self.covered();
                self.mcp_arguments(server, name, args);
            }
            McpAction::Resource(uri) => {
                self.scope.tool = Some(mcp_tool(server, "resource"));
                self.add(AccessKind::Resource(item(uri)));
                self.covered();
                if is_url(uri) && !self.is_remote(server) {
                    self.url(uri);
                } else if looks_like_path(uri) && !self.is_remote(server) {
                    self.file(FileOp::Read, Extent::One, uri, Follow::Final);
                }
            }
            McpAction::Prompt(name) => {
                self.scope.tool = Some(mcp_tool(server, "prompt"));
                self.add(AccessKind::Prompt(item(name)));
            }
            McpAction::Method(name) => {
                self.scope.tool = Some(mcp_tool(server, "method"));
                self.add(AccessKind::Method(item(name)));
            }
        }
    }

    /// Resolves the start of a server process, or the connection to a remote server.
    pub(super) fn mcp_connect(&mut self, server: &str, how: &Value) {
        let item = McpItem { server: server.into(), item: "initialize".into() };
        self.scope.tool = Some(mcp_tool(server, "method"));
        self.add(AccessKind::Method(item));
        for url in ["url", "uri", "endpoint"].iter().filter_map(|key| how.get(key)?.as_str()) {
            self.url(url);
        }
        let command = match how.get("command") {
            Some(Value::Array(words)) => words.iter().collect(),
            Some(Value::Null) | None => Vec::new(),
            Some(command) => vec![command],
        };
        if !command.is_empty() {
            let args = how.get("args").and_then(Value::as_array);
            let words = command.into_iter().chain(args.into_iter().flatten());
            let words: Option<Vec<String>> =
                words.map(|word| word.as_str().map(str::to_owned)).collect();
            let env = how.get("env").and_then(Value::as_object);
            let names = env.into_iter().flatten().map(|(name, _)| (name.clone(), String::new()));
            match words {
                Some(words) => self.argv(&words, &names.collect::<Vec<_>>()),
                None => self.doubt("its arguments are not a list of strings"),
            }
        }
    }

    fn is_remote(&self, server: &str) -> bool {
        self.around.policy.has_remote_paths(server)
    }

    fn mcp_arguments(&mut self, server: &str, tool: &str, args: &Value) {
        if !matches!(args, Value::Object(_) | Value::Null) {
            return self.doubt("its arguments are not an object");
        }
        let operation = classify_mcp(server, tool);
        let pairs = match operation {
            McpOperation::Move | McpOperation::Copy => PathKeyValue::Paths,
            _ => PathKeyValue::Contents,
        };
        let mut found = match find_in(args, &[], pairs) {
            Ok(found) => found,
            Err(error) => return self.doubt(error.0),
        };
        self.mcp_commands(args, self.is_remote(server));
        self.hosts(&found);
        if self.is_remote(server) {
            return;
        }
        if let Err(error) = self.add_relative_readings(&mut found) {
            return self.doubt(error.0);
        }
        let globs = found.iter().filter(|found| found.part == ArgumentRole::Glob);
        let globs: Vec<&str> = globs.map(|glob| &*glob.text).collect();
        self.option_values(&found);
        self.patches(&found);
        let paths: Vec<&FoundArgument<'_>> = found.iter().filter(|found| found.is_path()).collect();
        match operation {
            McpOperation::Search => self.search(&paths, &globs, WholeDirectory::Yes),
            McpOperation::Read => self.each(&paths, &[FileOp::Read]),
            McpOperation::Write => self.each(&paths, &[FileOp::Write]),
            McpOperation::Edit => self.each(&paths, &[FileOp::Read, FileOp::Write]),
            McpOperation::Delete => self.delete_each(&paths),
            McpOperation::Move => self.mcp_transfer(&paths, &[FileOp::Read, FileOp::Delete]),
            McpOperation::Copy => self.mcp_transfer(&paths, &[FileOp::Read]),
            McpOperation::Unknown => self.unknown_operation(server, tool, &paths),
        }
        // Without a path or another sign of files, `pattern` may not be a glob for paths.
        let is_shape = |glob: &&str| {
            !paths.is_empty() || leads_out(glob) || glob.contains('/') || names_files(tool)
        };
        let shapes: Vec<&str> = globs.into_iter().filter(is_shape).collect();
        if operation != McpOperation::Search && !shapes.is_empty() {
            self.shapes(&paths, &shapes, operation.ops());
        }
    }

    /// Adds a move or copy. If no key tells source from destination, every path counts as both.
    fn mcp_transfer(&mut self, paths: &[&FoundArgument<'_>], source_ops: &[FileOp]) {
        let is_end = |found: &&FoundArgument<'_>| {
            matches!(found.part, ArgumentRole::Destination | ArgumentRole::Target)
        };
        if paths.iter().any(is_end) && !paths.iter().all(is_end) {
            self.transfer(paths, source_ops);
        } else {
            // Every path may be the source.
            let ops = source_ops.iter().copied().chain([FileOp::Write]).collect::<Vec<_>>();
            self.each(paths, &ops);
        }
    }

    /// Adds an operation whose name has no known verb. It passes only if a rule names the tool
    /// itself.
    fn unknown_operation(&mut self, server: &str, tool: &str, paths: &[&FoundArgument<'_>]) {
        if paths.is_empty() {
            return;
        }
        let policy = self.around.policy;
        let somewhere = FileAccess {
            op: FileOp::Read,
            extent: Extent::One,
            path: FilePath::named(AbsPath::root()),
        };
        let somewhere =
            Access { what: AccessKind::File(somewhere), scope: self.scope.clone(), span: None };
        let named = policy.names_tool(&mcp_tool(server, tool));
        if policy.has_stance(&somewhere) && !named {
            self.doubt(format!("the name `{tool}` does not show what the tool does with a path"));
        }
        self.each(paths, &[FileOp::Read, FileOp::Write]);
    }

    /// Resolves a tool of an unknown kind: by its name, and by every path, URL, patch and command
    /// in its arguments.
    pub(super) fn unknown_tool(&mut self, input: &Value) {
        let read = find(input, &[]).and_then(|mut found| {
            self.add_relative_readings(&mut found)?;
            Ok((found, commands(input)?))
        });
        let (found, commands) = match read {
            Ok(read) => read,
            Err(error) => return self.doubt(error.0),
        };
        self.covered();
        self.patches(&found);
        self.tool_commands(&commands);
        self.hosts(&found);
        for found in found {
            match found.part {
                ArgumentRole::Url | ArgumentRole::Host | ArgumentRole::Patch => {}
                ArgumentRole::Glob if !leads_out(&found.text) => {}
                ArgumentRole::Glob => {
                    self.shapes(&[], &[&found.text], &[FileOp::Read, FileOp::Write])
                }
                _ => self.each(&[&found], &[FileOp::Read, FileOp::Write]),
            }
        }
    }
}

/// Returns whether a name has only letters, digits and harmless punctuation, so that nobody can
/// mistake it for a path, a space or a line end.
fn is_plain_name(name: &str) -> bool {
    const LONGEST: usize = 1024;
    let is_plain = |c: char| c.is_alphanumeric() || "_-.:/@+".contains(c);
    let is_step = |part: &str| matches!(part, "" | "." | "..");
    !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(is_plain)
        && !name.split('/').any(is_step)
}
