//! What a document says apart from rules.

use ringfence_core::{Document, Effect, HookShell, Hooks, Mode, Role, UnlistedCalls};

use super::context::Context;
use super::permissions::effect;
use crate::de::Spanned;
use crate::raw::{AnswererWord, GrantWord, HookShellWord, ModeWord, RawHooks, RawSecurity};
use crate::text::{Fault, Span};

/// The version of the form that is read.
const SCHEMA: i64 = 1;

pub(super) fn check_schema(cx: &mut Context<'_>, schema: Option<Spanned<i64>>) {
    if let Some(Spanned { value, span }) = schema
        && value != SCHEMA
    {
        let message = format!("schema {value} is not known");
        cx.fault(Fault::new(span, message).hint(format!("this version reads schema {SCHEMA}")));
    }
}

pub(super) fn lower(
    cx: &mut Context<'_>,
    security: Option<RawSecurity>,
    mode: Option<Spanned<ModeWord>>,
    document: &mut Document,
) {
    document.settings.mode = mode.and_then(|mode| self::mode(cx, mode));
    let Some(security) = security else { return };
    if cx.of_agent {
        refuse_for_agent(cx, &security);
    }
    for text in &security.universal_deny_domains {
        let pattern = cx.pattern("net:", text);
        document.rules.extend(pattern.map(|host| cx.rule(Effect::Deny, host, text.span)));
    }
    let settings = &mut document.settings;
    settings.unanalysable = security.unanalysable.map(|answer| effect(answer.value));
    settings.unknown_operands = security.unknown_operands.map(|answer| effect(answer.value));
    settings.reveal_roots = security.reveal_roots.map(|flag| flag.value);
    let words = security.dangerously_grant.into_iter().flat_map(|words| words.value);
    settings.dangerously_grant.extend(words.map(|word| grant_word(word.value).to_owned()));
    if !cx.of_agent {
        cx.granted = settings.dangerously_grant.clone();
    }
}

/// `observe` counts only where the people who answer for the machine say it.
fn mode(cx: &mut Context<'_>, mode: Spanned<ModeWord>) -> Option<Mode> {
    match mode.value {
        ModeWord::Enforce => Some(Mode::Enforce),
        ModeWord::Observe if matches!(cx.role, Role::Organisation | Role::User) => {
            Some(Mode::Observe)
        }
        ModeWord::Observe => {
            ignored(cx, mode.span, "`mode = \"observe\"`");
            None
        }
    }
}

fn refuse_for_agent(cx: &mut Context<'_>, security: &RawSecurity) {
    let places = [
        ("unanalysable", security.unanalysable.as_ref().map(|value| value.span)),
        ("unknown_operands", security.unknown_operands.as_ref().map(|value| value.span)),
        ("reveal_roots", security.reveal_roots.as_ref().map(|value| value.span)),
        ("dangerously_grant", security.dangerously_grant.as_ref().map(|value| value.span)),
    ];
    for (key, place) in places {
        if let Some(span) = place {
            cx.misplaced(span, key, "cannot be said of one agent");
        }
    }
}

/// What hooks do with questions.
pub(super) fn hooks(cx: &mut Context<'_>, raw: Option<RawHooks>) -> Hooks {
    let raw = raw.unwrap_or_default();
    let unlisted = raw.unlisted.and_then(|Spanned { value, span }| match value {
        AnswererWord::Ask => Some(UnlistedCalls::Ask),
        // It takes questions away from people, so only those may say it who answer for them.
        AnswererWord::Agent if matches!(cx.role, Role::Organisation | Role::User | Role::Named) => {
            Some(UnlistedCalls::Agent)
        }
        AnswererWord::Agent => {
            ignored(cx, span, "`unlisted = \"agent\"`");
            None
        }
    });
    let shell = raw.shell.and_then(|Spanned { value, span }| match value {
        HookShellWord::Ask => Some(HookShell::Ask),
        // In a fence fewer things are asked, so only a person's own documents may say it.
        HookShellWord::Fence if matches!(cx.role, Role::Untrusted) => {
            ignored(cx, span, "`shell = \"fence\"`");
            None
        }
        HookShellWord::Fence => Some(HookShell::Fence),
    });
    Hooks { unlisted, wait: raw.wait.map(|wait| wait.value), shell }
}

pub(super) fn ignored(cx: &mut Context<'_>, span: Span, what: &str) {
    let message = format!("{what} does not count in a {} policy", cx.role.as_str());
    let hint = "say it in the user's or the organisation's policy";
    cx.warn(Fault::new(span, message).hint(hint));
}

fn grant_word(word: GrantWord) -> &'static str {
    match word {
        GrantWord::Sudo => "sudo",
        GrantWord::Doas => "doas",
        GrantWord::Python => "python",
    }
}
