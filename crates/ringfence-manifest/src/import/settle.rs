//! From ranks to the order that the judge knows.
//!
//! There a deny always wins, and an allow outranks an ask only where it is narrower. So a rule that
//! never decides is left out, a deny makes room for what outranks it, and where two rules meet
//! without one holding the other, the stricter answer is taken and that is said.

use ringfence_core::inclusion::{includes, overlaps, scope_includes};
use ringfence_core::pattern::{CommandAlternative, Rights, Token};
use ringfence_core::rule::ToolKind;
use ringfence_core::{Class, Effect, Pattern};

use super::difference::Way;
use super::draft::{Draft, Found, Of};
use crate::text::Span;

/// Puts the rules in the judge's order.
pub(super) fn settle(draft: &mut Draft<'_>) {
    let mut rules = std::mem::take(&mut draft.found);
    say_once(&mut rules);
    leave_out_idle(draft, &mut rules);
    lowest(draft, &mut rules);
    make_room(draft, &mut rules);
    tell_stricter(draft, &rules);
    draft.found = rules;
    let names_tools =
        |rule: &Found| matches!(rule.pattern, Pattern::Tool(_)) && rule.effect != Effect::Deny;
    if draft.found.iter().any(names_tools) {
        // A document that grants tools by name would otherwise grant no others.
        for kind in [ToolKind::Terminal, ToolKind::File, ToolKind::Web] {
            draft.without_rule(Effect::Allow, "tool:*", Of::Kind(kind));
        }
    }
}

/// Whether every access that `inner` decides `outer` would decide as well.
fn covers(outer: &Found, inner: &Found) -> bool {
    rights_cover(&outer.pattern, &inner.pattern)
        && !apart(&outer.pattern, &inner.pattern)
        && scope_includes(&outer.scope, &inner.scope)
        && includes(&outer.pattern, &inner.pattern)
}

/// Whether some access may be decided by both.
fn meet(one: &Found, two: &Found) -> bool {
    let scopes = one.scope == two.scope
        || scope_includes(&one.scope, &two.scope)
        || scope_includes(&two.scope, &one.scope);
    scopes
        && rights_meet(&one.pattern, &two.pattern)
        && !apart(&one.pattern, &two.pattern)
        && overlaps(&one.pattern, &two.pattern)
}

/// Whether two patterns on commands name different programs: cheaper to tell than all the rest.
fn apart(one: &Pattern, two: &Pattern) -> bool {
    let (Pattern::Command(one), Pattern::Command(two)) = (one, two) else { return false };
    let program = |alternative: &CommandAlternative| match alternative.tokens.first() {
        Some(Token::Literal(word)) => Some(word.clone()),
        _ => None,
    };
    one.alternatives().iter().all(|one| {
        let own = program(one);
        own.is_some()
            && two.alternatives().iter().map(program).all(|two| two.is_some() && two != own)
    })
}

fn rights(pattern: &Pattern) -> Option<Rights> {
    match pattern {
        Pattern::File(rights, _) => Some(*rights),
        _ => None,
    }
}

fn rights_cover(outer: &Pattern, inner: &Pattern) -> bool {
    match (rights(outer), rights(inner)) {
        (Some(outer), Some(inner)) => {
            (!inner.read || outer.read)
                && (!inner.write || outer.write)
                && (!inner.delete || outer.delete || outer.write)
        }
        (None, None) => true,
        _ => false,
    }
}

fn rights_meet(one: &Pattern, two: &Pattern) -> bool {
    match (rights(one), rights(two)) {
        (Some(one), Some(two)) => {
            let writes = |rights: Rights| rights.write || rights.delete;
            (one.read && two.read) || (writes(one) && writes(two))
        }
        (None, None) => true,
        _ => false,
    }
}

/// Leaves out what a rule of higher rank always decides.
fn leave_out_idle(draft: &mut Draft<'_>, rules: &mut Vec<Found>) {
    let idle: Vec<bool> = rules
        .iter()
        .map(|rule| {
            rules.iter().any(|other| {
                let rank = (other.rank, other.effect);
                rank > (rule.rank, rule.effect)
                    && other.effect != rule.effect
                    && covers(other, rule)
            })
        })
        .collect();
    let live = |span| {
        let mut rules = rules.iter().zip(&idle);
        rules.any(|(rule, idle)| rule.span == Some(span) && !*idle)
    };
    let silent: Vec<Span> = rules
        .iter()
        .zip(&idle)
        .filter_map(|(rule, idle)| rule.span.filter(|span| *idle && !live(*span)))
        .collect();
    for span in silent {
        draft.idle(span, "left out: another rule always decides before it");
    }
    let mut at = idle.iter();
    rules.retain(|_| !at.next().copied().unwrap_or(false));
}

