//! What documents mean: every notation lowered to the rules that the judge knows.
//!
//! Nothing is decided here. What cannot be lowered is a fault of the whole document.

mod agents;
mod block;
mod commands;
mod context;
mod env;
mod files;
mod grants;
mod keychain;
mod lists;
mod meet;
mod nested;
mod permissions;
mod programs;
mod rule;
mod sandbox;
mod servers;
mod settings;
mod tests_of;
mod tool_words;
mod tools;

#[cfg(test)]
pub(crate) use programs::flatten;
pub use tests_of::{PolicyTest, TestCall};

use std::sync::Arc;

use ringfence_core::{Document, Role};

use crate::de::Spanned;
use crate::raw::RawDocument;
use crate::text::{Diagnostic, Errors, Fault, Source};
use context::Context;

/// A document's own content, before anything that it extends is taken in.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) title: Option<String>,
    pub(crate) document: Document,
    pub(crate) ceilings: Vec<Document>,
    pub(crate) tests: Vec<PolicyTest>,
    pub(crate) extends: Vec<Spanned<String>>,
    pub(crate) servers: Vec<(Arc<str>, Document)>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Lowers a document as it was written; `faults` is what is known to be wrong with it.
pub(crate) fn lower(
    source: &Source,
    mut raw: RawDocument,
    role: Role,
    faults: Vec<Fault>,
) -> Result<Part, Errors> {
    let mut cx = Context::new(source, role);
    settings::check_schema(&mut cx, raw.schema.take());
    let title = raw.name.take();
    let extends = raw.extends.take().unwrap_or_default();
    let tests = tests_of::lower(&mut cx, raw.test.take().unwrap_or_default());
    let mcp = raw.mcp.take();
    let agents = raw.agents.take();
    let (sandbox, limits) = (raw.sandbox.take(), raw.limits.take());
    let hooks = raw.hooks.take();
    let mut bad = Vec::new();
    let programs = programs::lower(raw.programs.take(), role, &mut bad);
    bad.into_iter().for_each(|fault| cx.fault(fault));
    let mut lowered = block::lower(&mut cx, raw);
    sandbox::lower(&mut cx, sandbox, limits, &mut lowered.document.settings);
    lowered.document.settings.hooks = settings::hooks(&mut cx, hooks);
    if let Some(agents) = agents {
        lowered.ceilings.extend(agents::lower(&mut cx, agents));
    }
    lowered.document.programs = programs;
    let servers = servers::lower(&mut cx, mcp);
    lowered.document.settings.elicitation = servers.elicitation;
    lowered.document.servers = servers.named;
    let warnings = cx.finish(faults)?;
    Ok(Part {
        title,
        document: lowered.document,
        ceilings: lowered.ceilings,
        tests,
        extends,
        servers: servers.confined,
        warnings,
    })
}
