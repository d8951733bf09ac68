//! `[mcp.servers.NAME]`: whose paths a server's are, and what its process may do.

use std::sync::Arc;

use ringfence_core::{Document, McpServer, Role};

use super::block;
use super::context::Context;
use super::settings::ignored;
use crate::de::Spanned;
use crate::raw::{PathsWord, RawDocument, RawMcp};

/// What a document says of MCP servers.
#[derive(Debug, Default)]
pub(super) struct Servers {
    /// Whether questions may be put to the client.
    pub(super) elicitation: Option<bool>,
    /// The servers that have a section.
    pub(super) named: Vec<McpServer>,
    /// Those whose process is confined, with what it may do.
    pub(super) confined: Vec<(Arc<str>, Document)>,
}

pub(super) fn lower(cx: &mut Context<'_>, mcp: Option<RawMcp>) -> Servers {
    let mut said = Servers::default();
    let Some(mcp) = mcp else { return said };
    said.elicitation = mcp.elicitation.and_then(|Spanned { value, span }| {
        // It lets the agent's side answer, so only those may say it who answer for the agent.
        if value && !is_answerable(cx.role) {
            ignored(cx, span, "`elicitation = true`");
            return None;
        }
        Some(value)
    });
    for (name, server) in mcp.servers.into_iter().flat_map(|servers| servers.0) {
        let name: Arc<str> = name.value.into();
        let mut is_remote = false;
        if let Some(Spanned { value: PathsWord::Remote, span }) = server.paths {
            // It takes paths out of judgement, so only those may say it who grant beyond a project.
            is_remote = is_answerable(cx.role);
            if !is_remote {
                ignored(cx, span, "`paths = \"remote\"`");
            }
        }
        let (allow, ask, danger, deny) = (server.allow, server.ask, server.danger, server.deny);
        let is_confined = allow.is_some() || ask.is_some() || danger.is_some() || deny.is_some();
        if is_remote || is_confined {
            said.named.push(McpServer { name: Arc::clone(&name), is_remote });
        }
        if is_confined {
            let raw = RawDocument { allow, ask, danger, deny, ..RawDocument::default() };
            let mut document = block::lower(cx, raw).document;
            document.name = cx.name(&format!("[mcp.servers.{name}]"));
            said.confined.push((name, document));
        }
    }
    said
}

/// Whether a document of this role may take something out of judgement.
fn is_answerable(role: Role) -> bool {
    matches!(role, Role::Organisation | Role::User | Role::Named)
}
