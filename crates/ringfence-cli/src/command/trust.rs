//! `ringfence trust`: a person takes a project's policy file for their own.

use ringfence_analysis::{Direction, OutrankedAsk, differences, outranked_asks, rule_text};
use ringfence_core::path::AbsPath;
use ringfence_core::{Document, Effect, Rule};
use ringfence_guard::case::{PolicyText, failing_tests};
use ringfence_guard::redact::visible;
use ringfence_guard::world::{
    Documents, PolicyLocations, RealHost, RootFrom, Surroundings, TrustCandidate, TrustRecords,
    TrustedPolicy,
};
use ringfence_manifest::Loaded;

use crate::args::TrustArgs;
use crate::asking::{confirmed, must_be_a_person};
use crate::door::{absolute, document_failure, surroundings};
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &TrustArgs) -> Result<Exit, Failure> {
    let host = RealHost::new();
    let here = match &args.project {
        None => surroundings(&host)?,
        Some(project) => {
            let project = absolute(project)?;
            Surroundings::at(&host, project.clone(), RootFrom::Project(&project))
                .map_err(|error| Failure::new(error.to_string()))?
        }
    };
    let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
    let records = TrustRecords::new(&places);
    if args.list {
        return list(&records);
    }
    let Some(root) = &here.context.root else {
        let why = here.no_root.map_or_else(String::new, |why| format!(": {why}"));
        return Err(Failure::new(format!("there is no project here{why}")));
    };
    if args.revoke {
        must_be_a_person()?;
        let was = records.revoke(root).map_err(|error| Failure::new(error.to_string()))?;
        let said = if was { "is trusted no longer" } else { "was not trusted" };
        show::print(&format!("{root} {said}"));
        return Ok(Exit::Allow);
    }
    let candidate = TrustCandidate::read(&places).map_err(|error| document_failure(&error))?;
    let Some(candidate) = candidate else {
        return Err(Failure::new(format!("{root} has no policy file"))
            .hint("write `ringfence.toml` there; `ringfence trust` then shows what it changes"));
    };
    if records.is_trusted(root, &candidate.fingerprint).map_err(|e| Failure::new(e.to_string()))? {
        show::print(&format!("{root} is trusted already, as it is"));
        return Ok(Exit::Allow);
    }
    show_changes(&candidate, &places, &records)?;
    check_tests(&candidate)?;
    must_be_a_person()?;
    if !confirmed(&format!("Trust these rules for {root}?"))? {
        show::print("nothing was changed");
        return Ok(Exit::Failed);
    }
    records
        .trust(&candidate, here.context.today)
        .map_err(|error| Failure::new(error.to_string()))?;
    show::print(&format!(
        "{root} is trusted; a change of the file takes effect once you trust it again"
    ));
    Ok(Exit::Allow)
}

fn list(records: &TrustRecords) -> Result<Exit, Failure> {
    let trusted = records.list().map_err(|error| Failure::new(error.to_string()))?;
    if trusted.is_empty() {
        show::say("no project is trusted");
    }
    let quiet = show::QUIET;
    for project in trusted {
        let line = format!("{}  {quiet}since {}{quiet:#}", project.root, project.since);
        show::print(&line);
    }
    Ok(Exit::Allow)
}

/// Shows what the file would change: since a person last trusted it, else beside what is in force.
fn show_changes(
    candidate: &TrustCandidate,
    places: &PolicyLocations,
    records: &TrustRecords,
) -> Result<(), Failure> {
    let mut elsewhere = places.clone();
    elsewhere.root = None;
    let in_force = Documents::find(&elsewhere, &[]).map_err(|error| document_failure(&error))?;
    match candidate.last_trusted(records) {
        Some(trusted) => show_difference(&trusted, &candidate.loaded),
        None => show_additions(&candidate.loaded, &in_force.documents),
    }
    let own: Vec<Document> =
        in_force.documents.into_iter().filter(|own| own.role.is_pooled()).collect();
    for OutrankedAsk { ask, allow } in outranked_asks(&own, &candidate.loaded.document) {
        show::print(&format!(
            "  {}no longer asked{}: `{}` of `{}`, which {} asks about",
            show::style(Effect::Ask),
            show::style(Effect::Ask).render_reset(),
            visible(&rule_text(allow)),
            visible(&rule_text(ask)),
            visible(&ask.origin.to_string()),
        ));
    }
    if candidate.files.len() > 1 {
        show::print(&format!(
            "It takes in {} files; a change of any of them asks again.",
            candidate.files.len()
        ));
    }
    Ok(())
}

