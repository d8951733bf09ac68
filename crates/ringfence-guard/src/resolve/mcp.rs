//! Calls to MCP servers.
//!
//! Only the server knows what its arguments mean. They are judged by every document that has a
//! stance on their class and by all deny and danger rules; with no stance the tool's grant covers
//! them.

use ringfence_core::access::{Extent, FileAccess, FileOp, McpItem};
use ringfence_core::net::is_url;
use ringfence_core::path::{AbsPath, FilePath, Follow};
use ringfence_core::{Access, AccessKind};
use serde_json::Value;

use super::arguments::{Found, Pairs, Part, find, find_in};
use super::form::looks_like_path;
use super::mcp_name::{McpDoing, classify_mcp, names_files};
use super::search::{Whole, leads_out};
use super::tool_commands::commands;
use super::{Resolver, mcp_tool};
use crate::call::McpAction;

impl Resolver<'_> {
    pub(super) fn mcp(&mut self, server: &str, action: &McpAction) {
        if !is_plain_name(server) || server.contains("__") {
            let server = crate::redact::visible(server);
            return self.doubt(format!(
                "`{server}` is no server's name: `__` is where it ends; give the server another"
            ));
        }
        self.mcp_item(server, action);
    }

    /// The same for whatever the server is called.
    pub(super) fn mcp_item(&mut self, server: &str, action: &McpAction) {
        let item = |name: &str| McpItem { server: server.into(), item: name.into() };
        match action {
            McpAction::Tool { name, .. } if !is_plain_name(name) => {
                let name = crate::redact::visible(name);
                self.doubt(format!("`{name}` is no plain name of a tool"));
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

    /// Starting a server runs a program; reaching one connects to it.
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
                None => self.doubt("its arguments are no list of words"),
            }
        }
    }

    fn is_remote(&self, server: &str) -> bool {
        self.around.policy.has_remote_paths(server)
    }

    fn mcp_arguments(&mut self, server: &str, tool: &str, args: &Value) {
        if !matches!(args, Value::Object(_) | Value::Null) {
            return self.doubt("its arguments are no object");
        }
        let doing = classify_mcp(server, tool);
        let pairs = match doing {
            McpDoing::Move | McpDoing::Copy => Pairs::Paths,
            _ => Pairs::Contents,
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
        if let Err(error) = self.see_from_beside(&mut found) {
            return self.doubt(error.0);
        }
        let globs = found.iter().filter(|found| found.part == Part::Glob);
        let globs: Vec<&str> = globs.map(|glob| &*glob.text).collect();
        self.option_values(&found);
        self.patches(&found);
        let paths: Vec<&Found<'_>> = found.iter().filter(|found| found.is_path()).collect();
        match doing {
            McpDoing::Search => self.search(&paths, &globs, Whole::Yes),
            McpDoing::Read => self.each(&paths, &[FileOp::Read]),
            McpDoing::Write => self.each(&paths, &[FileOp::Write]),
            McpDoing::Edit => self.each(&paths, &[FileOp::Read, FileOp::Write]),
            McpDoing::Delete => self.delete_each(&paths),
            McpDoing::Move => self.mcp_transfer(&paths, &[FileOp::Read, FileOp::Delete]),
            McpDoing::Copy => self.mcp_transfer(&paths, &[FileOp::Read]),
            McpDoing::Unknown => self.unknown_operation(server, tool, &paths),
        }
        // Without a path beside it, `pattern` need not be a shape of paths at all.
        let is_shape = |glob: &&str| {
            !paths.is_empty() || leads_out(glob) || glob.contains('/') || names_files(tool)
        };
        let shapes: Vec<&str> = globs.into_iter().filter(is_shape).collect();
        if doing != McpDoing::Search && !shapes.is_empty() {
            self.shapes(&paths, &shapes, doing.ops());
        }
    }

    /// A move or copy whose ends no key tells apart touches every path in every way it can.
    fn mcp_transfer(&mut self, paths: &[&Found<'_>], source_ops: &[FileOp]) {
        let is_end = |found: &&Found<'_>| matches!(found.part, Part::Destination | Part::Target);
        if paths.iter().any(is_end) && !paths.iter().all(is_end) {
            self.transfer(paths, source_ops);
        } else {
            // Any of them may be the source.
            let ops = source_ops.iter().copied().chain([FileOp::Write]).collect::<Vec<_>>();
            self.each(paths, &ops);
        }
    }

    /// An operation that no word of its name explains passes only where it was named.
    fn unknown_operation(&mut self, server: &str, tool: &str, paths: &[&Found<'_>]) {
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
            self.doubt(format!("what `{tool}` does with a path cannot be told by its name"));
        }
        self.each(paths, &[FileOp::Read, FileOp::Write]);
    }

    /// A tool of no known kind: judged by its name, and by every path, URL, patch and command that
    /// it is given.
    pub(super) fn unknown_tool(&mut self, input: &Value) {
        let read = find(input, &[]).and_then(|mut found| {
            self.see_from_beside(&mut found)?;
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
                Part::Url | Part::Host | Part::Patch => {}
                Part::Glob if !leads_out(&found.text) => {}
                Part::Glob => self.shapes(&[], &[&found.text], &[FileOp::Read, FileOp::Write]),
                _ => self.each(&[&found], &[FileOp::Read, FileOp::Write]),
            }
        }
    }
}

/// Returns whether a name is one that a server may give to itself or to a tool: letters, digits and
/// signs that no reader takes for a path, a blank or the end of a line.
fn is_plain_name(name: &str) -> bool {
    const LONGEST: usize = 1024;
    let is_plain = |c: char| c.is_alphanumeric() || "_-.:/@+".contains(c);
    let is_step = |part: &str| matches!(part, "" | "." | "..");
    !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(is_plain)
        && !name.split('/').any(is_step)
}
