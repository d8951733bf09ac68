//! `ringfence allowed`: the rules that were added by hand, and where they stand.

use ringfence_core::pattern::Pattern;
use ringfence_core::{Document, Effect, Role, Rule};
use ringfence_exec::ApprovalAnswer;
use ringfence_exec::queue::Preapproval;
use ringfence_guard::redact::visible;
use ringfence_guard::world::{Documents, RealHost, TrustCandidate};
use ringfence_manifest::amend::BY_HAND;
use serde_json::json;

use crate::args::AllowedArgs;
use crate::asking::slips;
use crate::door::{document_failure, surroundings};
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};

/// A rule that was added by hand.
pub(crate) struct Added {
    pub(crate) rule: Rule,
    /// When, and why.
    pub(crate) note: String,
    /// Whether it stands in a project's file that is not trusted, and grants nothing.
    pub(crate) is_idle: bool,
}

pub(crate) fn run(args: &AllowedArgs) -> Result<Exit, Failure> {
    let added = added()?;
    let slips = slips()?.list();
    if args.json {
        let mut all: Vec<_> = added
            .iter()
            .map(|own| {
                json!({
                    "effect": own.rule.effect.as_str(),
                    "pattern": own.rule.pattern.to_string(),
                    "origin": own.rule.origin.to_string(),
                    "why": own.note,
                    "counts": !own.is_idle,
                })
            })
            .collect();
        all.extend(slips.iter().map(|own| {
            json!({
                "effect": "allow", "pattern": own.pattern, "for": word(own), "root": own.root,
                "left": own.left(), "counts": true,
            })
        }));
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        show::print(&text);
        return Ok(Exit::Allow);
    }
    if added.is_empty() && slips.is_empty() {
        show::say("no rule was added by hand; `ringfence policy show` lists all rules");
    }
    for Added { rule, note, is_idle } in &added {
        let style = show::style(rule.effect);
        let pattern = rule.pattern.to_string();
        let idle = if *is_idle { ", which is not trusted" } else { "" };
        show::print(&format!(
            "{style}{:<6}{style:#} {:<32} {QUIET}{note} ({}{idle}){QUIET:#}",
            rule.effect.to_string(),
            visible(&pattern),
            rule.origin,
        ));
    }
    let style = show::style(Effect::Allow);
    for slip in &slips {
        let (pattern, minutes) = (visible(&slip.pattern), slip.left() / 60);
        let place = slip.root.as_deref().map(|own| format!(" in {own}")).unwrap_or_default();
        show::print(&format!(
            "{style}allow{style:#}  {pattern:<32} {QUIET}{}{place}, {minutes} minutes left{QUIET:#}",
            word(slip)
        ));
    }
    Ok(Exit::Allow)
}

fn word(slip: &Preapproval) -> &'static str {
    match slip.answer() {
        ApprovalAnswer::Session => "session",
        ApprovalAnswer::Once | ApprovalAnswer::No => "once",
    }
}

/// All rules that were added by hand, of the user's policy and the project's.
pub(crate) fn added() -> Result<Vec<Added>, Failure> {
    let mut all = Vec::new();
    for (document, is_trusted) in documents()? {
        for rule in &document.rules {
            let Some(note) = rule.note.why.as_deref().and_then(by_hand) else { continue };
            let is_idle = !is_trusted && rule.effect != Effect::Deny;
            all.push(Added { rule: rule.clone(), note, is_idle });
        }
    }
    Ok(all)
}

/// Where a rule with this pattern stands that was not added by hand.
pub(crate) fn elsewhere(pattern: &str) -> Option<String> {
    let pattern = Pattern::parse(pattern).ok()?;
    let documents = documents().ok()?;
    let mut rules = documents.iter().flat_map(|(document, _)| &document.rules);
    rules.find(|rule| rule.pattern == pattern).map(|rule| rule.origin.to_string())
}

/// The documents in force, and the project's also where it is not trusted.
pub(super) fn documents() -> Result<Vec<(Document, bool)>, Failure> {
    let here = surroundings(&RealHost::new())?;
    let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
    let mut others = places.clone();
    others.root = None;
    let found = Documents::find(&others, &[]).map_err(|error| document_failure(&error))?;
    // Answers for this project are found by its root.
    let answers = Documents::answers(&places).map_err(|error| document_failure(&error))?;
    let others = found.documents.into_iter().filter(|own| own.role != Role::Answers);
    let mut all: Vec<_> = others.chain(answers.documents).map(|own| (own, true)).collect();
    let candidate = TrustCandidate::read(&places).map_err(|error| document_failure(&error))?;
    if let (Some(candidate), Some(root)) = (candidate, &places.root) {
        let records = ringfence_guard::world::TrustRecords::new(&places);
        let trusted = records.is_trusted(root, &candidate.fingerprint).unwrap_or(false);
        // What was trusted before a change stays in force.
        let last = candidate.last_trusted(&records).filter(|_| !trusted);
        all.extend(last.map(|last| (last.loaded.document, true)));
        all.push((candidate.loaded.document, trusted));
    }
    Ok(all)
}

fn by_hand(why: &str) -> Option<String> {
    let rest = why.strip_prefix(BY_HAND)?;
    Some(visible(rest.trim_start()).into_owned())
}
