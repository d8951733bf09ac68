//! mlld's `env`: tools and MCP servers beyond which nothing is called.

use ringfence_core::document::Stance;
use ringfence_core::{Class, Document, Effect, Scope};

use super::context::Context;
use super::lists::{Side, ceiling};
use super::permissions;
use crate::de::Spanned;
use crate::raw::RawEnv;
use crate::text::Span;

/// What an MCP server has beside tools.
const BESIDE_TOOLS: [&str; 3] = ["resource", "prompt", "method"];

/// Every name that does not begin with `mcp__`.
const NOT_MCP: &str = "{[!m]*,m,m[!c]*,mc,mc[!p]*,mcp,mcp[!_]*,mcp_,mcp_[!_]*}";

pub(super) fn lower(cx: &mut Context<'_>, raw: Option<RawEnv>) -> Vec<Document> {
    let Some(raw) = raw else { return Vec::new() };
    let tools = raw.tools.map(|list| tools(cx, list));
    let servers = raw.mcps.map(|list| servers(cx, list));
    let sides = [tools, servers].into_iter().flatten();
    sides.filter_map(|side| ceiling(cx, "env", side)).collect()
}

/// Each tool by its name, also where an MCP server has it.
fn tools(cx: &mut Context<'_>, list: Spanned<Vec<Spanned<String>>>) -> Side {
    let mut side = closed();
    for name in &list.value {
        side.rules.extend(permissions::rule(cx, Effect::Allow, name));
        if !name.value.starts_with("mcp__") {
            allow(cx, &mut side, &format!("mcp:*/{}", name.value), name.span);
        }
    }
    for sort in BESIDE_TOOLS {
        allow(cx, &mut side, &format!("mcp:*/{sort}:*"), list.span);
    }
    side
}

fn servers(cx: &mut Context<'_>, list: Spanned<Vec<Spanned<String>>>) -> Side {
    let mut side = closed();
    for name in &list.value {
        allow(cx, &mut side, &format!("mcp:{}/*", name.value), name.span);
        for sort in BESIDE_TOOLS {
            allow(cx, &mut side, &format!("mcp:{}/{sort}:*", name.value), name.span);
        }
    }
    allow(cx, &mut side, &format!("tool:{NOT_MCP}"), list.span);
    side
}

fn closed() -> Side {
    let stance = Stance { class: Class::Tool, scope: Scope::default() };
    Side { stances: vec![stance], ..Side::default() }
}

fn allow(cx: &mut Context<'_>, side: &mut Side, pattern: &str, span: Span) {
    let text = Spanned { value: pattern.to_owned(), span };
    let pattern = cx.pattern("", &text);
    side.rules.extend(pattern.map(|pattern| cx.rule(Effect::Allow, pattern, span)));
}
