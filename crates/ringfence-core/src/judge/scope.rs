//! Compiled scopes of rules and documents.

use std::sync::Arc;

use super::entry::{EntryKind, Side};
use super::exec_index::ExecIndex;
use super::expand::{Expander, PlacementError};
use crate::access::{Access, AccessKind, ToolName};
use crate::effect::Effect;
use crate::index::TokenTrie;
use crate::path::{AbsPath, PathRules};
use crate::pattern::{CommandPattern, NamePattern};
use crate::rule::{Scope, ToolScope};

/// The compiled scope of a rule or document.
#[derive(Debug)]
pub(super) struct CompiledScope {
    agent: Option<NamePattern>,
    tool: Option<ToolScope>,
    commands: Option<ExecIndex>,
    /// Commands that are excluded from the scope.
    excluded: Option<ExecIndex>,
    side: Side,
    /// Whether the scope belongs to a deny or danger rule, or to an exception.
    objects: bool,
    within: Option<TokenTrie>,
    path_rules: PathRules,
}

impl CompiledScope {
    /// Compiles a scope. `None` means that the scope contains every access.
    pub(super) fn new(
        scope: &Scope,
        (kind, side): (EntryKind, Side),
        expander: &mut Expander<'_>,
    ) -> Result<Option<Box<CompiledScope>>, PlacementError> {
        if *scope == Scope::default() {
            return Ok(None);
        }
        let mut index = |patterns: &Option<Arc<[CommandPattern]>>| match patterns {
            None => Ok(None),
            Some(patterns) => {
                let mut index = ExecIndex::default();
                for pattern in patterns.iter() {
                    index.insert(pattern, (kind, side), 0, expander)?;
                }
                Ok(Some(index))
            }
        };
        let commands = index(&scope.command)?;
        let excluded = index(&scope.unless)?;
        let mut within = scope.within.as_ref().map(|_| TokenTrie::default());
        for pattern in scope.within.iter().flat_map(|patterns| patterns.iter()) {
            let places = expander.places(pattern, side)?;
            if let Some(within) = &mut within {
                places.iter().for_each(|place| within.insert(place.steps(), 0));
            }
        }
        Ok(Some(Box::new(CompiledScope {
            agent: scope.agent.clone(),
            tool: scope.tool.clone(),
            commands,
            excluded,
            side,
            objects: matches!(
                kind,
                EntryKind::Rule(Effect::Deny) | EntryKind::Danger | EntryKind::Except(_)
            ),
            within,
            path_rules: expander.host().path_rules(),
        })))
    }

    /// Returns whether the scope contains the access.
    pub(super) fn contains(&self, access: &Access) -> bool {
        self.admits_agent(access)
            && self.admits_tool(access)
            && (self.objects && access.scope.whole_run
                || self.admits_command(access) && self.admits_directory(access))
    }

    /// Returns whether the scope is limited to agents, and this name is one of theirs.
    pub(super) fn names_agent(&self, name: &str) -> bool {
        self.agent.as_ref().is_some_and(|pattern| pattern.matches(name))
    }

    fn admits_agent(&self, access: &Access) -> bool {
        let Some(pattern) = &self.agent else {
            return true;
        };
        access.scope.agent.as_deref().is_some_and(|agent| pattern.matches(agent))
    }

    fn admits_tool(&self, access: &Access) -> bool {
        let Some(scope) = &self.tool else { return true };
        let Some(tool) = tool(access) else {
            return false;
        };
        match scope {
            ToolScope::Kind(kind) => tool.kind == Some(*kind),
            ToolScope::Name(pattern) => pattern.matches(&tool.wire),
        }
    }

    fn admits_command(&self, access: &Access) -> bool {
        let matches = |index: &ExecIndex| {
            let mut matched = false;
            if let Some(exec) = &access.scope.command {
                index.each_match(exec, self.side, &mut |_| matched = true);
            }
            matched
        };
        self.commands.as_ref().is_none_or(matches) && !self.excluded.as_ref().is_some_and(matches)
    }

    fn admits_directory(&self, access: &Access) -> bool {
        let Some(within) = &self.within else {
            return true;
        };
        let Some(cwd) = directory(access) else {
            return false;
        };
        let cwd = self.path_rules.folded(cwd);
        let mut admitted = false;
        within.each_match(cwd.components(), |_, _| admitted = true);
        admitted
    }
}

/// Returns the tool that performs an access.
pub(super) fn tool(access: &Access) -> Option<&ToolName> {
    match &access.what {
        AccessKind::CallTool(tool) => Some(tool),
        _ => access.scope.tool.as_deref(),
    }
}

/// Returns the working directory of the command that performs an access.
fn directory(access: &Access) -> Option<&AbsPath> {
    match &access.what {
        AccessKind::Exec(exec) => Some(&exec.cwd),
        _ => access.scope.command.as_ref().map(|exec| &exec.cwd),
    }
}
