//! `ringfence allow`: one more rule, added by a person.

use ringfence_core::pattern::Pattern;
use ringfence_core::rule::Scope;
use ringfence_core::{Document, Effect, Rule, inclusion};
use ringfence_exec::ApprovalAnswer;
use ringfence_guard::redact::visible;
use ringfence_guard::world::RealHost;
use ringfence_manifest::builtin;

use super::allowed;
use crate::args::AllowArgs;
use crate::asking::{must_be_a_person, slips};
use crate::door::surroundings;
use crate::exit::{Exit, Failure};
use crate::manual_rules::{Outcome, Policy, Whose, suggestion, without_secrets};
use crate::show;
use crate::words::quoted;

pub(crate) fn run(args: &AllowArgs) -> Result<Exit, Failure> {
    must_be_a_person()?;
    // All of them can be written down, or none is.
    args.patterns.iter().try_for_each(|pattern| check(pattern))?;
    let whose = Whose::choose(args.whose)?;
    for pattern in &args.patterns {
        if args.once || args.session {
            give(pattern, if args.once { ApprovalAnswer::Once } else { ApprovalAnswer::Session })?;
        } else {
            add(Effect::Allow, pattern, whose, args.why.as_deref())?;
        }
    }
    Ok(Exit::Allow)
}

/// Adds a rule, and says what came of it.
pub(super) fn add(
    effect: Effect,
    pattern: &str,
    whose: Whose,
    why: Option<&str>,
) -> Result<Exit, Failure> {
    must_be_a_person()?;
    check(pattern)?;
    if let Some(why) = why {
        without_secrets(why)?;
    }
    let policy = Policy::find(whose)?;
    let (shown, file) = (visible(pattern), policy.file.display());
    match policy.add(effect, pattern, why)? {
        Outcome::Nothing => show::print(&format!("{file} has `{shown}` already")),
        Outcome::Done(note) => {
            let style = show::style(effect);
            let word = effect.to_string();
            show::print(&format!("{style}{word:<7}{style:#} {shown}  in {file}"));
            show::print(&format!("undo    ringfence forget {}", undo(pattern, whose)));
            let stands = still_denied(effect, pattern).or_else(|| still_asked(effect, pattern));
            let notes = note.into_iter().chain(stands);
            notes.for_each(|note| show::say(&format!("note: {note}")));
        }
    }
    Ok(Exit::Allow)
}

/// What still stands against all that a new rule allows.
fn still_denied(effect: Effect, pattern: &str) -> Option<String> {
    let pattern = Pattern::parse(pattern).ok().filter(|_| effect == Effect::Allow)?;
    let covers =
        |rule: &&Rule| rule.except.is_empty() && inclusion::includes(&rule.pattern, &pattern);
    let everywhere = |rule: &&Rule| rule.scope == Scope::default();
    let mut protected = builtin::protected_document();
    protected.expand_tables();
    let documents = allowed::documents().ok()?;
    let rules = documents.iter().map(|(own, _)| own).chain([&protected]);
    let mut denies = rules.flat_map(|own| &own.rules).filter(|own| own.effect == Effect::Deny);
    if let Some(rule) = denies.find(|own| covers(own) && everywhere(own)) {
        return Some(format!(
            "`{}` ({}) still denies it",
            visible(&rule.pattern.to_string()),
            rule.origin
        ));
    }
    let dangers = builtin::danger_rules();
    let rule = dangers.iter().find(covers)?;
    let entry = visible(&rule.pattern.to_string()).into_owned();
    Some(format!("it is on the danger list (`{entry}`): it also needs an entry in `danger`"))
}

/// Returns which rule still asks about all that a new rule allows: one of the organisation's policy, or
/// one that is no broader than the new rule.
fn still_asked(effect: Effect, pattern: &str) -> Option<String> {
    let parsed = Pattern::parse(pattern).ok().filter(|_| effect == Effect::Allow)?;
    let documents = allowed::documents().ok()?;
    let in_force = documents.iter().filter(|(_, is_trusted)| *is_trusted).map(|(own, _)| own);
    let (pool, apart): (Vec<&Document>, Vec<&Document>) =
        in_force.partition(|own| own.role.is_pooled());
    let speakers = std::iter::once(pool).chain(apart.into_iter().map(|own| vec![own]));
    let asking = speakers.filter_map(|documents| asks(&documents, &parsed)).next()?;
    let what = visible(&asking.pattern.to_string()).into_owned();
    Some(format!("`{what}` ({}) still asks", asking.origin))
}

/// Returns the rule by which documents that count as one ask about all of this, if none of their rules
/// allows a part of it that covers all of this.
fn asks<'d>(documents: &[&'d Document], pattern: &Pattern) -> Option<&'d Rule> {
    let everywhere = |rule: &&Rule| rule.scope == Scope::default() && rule.except.is_empty();
    let rules = || documents.iter().flat_map(|own| &own.rules).filter(everywhere);
    let outranked = |ask: &Rule| {
        let mut allows = rules().filter(|own| own.effect == Effect::Allow);
        allows.any(|own| {
            inclusion::includes(&own.pattern, pattern)
                && inclusion::includes(&ask.pattern, &own.pattern)
                && !inclusion::includes(&own.pattern, &ask.pattern)
        })
    };
    let mut asks = rules().filter(|own| own.effect == Effect::Ask);
    asks.find(|own| inclusion::includes(&own.pattern, pattern) && !outranked(own))
}

/// Passes a pattern on that can be written down.
fn check(pattern: &str) -> Result<(), Failure> {
    Pattern::parse(pattern).map_err(|error| {
        Failure::new(visible(&error.to_string()).into_owned()).hint(suggestion(pattern))
    })?;
    without_secrets(pattern)
}

/// Says yes to what will be asked next.
fn give(pattern: &str, answer: ApprovalAnswer) -> Result<(), Failure> {
    let here = surroundings(&RealHost::new())?;
    let root = here.context.root.as_ref().map(|own| own.as_str().to_owned());
    let placed = placed(pattern, root.as_deref(), here.user.home.as_str());
    let kept = |error: std::io::Error| Failure::new(format!("the answer is not kept: {error}"));
    slips()?.give(&placed, answer, root.clone()).map_err(kept)?;
    let style = show::style(Effect::Allow);
    let when = match answer {
        ApprovalAnswer::Once => "the next time that it is asked about",
        _ => "for the session or run that asks about it next",
    };
    let place = root.map_or_else(String::new, |root| format!(", in {root}"));
    let shown = visible(&placed);
    show::print(&format!("{style}allow{style:#}   {shown}  {when}, within the hour{place}"));
    show::print(&format!("undo    ringfence forget {}", quoted(&shown)));
    show::say("note: what is denied stays denied; this only answers questions");
    Ok(())
}

/// A pattern of files with the places that are known now: questions name real paths.
fn placed(pattern: &str, root: Option<&str>, home: &str) -> String {
    let Some((rights, path)) = pattern.strip_prefix("fs:").and_then(|rest| rest.split_once(':'))
    else {
        return pattern.to_owned();
    };
    let of = |name: &str, place: &str| {
        let rest = path.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        rest.map(|rest| format!("fs:{rights}:{place}{rest}"))
    };
    let placed = root.and_then(|root| of("@root", root)).or_else(|| of("~", home));
    placed.unwrap_or_else(|| pattern.to_owned())
}

fn undo(pattern: &str, whose: Whose) -> String {
    let option = if whose == Whose::Project { " --project" } else { "" };
    format!("{}{option}", quoted(&visible(pattern)))
}
