//! Resolves a call to its effects: everything that it would do on this host.
//!
//! This module never decides. Whatever cannot be read with certainty becomes a doubt, which denies the
//! call or asks a person, and never allows it.

mod access_text;
mod arguments;
mod command;
mod connection;
mod file_tool;
mod git_ignored;
mod git_index;
mod git_objects;
mod git_view;
mod harmless;
mod joined_name;
mod key;
mod literal_dirs;
mod mcp;
mod mcp_name;
mod net;
mod patch;
mod relative_args;
mod search;
mod terminal;
mod tool_commands;
mod tool_name;
mod tree_walk;
mod typed_input;
mod value_form;

use std::fmt::Display;
use std::sync::{Arc, OnceLock};

use ringfence_core::access::{
    AccessScope, Connect, Cover, Extent, FileAccess, FileOp, McpItem, ToolName,
};
use ringfence_core::host::Host;
use ringfence_core::net::{Endpoint, HostName, UrlTarget, parse_url};
use ringfence_core::path::{AbsPath, EntryKind, FilePath, Follow};
use ringfence_core::{Access, AccessKind, Context, Doubt, Effects, Policy};
use serde_json::Value;

use crate::call::{Action, Call};
use crate::joined_name::JoinedName;
use tool_name::ToolOperation;

pub(crate) use command::{is_out_of_reach, program_of};
pub(crate) use harmless::is_harmless;
pub(crate) use terminal::line_of;
pub(crate) use tree_walk::look_through;

/// The host, the context and the policy while one call is resolved.
pub(crate) struct Surroundings<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) context: &'a Context,
    pub(crate) policy: &'a Policy,
}

/// Returns all effects of a call.
pub(crate) fn effects(call: &Call, around: &Surroundings<'_>) -> Effects {
    match Resolver::new(call, around) {
        Err(reason) => Doubt::denied(reason).into(),
        Ok(mut resolver) => {
            resolver.action(&call.action);
            resolver.effects
        }
    }
}

/// Returns whether a shell certainly ends in the call's directory after running `line`.
pub(crate) fn stays(call: &Call, line: &str, around: &Surroundings<'_>) -> bool {
    Resolver::new(call, around).is_ok_and(|mut resolver| resolver.stays(line))
}

/// Collects the effects of one call.
struct Resolver<'a> {
    around: &'a Surroundings<'a>,
    cwd: AbsPath,
    scope: AccessScope,
    /// Variables that the tool sets for the commands it runs.
    given: Vec<String>,
    effects: Effects,
}

impl<'a> Resolver<'a> {
    /// Creates a resolver in the call's directory. The error says why that directory is unusable.
    fn new(call: &Call, around: &'a Surroundings<'a>) -> Result<Resolver<'a>, String> {
        let Context { cwd, home, .. } = around.context;
        let cwd = match &call.cwd {
            None => cwd.clone(),
            Some(text) => {
                literal_dirs::directory(around.host, text, cwd, home)
                    .map_err(|error| error.to_string())?
                    .real
            }
        };
        let scope = AccessScope { agent: call.agent.clone(), ..AccessScope::default() };
        // Most calls have few effects.
        let effects = Effects { accesses: Vec::with_capacity(6), doubts: Vec::new() };
        Ok(Resolver { around, cwd, scope, given: Vec::new(), effects })
    }
}

