//! `[tools.X]`: tools with the paths they may touch.

use ringfence_core::document::Stance;
use ringfence_core::pattern::{CommandPattern, NamePattern, PathPattern, Rights};
use ringfence_core::rule::{ToolKind, ToolScope};
use ringfence_core::{Class, Effect, Pattern, Rule, Scope};

use super::block::Lowered;
use super::context::Context;
use super::lists::{Side, ceiling};
use super::tool_words;
use crate::de::Spanned;
use crate::raw::RawTool;
use crate::text::Span;

pub(super) fn lower(
    cx: &mut Context<'_>,
    name: &Spanned<String>,
    tool: RawTool,
    out: &mut Lowered,
) {
    let Some(tools) = tool_words::scope(cx, name) else { return };
    let scope = Scope { tool: Some(tools.clone()), ..Scope::default() };
    if let Some(enabled) = &tool.enabled {
        enable(cx, enabled, &scope, out);
    }
    if let Some(flag) = &tool.allow_metacharacters {
        metacharacters(cx, flag, &tools, out);
    }
    let denied = tool.denied_paths.iter().flatten();
    let denied: Vec<Rule> =
        denied.flat_map(|path| at_and_below(cx, Effect::Deny, Rights::READ_WRITE, path)).collect();
    out.document.rules.extend(scoped(denied, &scope));
    path_lists(cx, name, tool, &scope, out);
}

/// `enabled` grants or denies the tool, and for `terminal` every command where nobody has command
/// rules.
fn enable(cx: &Context<'_>, enabled: &Spanned<bool>, scope: &Scope, out: &mut Lowered) {
    let effect = if enabled.value { Effect::Allow } else { Effect::Deny };
    let any_tool = cx.rule(effect, Pattern::Tool(NamePattern::any()), enabled.span);
    out.document.rules.extend(scoped(vec![any_tool], scope));
    if enabled.value && scope.tool == Some(ToolScope::Kind(ToolKind::Terminal)) {
        let any_command = CommandPattern::parse("*").map(Pattern::Command).ok();
        let rules = any_command.map(|pattern| cx.rule(Effect::Allow, pattern, enabled.span));
        out.document.fallback.extend(scoped(rules.into_iter().collect(), scope));
    }
}

fn metacharacters(
    cx: &mut Context<'_>,
    flag: &Spanned<bool>,
    tools: &ToolScope,
    out: &mut Lowered,
) {
    if *tools != ToolScope::Kind(ToolKind::Terminal) {
        cx.misplaced(flag.span, "allow_metacharacters", "has a meaning only for `terminal`");
    } else if cx.of_agent {
        cx.misplaced(flag.span, "allow_metacharacters", "cannot be said of one agent");
    } else {
        out.document.settings.allow_metacharacters = Some(flag.value);
    }
}

/// The lists grant their paths within the tool, and are a ceiling for it.
fn path_lists(
    cx: &mut Context<'_>,
    name: &Spanned<String>,
    tool: RawTool,
    scope: &Scope,
    out: &mut Lowered,
) {
    let only_writes = tool.allowed_paths.is_none() && tool.allowed_read_paths.is_none();
    let lists = [
        (Rights::READ_WRITE, tool.allowed_paths),
        (Rights::READ, tool.allowed_read_paths),
        (Rights::WRITE, tool.allowed_write_paths),
    ];
    let place = lists.iter().find_map(|(_, list)| Some(list.as_ref()?.span));
    let Some(place) = place else { return };
    let given = lists.into_iter().filter_map(|(rights, list)| Some((rights, list?.value)));
    let mut rules = Vec::new();
    for (rights, list) in given {
        let paths = list.iter();
        rules.extend(paths.flat_map(|path| at_and_below(cx, Effect::Allow, rights, path)));
    }
    let rules: Vec<Rule> = scoped(rules, scope).collect();
    out.document.rules.extend(rules.iter().cloned());
    let stances = vec![Stance { class: Class::Files, scope: scope.clone() }];
    let mut side = Side { rules, stances, ..Side::default() };
    if only_writes {
        // A list of writable paths alone says nothing about reading.
        side.rules.extend(scoped(any_read(cx, place).into_iter().collect(), scope));
    }
    out.ceilings.extend(ceiling(cx, &format!("[tools.{}]", name.value), side));
}

fn any_read(cx: &Context<'_>, span: Span) -> Option<Rule> {
    let anywhere = PathPattern::parse("**").ok()?;
    Some(cx.rule(Effect::Allow, Pattern::File(Rights::READ, anywhere), span))
}

/// A path itself and all below it.
fn at_and_below(
    cx: &mut Context<'_>,
    effect: Effect,
    rights: Rights,
    path: &Spanned<String>,
) -> Vec<Rule> {
    // `/tmp/` is the directory as well as what it holds.
    let value = match path.value.trim_end_matches('/') {
        "" => path.value.clone(),
        trimmed => trimmed.to_owned(),
    };
    let text = Spanned { value, span: path.span };
    let Some(at) = cx.parsed(&text, PathPattern::parse) else { return Vec::new() };
    let below = at.and_below();
    let mut paths = vec![at];
    if paths.first() != Some(&below) {
        paths.push(below);
    }
    let span = path.span;
    let rule = |path| cx.rule(effect, Pattern::File(rights, path), span);
    paths.into_iter().map(rule).collect()
}

fn scoped(rules: Vec<Rule>, scope: &Scope) -> impl Iterator<Item = Rule> {
    rules.into_iter().map(move |rule| Rule { scope: scope.clone(), ..rule })
}
