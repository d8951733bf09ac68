//! The rules and the settings of Codex CLI.
//!
//! Source: package `@openai/codex` 0.166.0 and its documentation. Rules files (`.rules`) hold calls
//! of `prefix_rule`, `network_rule` and `host_executable`; of the rules that match a command's
//! first words the strictest decides. `config.toml` says how commands are confined and when a
//! person is asked.

mod config;
mod starlark;

use ringfence_core::Effect;

use super::commands;
use super::difference::Way;
use super::draft::{At, Draft, Of};
use crate::text::{Errors, Format};
use starlark::{Call, Literal, Value};

pub(super) fn read(draft: &mut Draft<'_>) -> Result<(), Errors> {
    match Format::of_path(&**draft.source.name()) {
        Some(Format::Toml) => config::read(draft),
        _ => rules(draft),
    }
}

fn rules(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let text = draft.source.text();
    let calls = starlark::read(text).map_err(|fault| draft.source.refuse(vec![fault]))?;
    for call in &calls {
        draft.rules = draft.rules.saturating_add(1);
        match call.name {
            "prefix_rule" => prefix_rule(draft, call)?,
            "network_rule" => network_rule(draft, call)?,
            "host_executable" => draft.idle(
                call.span,
                "left out: an allow rule knows a program by the file that `PATH` gives",
            ),
            _ => return Err(draft.refuse(call.span, "is no rule that is known")),
        }
    }
    draft.everywhere(
        Way::Narrower,
        "commands that Codex takes for safe are asked about unless a rule names them",
    );
    super::commands_everywhere(draft, "`env`, `timeout`, `nice` and the like");
    Ok(())
}

/// The effect of a decision; the later one decides.
fn effect(draft: &Draft<'_>, call: &Call<'_>) -> Result<(Effect, u32), Errors> {
    match call.get("decision").map(|argument| (&argument.literal, argument.span)) {
        None => Ok((Effect::Allow, 1)),
        Some((Literal::Text(word), span)) => match word.as_str() {
            "allow" => Ok((Effect::Allow, 1)),
            "prompt" => Ok((Effect::Ask, 2)),
            "forbidden" | "deny" => Ok((Effect::Deny, 3)),
            _ => Err(draft.refuse(span, "is no decision: `allow`, `prompt` or `forbidden`")),
        },
        Some((_, span)) => Err(draft.refuse(span, "is no decision: it is no text")),
    }
}

fn prefix_rule(draft: &mut Draft<'_>, call: &Call<'_>) -> Result<(), Errors> {
    let (effect, rank) = effect(draft, call)?;
    let Some(pattern) = call.get("pattern") else {
        return Err(draft.refuse(call.span, "has no `pattern`"));
    };
    let Literal::List(places) = &pattern.literal else {
        return Err(draft.refuse(pattern.span, "is no pattern: it is no list"));
    };
    let mut words: Vec<Vec<&str>> = Vec::new();
    for place in places {
        words.push(alternatives(draft, place)?);
    }
    if words.is_empty() || words.iter().any(Vec::is_empty) {
        return Err(draft.refuse(pattern.span, "names no command"));
    }
    let at = At { span: call.span, rank };
    let carried = match commands::of_choices(&words) {
        Ok(pattern) => draft.rule(effect, &pattern, Of::All, at),
        Err(reason) => {
            draft.lost(effect, call.span, format!("not carried over: {reason}"));
            false
        }
    };
    if let (true, Some(why)) = (carried, call.text("justification"))
        && let Some(last) = draft.found.last_mut()
    {
        last.why = Some(why.to_owned());
    }
    Ok(())
}

/// What may stand at one place of a pattern.
fn alternatives<'v>(draft: &Draft<'_>, place: &'v Value) -> Result<Vec<&'v str>, Errors> {
    let wrong = |span| draft.refuse(span, "is no word: a place is a text or a list of texts");
    match &place.literal {
        Literal::Text(word) => Ok(vec![word]),
        Literal::List(words) => words
            .iter()
            .map(|word| match &word.literal {
                Literal::Text(text) => Ok(text.as_str()),
                _ => Err(wrong(word.span)),
            })
            .collect(),
        Literal::Other => Err(wrong(place.span)),
    }
}

fn network_rule(draft: &mut Draft<'_>, call: &Call<'_>) -> Result<(), Errors> {
    let (effect, rank) = effect(draft, call)?;
    let Some(host) = call.text("host") else {
        return Err(draft.refuse(call.span, "has no `host`"));
    };
    let at = At { span: call.span, rank };
    if draft.rule(effect, &format!("net:{host}"), Of::All, at) {
        let message = "holds for every protocol and port";
        match effect {
            Effect::Allow => draft.wider(call.span, message),
            _ => draft.narrower(call.span, message),
        }
    }
    Ok(())
}