impl Resolver<'_> {
    fn action(&mut self, action: &Action) {
        match action {
            Action::Line { line, shell } => {
                self.enter_tool(terminal());
                self.line(line, shell.as_deref());
            }
            Action::Argv { argv, env } => {
                self.enter_tool(plain_tool("spawn", Some(ToolOperation::RunLine)));
                self.argv(argv, env);
            }
            Action::Tool { name, input } => self.tool(name, input),
            Action::Bookkeeping { name } => {
                self.scope.cover = Cover::NoGrant;
                self.enter_tool(plain_tool(name, None));
            }
            Action::Mcp { server, item } => self.mcp(server, item),
            Action::Joined { name, args } => self.joined(name, args),
            Action::McpConnect { server, how } => self.mcp_connect(server, how),
            Action::Connect { endpoint, ip, sni, host } => {
                self.connect(endpoint, ip.as_deref(), [("TLS", sni), ("the request", host)]);
            }
            Action::Bind { endpoint } => self.bind(endpoint),
            Action::Resolve { name } => match HostName::parse(name) {
                Ok(name) => self.add(AccessKind::Resolve(name)),
                Err(error) => self.doubt(error),
            },
            Action::SetEnv { name } => self.variable(name, AccessKind::SetEnv),
            Action::ReadEnv { name } => self.variable(name, AccessKind::ReadEnv),
            Action::Access { text } => self.access_text(text),
        }
    }

    fn tool(&mut self, name: &str, input: &Value) {
        if let Some(name) = JoinedName::parse_mcp(name) {
            return self.joined(&name, input);
        }
        let operation = tool_name::classify(name);
        self.enter_tool(plain_tool(name, operation));
        let entered = match operation {
            Some(ToolOperation::RunLine | ToolOperation::RunCode) => self.must_be_here(input),
            _ => Ok(()),
        };
        if let Err(reason) = entered.and_then(|()| self.enter_directory(input)) {
            return self.doubt(reason);
        }
        match operation {
            Some(ToolOperation::RunLine) => self.line_tool(input),
            Some(ToolOperation::TypeInput) => self.typed_input(input),
            Some(ToolOperation::RunCode) => {
                self.doubt("code that a tool runs cannot be analysed yet")
            }
            Some(ToolOperation::Fetch) => self.fetch(input),
            Some(ToolOperation::File(operation)) => self.file_tool(operation, input),
            Some(ToolOperation::ReadUri) => self.read_uri(input),
            // An unknown tool may do anything with its arguments.
            None => self.unknown_tool(input),
        }
    }

    /// Adds the call of the tool, and sets the tool as scope of all later accesses.
    fn enter_tool(&mut self, tool: Arc<ToolName>) {
        self.scope.tool = Some(Arc::clone(&tool));
        self.add(AccessKind::CallTool(tool));
    }

    fn variable(&mut self, name: &str, what: fn(Box<str>) -> AccessKind) {
        if name.is_empty() || name.contains(['=', '\0']) {
            self.doubt(format!("`{}` is not a variable name", crate::redact::visible(name)));
        } else {
            self.add(what(name.into()));
        }
    }

    fn add(&mut self, what: AccessKind) {
        self.effects.accesses.push(Access { what, scope: self.scope.clone(), span: None });
    }

    fn doubt(&mut self, reason: impl Display) {
        self.effects.doubts.push(Doubt::denied(reason.to_string()));
    }

    fn resolve(&self, text: &str, follow: Follow) -> Result<FilePath, String> {
        let context = self.around.context;
        let known = [Some(&self.cwd), context.root.as_ref()];
        literal_dirs::file(
            self.around.host,
            text,
            known.into_iter().flatten(),
            &context.home,
            follow,
        )
        .map_err(|error| error.to_string())
    }

    /// Adds a file operation on a path from a tool's arguments.
    fn file(&mut self, op: FileOp, extent: Extent, text: &str, follow: Follow) {
        match self.resolve(text, follow) {
            Ok(path) => self.file_at(op, extent, path),
            Err(reason) => self.doubt(reason),
        }
    }

    fn file_at(&mut self, op: FileOp, extent: Extent, path: FilePath) {
        if self.scope.command.is_none() && path.is_inherited_descriptor() {
            let reason = format!("it is unknown which file `{}` is", path.asked);
            return self.effects.doubts.push(Doubt::asked(reason));
        }
        if path.is_free_device() {
            return;
        }
        let shared = op == FileOp::Write && path.is_shared() && self.scope.command.is_none();
        if shared {
            let reason = format!("`{}` has other names, which a write changes too", path.asked);
            self.effects.doubts.push(Doubt::asked(reason));
        }
        self.add(AccessKind::File(FileAccess { op, extent, path }));
    }

    /// Adds a connection to a URL's host, or a read of a `file:` URL's path.
    fn url(&mut self, text: &str) {
        match parse_url(text) {
            Ok(UrlTarget::Net { endpoint, .. }) => self.dial(endpoint.host, endpoint.port, None),
            Ok(UrlTarget::File(path)) => {
                self.file(FileOp::Read, Extent::One, &path, Follow::Final);
            }
            Err(error) => self.doubt(error),
        }
    }

    /// Adds a connection to a host from an argument whose key names hosts.
    fn address(&mut self, text: &str) {
        match Endpoint::parse(text) {
            Ok(endpoint) => self.dial(endpoint.host, endpoint.port, None),
            // A plain word or a sentence is not a host. A malformed address is a doubt, because a
            // lenient client may accept it.
            Err(_) if text.contains(char::is_whitespace) || !text.contains('.') => {}
            Err(error) => self.doubt(error),
        }
    }

    fn dial(&mut self, host: HostName, port: Option<u16>, ip: Option<std::net::IpAddr>) {
        let known = self.around.host.addresses(&host);
        if known.as_ref().is_some_and(Vec::is_empty) {
            let reason = format!("`{host}` has no address that could be judged");
            self.effects.doubts.push(Doubt::asked(reason));
        }
        let addresses = known.unwrap_or_default().into_iter().chain(ip).collect();
        self.add(AccessKind::Connect(Connect { host, port, addresses }));
    }

    /// Marks later accesses as covered by the grant of the command or MCP tool.
    fn covered(&mut self) {
        self.scope.cover = Cover::ParentGrant;
    }
}

/// Returns whether a tool with this name runs command lines or code.
pub(crate) fn runs_commands(name: &str) -> bool {
    matches!(tool_name::classify(name), Some(ToolOperation::RunLine | ToolOperation::RunCode))
}

/// Returns the tool assumed for a command line without a tool.
fn terminal() -> Arc<ToolName> {
    static TERMINAL: OnceLock<Arc<ToolName>> = OnceLock::new();
    Arc::clone(TERMINAL.get_or_init(|| plain_tool("terminal", Some(ToolOperation::RunLine))))
}

fn plain_tool(name: &str, operation: Option<ToolOperation>) -> Arc<ToolName> {
    Arc::new(ToolName { wire: name.into(), mcp: None, kind: operation.map(ToolOperation::kind) })
}

fn mcp_tool(server: &str, tool: &str) -> Arc<ToolName> {
    Arc::new(ToolName {
        wire: ["mcp__", server, "__", tool].concat().into(),
        mcp: Some(McpItem { server: server.into(), item: tool.into() }),
        kind: None,
    })
}

/// Returns the tool that an agent calls by this name.
pub fn tool_named(name: &str) -> Arc<ToolName> {
    match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        Some((server, tool)) => mcp_tool(server, tool),
        None => plain_tool(name, tool_name::classify(name)),
    }
}

/// Returns how far an operation on a path reaches, given what exists there.
fn extent_of(path: &FilePath) -> Extent {
    match path.kind {
        Some(EntryKind::Dir) => Extent::Tree,
        Some(EntryKind::File | EntryKind::Link | EntryKind::Other) => Extent::One,
        None => Extent::Unknown,
    }
}
