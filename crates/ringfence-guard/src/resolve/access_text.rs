//! Parses a single access, written like a pattern without wildcards: `fs:r:/etc/hosts`.

use ringfence_core::AccessKind;
use ringfence_core::access::{Connect, Extent, FileOp, KeychainEntry, McpItem};
use ringfence_core::net::{Endpoint, HostName};
use ringfence_core::path::Follow;

use super::{Resolver, mcp_tool, tool_named};
use crate::call::McpAction;

impl Resolver<'_> {
    pub(super) fn access_text(&mut self, text: &str) {
        let Some((prefix, rest)) = text.split_once(':') else {
            return self
                .doubt(format!("`{text}` is not an access; write one like `fs:r:/etc/hosts`"));
        };
        match prefix {
            "cmd" => self.command_text(rest),
            "fs" => self.file_text(rest),
            "net" => self.endpoint_text(rest),
            "listen" => match rest.parse() {
                Ok(port) => self.add(AccessKind::Listen(port)),
                Err(_) => self.doubt(format!("`{rest}` is not a port")),
            },
            "sock" => match self.resolve(rest, Follow::Final) {
                Ok(path) => self.add(AccessKind::Socket(path)),
                Err(reason) => self.doubt(reason),
            },
            "env" => self.variable(rest, AccessKind::SetEnv),
            "tool" => self.tool_text(rest),
            "mcp" => self.mcp_text(rest),
            "keychain" => match rest.split_once('/') {
                Some((service, account)) => self.add(AccessKind::Keychain(KeychainEntry {
                    service: service.into(),
                    account: account.into(),
                })),
                None => self.doubt("a keychain entry is written `keychain:SERVICE/ACCOUNT`"),
            },
            _ => self.doubt(format!("`{prefix}` is not a class of accesses")),
        }
    }

    fn command_text(&mut self, rest: &str) {
        let words: Vec<String> = match rest.contains(' ') {
            true => rest.split_whitespace().map(str::to_owned).collect(),
            false => rest.split(':').map(str::to_owned).collect(),
        };
        self.argv(&words, &[]);
    }

    fn file_text(&mut self, rest: &str) {
        let Some((rights, path)) = rest.split_once(':') else {
            return self.doubt("a file access is written `fs:r:PATH`");
        };
        let ops: &[FileOp] = match rights {
            "r" => &[FileOp::Read],
            "w" => &[FileOp::Write],
            "d" => &[FileOp::Delete],
            "rw" => &[FileOp::Read, FileOp::Write],
            _ => return self.doubt(format!("`{rights}` is none of `r`, `w`, `d`, `rw`")),
        };
        let (path, extent) = match path.strip_suffix("/**") {
            Some("") => ("/", Extent::Tree),
            Some(directory) => (directory, Extent::Tree),
            None => (path, Extent::One),
        };
        let root = self.around.context.root.clone();
        let (path, seen_from) = match (path.strip_prefix("@root"), root) {
            (Some(below), Some(root)) => (format!("{root}{below}"), root),
            _ => (path.to_owned(), self.cwd.clone()),
        };
        self.cwd = seen_from;
        for op in ops {
            let follow = if *op == FileOp::Delete { Follow::Parent } else { Follow::Final };
            self.file(*op, extent, &path, follow);
        }
    }

    fn endpoint_text(&mut self, rest: &str) {
        match Endpoint::parse(rest) {
            Ok(Endpoint { host, port: Some(port) }) => self.dial(host, Some(port), None),
            Ok(Endpoint { host, port: None }) => self.any_port(host),
            Err(error) => self.doubt(error),
        }
    }

    fn any_port(&mut self, host: HostName) {
        self.add(AccessKind::Connect(Connect { host, port: None, addresses: Vec::new() }));
    }

    fn tool_text(&mut self, name: &str) {
        self.add(AccessKind::CallTool(tool_named(name)));
    }

    fn mcp_text(&mut self, rest: &str) {
        let Some((server, item)) = rest.split_once('/') else {
            return self.doubt("an MCP access is written `mcp:SERVER/TOOL`");
        };
        let named = |name: &str| McpItem { server: server.into(), item: name.into() };
        self.scope.tool = Some(mcp_tool(server, "item"));
        if let Some(uri) = item.strip_prefix("resource:") {
            self.mcp(server, &McpAction::Resource(uri.to_owned()));
        } else if let Some(prompt) = item.strip_prefix("prompt:") {
            self.add(AccessKind::Prompt(named(prompt)));
        } else if let Some(method) = item.strip_prefix("method:") {
            self.add(AccessKind::Method(named(method)));
        } else {
            self.add(AccessKind::CallTool(mcp_tool(server, item)));
        }
    }
}
