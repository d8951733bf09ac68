//! `[mcp.servers.NAME]`: whose paths a server's are, and what its process may do.

use std::sync::Arc;

use ringfence_core::{Document, Role};

use super::block;
use super::context::Context;
use super::settings::ignored;
use crate::de::Spanned;
use crate::raw::{PathsWord, RawDocument, RawMcp};

/// What a document says of MCP servers.
#[derive(Debug, Default)]
pub(super) struct Servers {
    /// Those whose paths are another machine's.
    pub(super) remote: Vec<Arc<str>>,
    /// Those whose process is confined, with what it may do.
    pub(super) confined: Vec<(Arc<str>, Document)>,
}

pub(super) fn lower(cx: &mut Context<'_>, mcp: Option<RawMcp>) -> Servers {
    let servers = mcp.and_then(|mcp| mcp.servers).into_iter().flat_map(|servers| servers.0);
    let mut said = Servers::default();
    for (name, server) in servers {
        let name: Arc<str> = name.value.into();
        if let Some(Spanned { value: PathsWord::Remote, span }) = server.paths {
            // It takes paths out of judgement, so only those may say it who grant beyond a project.
            if matches!(cx.role, Role::Organisation | Role::User | Role::Named) {
                said.remote.push(Arc::clone(&name));
            } else {
                ignored(cx, span, "`paths = \"remote\"`");
            }
        }
        let (allow, ask, danger, deny) = (server.allow, server.ask, server.danger, server.deny);
        if allow.is_some() || ask.is_some() || danger.is_some() || deny.is_some() {
            let raw = RawDocument { allow, ask, danger, deny, ..RawDocument::default() };
            let mut document = block::lower(cx, raw).document;
            document.name = cx.name(&format!("[mcp.servers.{name}]"));
            said.confined.push((name, document));
        }
    }
    said
}