/// Leaves out a rule that another of higher rank says again.
fn say_once(rules: &mut Vec<Found>) {
    let all = rules.clone();
    let mut at = 0usize;
    rules.retain(|rule| {
        at = at.saturating_add(1);
        let again = |(place, other): (usize, &Found)| {
            (other.rank, place) > (rule.rank, at.saturating_sub(1))
                && other.effect == rule.effect
                && other.pattern == rule.pattern
                && other.scope == rule.scope
        };
        if !all.iter().enumerate().any(again) {
            return true;
        }
        // A rule in between may decide otherwise; what the lower one says would then be missed.
        all.iter()
            .any(|other| other.effect != rule.effect && other.rank > rule.rank && meet(other, rule))
    });
}

/// Lets what outranks a deny through it.
fn make_room(draft: &mut Draft<'_>, rules: &mut [Found]) {
    let others: Vec<Found> = rules.to_vec();
    for rule in rules.iter_mut().filter(|rule| rule.effect == Effect::Deny) {
        let above = others.iter().filter(|other| {
            other.rank > rule.rank && other.effect != Effect::Deny && meet(other, rule)
        });
        let mut except: Vec<Pattern> = Vec::new();
        for other in above {
            if other.scope == rule.scope && other.pattern.class() == rule.pattern.class() {
                let exception = with_rights_of(&other.pattern, &rule.pattern);
                if !except.contains(&exception) {
                    except.push(exception);
                }
            } else if let Some(span) = other.span {
                draft.narrower(span, "refused where a rule that it outranks denies");
            }
        }
        rule.except = except;
    }
}

/// An exception has the rights of what it is taken from.
fn with_rights_of(exception: &Pattern, of: &Pattern) -> Pattern {
    match (exception, of) {
        (Pattern::File(_, path), Pattern::File(rights, _)) => Pattern::File(*rights, path.clone()),
        (exception, _) => exception.clone(),
    }
}

/// Tells where an allow meets an ask that it outranks without being narrower.
fn tell_stricter(draft: &mut Draft<'_>, rules: &[Found]) {
    for allow in rules.iter().filter(|rule| rule.effect == Effect::Allow) {
        let asked = rules.iter().any(|ask| {
            ask.effect == Effect::Ask
                && ask.rank < allow.rank
                && meet(allow, ask)
                && !covers(ask, allow)
        });
        if let (true, Some(span)) = (asked, allow.span) {
            draft.narrower(span, "asks where it meets an ask rule that it outranks");
        }
    }
}

/// Whether a rule matches all of its class.
fn is_any(rule: &Found) -> bool {
    match &rule.pattern {
        Pattern::Command(command) => command.text() == "*",
        Pattern::File(_, path) => path.to_string() == "**",
        Pattern::Net(net) => *net == ringfence_core::pattern::NetPattern::any(),
        Pattern::Tool(name) => name.is_any(),
        _ => false,
    }
}

/// Makes what decides where nothing else does the document's default.
///
/// A deny on everything would also bind what granted programs start; the default does not.
fn lowest(draft: &mut Draft<'_>, rules: &mut Vec<Found>) {
    let others = rules.clone();
    let is_lowest = |rule: &Found| {
        let below = |other: &Found| other.effect != rule.effect && other.rank < rule.rank;
        let above = |other: &Found| other.effect != Effect::Deny && other.rank > rule.rank;
        is_any(rule)
            && !others.iter().any(|other| below(other) && meet(other, rule))
            && others.iter().any(|other| above(other) && meet(other, rule))
    };
    let denies = |rule: &Found| rule.effect == Effect::Deny && is_lowest(rule);
    if draft.default != Effect::Deny && rules.iter().any(denies) {
        draft.default = Effect::Deny;
        draft.everywhere(Way::Narrower, "what no rule names is refused, not asked about");
    }
    let default = draft.default;
    rules.retain(|rule| rule.effect != default || !(is_lowest(rule) || asks_all(rule)));
}

/// Whether a rule asks about everything that the default would ask about without it. A rule on what
/// commands do is more than that: without one, it is covered by the command's grant.
fn asks_all(rule: &Found) -> bool {
    let of_commands =
        rule.scope.tool.is_none() && !matches!(rule.pattern.class(), Class::Exec | Class::Tool);
    rule.effect == Effect::Ask && is_any(rule) && rule.rank == 0 && !of_commands
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