/// Shows the difference between the last trusted version and this one, widening first.
fn show_difference(trusted: &TrustedPolicy, now: &Loaded) {
    let found = differences(&documents_of(&trusted.loaded), &documents_of(now));
    let name = visible(&now.document.name).into_owned();
    if found.is_empty() {
        show::print(&format!("{name} changed since {}, but no rule did", trusted.since));
        return;
    }
    show::print(&format!("{name} changed since it was trusted on {}. It now", trusted.since));
    for (direction, word, style) in
        [(Direction::Widens, "wider", Effect::Ask), (Direction::Narrows, "narrower", Effect::Allow)]
    {
        for own in found.iter().filter(|own| own.direction == direction) {
            let style = show::style(style);
            let why = own.why.as_deref().map(|why| format!("  # {why}")).unwrap_or_default();
            let text = format!("{}{why}", own.text);
            show::print(&format!("  {style}{word:<9}{style:#} {}", visible(&text)));
        }
    }
}

/// All documents of one version: the policy, its ceilings, the sections of its MCP servers.
fn documents_of(loaded: &Loaded) -> Vec<Document> {
    let servers = loaded.servers.iter().map(|(_, document)| document);
    let all = std::iter::once(&loaded.document).chain(&loaded.ceilings).chain(servers);
    let mut all: Vec<Document> = all.cloned().collect();
    all.iter_mut().for_each(Document::expand_tables);
    all
}

/// Shows what a policy that was never trusted adds: rules that no other document has.
fn show_additions(loaded: &Loaded, in_force: &[Document]) {
    show::print(&format!("{} would add:", loaded.document.name));
    let mut shown = 0usize;
    for effect in Effect::ALL {
        let own = loaded.document.rules.iter().filter(|rule| rule.effect == effect);
        for rule in own.filter(|rule| !is_known(rule, in_force)) {
            let style = show::style(effect);
            show::print(&format!("  {style}{:<6}{style:#} {}", effect, described(rule)));
            shown = shown.saturating_add(1);
        }
    }
    for rule in loaded.document.danger.iter().flatten() {
        let style = show::style(Effect::Deny);
        show::print(&format!("  {style}danger{style:#} {} (opts in)", described(rule)));
        shown = shown.saturating_add(1);
    }
    for ceiling in &loaded.ceilings {
        show::print(&format!("  ceiling {} ({} rules)", ceiling.name, ceiling.rules.len()));
        shown = shown.saturating_add(1);
    }
    if let Some(default) = loaded.document.default {
        show::print(&format!("  default {default}"));
    }
    if shown == 0 {
        show::print("  no rule that is not in force already");
    }
}

/// A policy whose own tests fail does not say what its author meant.
fn check_tests(candidate: &TrustCandidate) -> Result<(), Failure> {
    let policy = PolicyText {
        name: candidate.loaded.document.name.to_string(),
        format: candidate.source.format(),
        text: candidate.source.text().to_owned(),
        location: AbsPath::new(candidate.source.location()).ok(),
    };
    let failing = failing_tests(&candidate.loaded.tests, &policy);
    match failing.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(format!("its own tests fail:\n{}", failing.join("\n")))),
    }
}

fn described(rule: &Rule) -> String {
    let why = rule.note.why.as_deref().map(|why| format!("  # {why}")).unwrap_or_default();
    visible(&format!("{}{why}", rule_text(rule))).into_owned()
}

fn is_known(rule: &Rule, documents: &[Document]) -> bool {
    let mut rules = documents.iter().flat_map(|document| &document.rules);
    rules.any(|own| {
        own.effect == rule.effect && own.pattern == rule.pattern && own.scope == rule.scope
    })
}
