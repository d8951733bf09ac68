//! The door that the command line opens: this host, its documents, one guard.

pub(crate) mod hook;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence::core::judge::{Foreseen, Listed, Problem, Sieve};
use ringfence::core::path::AbsPath;
use ringfence::core::{Class, Document, Effect, Policy};
use ringfence::guard::world::{
    DocumentError, Documents, Draft, Places, Profiles, RealHost, Surroundings, Wanted,
    server_documents,
};
use ringfence::guard::{Call, Guard, Judgement, foresee};
use ringfence::manifest::{Diagnostic, Errors, builtin};

use crate::exit::Failure;
use crate::show;

/// An open door.
pub(crate) struct Door {
    /// Decides every call.
    pub(crate) guard: Guard,
    /// Whether rules that cannot meet its one call were left out.
    is_brief: bool,
}

impl Door {
    /// Opens the door with these policies, or with those that apply here, for accesses of some
    /// classes. What a person should know is said.
    pub(crate) fn open(policies: &[PathBuf], classes: &[Class]) -> Result<Door, Failure> {
        Door::open_with(policies, classes, |_| {})
    }

    /// Judges one call. Where the rules of profiles that it can meet allow it, no others are read.
    pub(crate) fn judge(policies: &[PathBuf], call: &Call) -> Result<(Door, Judgement), Failure> {
        let classes = call.classes();
        let door = Door::open_at(policies, &classes, Some(call), |_| {}, show::say)?;
        let judgement = door.guard.consider(call);
        if judgement.verdict.effect == Effect::Allow || !door.is_brief {
            return Ok((door, judgement));
        }
        // All rules have a say in what is asked or refused. What is to be said was said.
        let door = Door::open_at(policies, &classes, None, |_| {}, |_| {})?;
        let judgement = door.guard.consider(call);
        Ok((door, judgement))
    }

    /// The guard of an MCP server's own process, where the policy has a section for it.
    pub(crate) fn open_for_server(
        policies: &[PathBuf],
        name: &str,
    ) -> Result<Option<Guard>, Failure> {
        let host = RealHost::new();
        let here = surroundings(&host)?;
        let found = find(policies, (&Class::ALL, Profiles::AtOnce), &here)?;
        let Some(mut documents) = server_documents(&found, name) else { return Ok(None) };
        documents.insert(0, builtin::protected_document());
        documents.extend(found.keep_files(&Class::ALL));
        let policy = Policy::compile(documents, builtin::danger_rules(), &here.context, &host)
            .map_err(|problems| problem_failure(&problems))?;
        Ok(Some(Guard::new(policy, Arc::new(host), here.context)))
    }

    /// As `open`; shows the documents in force on the way.
    pub(crate) fn open_with(
        policies: &[PathBuf],
        classes: &[Class],
        look: impl FnOnce(&[Document]),
    ) -> Result<Door, Failure> {
        Door::open_at(policies, classes, None, look, show::say)
    }

    /// For one call and no other, rules that cannot meet it may be left out.
    fn open_at(
        policies: &[PathBuf],
        classes: &[Class],
        only: Option<&Call>,
        look: impl FnOnce(&[Document]),
        say: fn(&str),
    ) -> Result<Door, Failure> {
        let host = RealHost::new();
        let here = surroundings(&host)?;
        let accesses = only.and_then(|call| foresee(call, &here.context, &host));
        let foreseen = accesses.map(|accesses| Foreseen::of(&accesses));
        let profiles = if foreseen.is_some() { Profiles::Later } else { Profiles::AtOnce };
        let mut found = find(policies, (classes, profiles), &here)?;
        tell(here.notes.iter().chain(&found.reports), &found.warnings, say);
        let mut sieve = foreseen.map(|foreseen| Sieve::new(foreseen, &here.context, &host));
        if let Some(sieve) = &mut sieve {
            found.fill_through(sieve, classes);
        }
        let mut passes =
            |rule: Listed<'_>| sieve.as_mut().is_none_or(|sieve| sieve.passes_listed(rule));
        let servers = found.known_servers();
        let mut documents = vec![builtin::protected_document_where(classes, &mut passes)];
        documents.extend(found.keep_files(classes));
        documents.extend(found.documents);
        let dangers = builtin::danger_rules_where(classes, &mut passes);
        look(&documents);
        let is_brief = sieve.is_some();
        let policy = match sieve {
            Some(sieve) => sieve.compile(classes, documents, dangers),
            None => Policy::compile_for(classes, documents, dangers, &here.context, &host),
        };
        let policy = policy.map_err(|problems| problem_failure(&problems))?;
        for notice in policy.notices().iter().filter(|own| own.origin.line != 0) {
            say(&format!("note: {notice}"));
        }
        let remote = found.remote_servers.iter().map(ToString::to_string).collect();
        let guard = Guard::new(policy, Arc::new(host), here.context)
            .with_remote_servers(remote)
            .with_known_servers(servers);
        Ok(Door { guard, is_brief })
    }
}

/// Says what a person should know of the documents.
fn tell<'n>(notes: impl Iterator<Item = &'n String>, warnings: &[Diagnostic], say: fn(&str)) {
    notes.for_each(|note| say(&format!("note: {note}")));
    for warning in warnings {
        say(&warning.render(std::io::stderr().is_terminal()));
    }
}

/// The documents of a run: those that were named, or those that apply here. What a person should know
/// is said.
pub(crate) fn draft(host: &RealHost, policies: &[PathBuf]) -> Result<Draft, Failure> {
    let here = surroundings(host)?;
    let (places, named) = places(policies, &here)?;
    let draft = Draft::read(here, &places, &named).map_err(|error| document_failure(&error))?;
    tell(draft.notes.iter(), draft.warnings(), show::say);
    Ok(draft)
}

/// The documents that were named, or those that apply here.
fn find(
    policies: &[PathBuf],
    (classes, profiles): (&[Class], Profiles),
    here: &Surroundings,
) -> Result<Documents, Failure> {
    let (places, named) = places(policies, here)?;
    Documents::find(&places, Wanted { named: &named, classes, profiles })
        .map_err(|error| document_failure(&error))
}

/// Where documents lie, and those that were named.
fn places(policies: &[PathBuf], here: &Surroundings) -> Result<(Places, Vec<AbsPath>), Failure> {
    let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
    let named = policies.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
    Ok((places, named))
}

/// Who and where this process is.
pub(crate) fn surroundings(host: &RealHost) -> Result<Surroundings, Failure> {
    Surroundings::here(host).map_err(|error| Failure::new(error.to_string()))
}

/// A path as the judge takes it.
pub(crate) fn absolute(path: &Path) -> Result<AbsPath, Failure> {
    let full = std::path::absolute(path).ok();
    let full = full.as_deref().and_then(Path::to_str).map(AbsPath::new);
    match full {
        Some(Ok(path)) => Ok(path),
        Some(Err(error)) => Err(Failure::new(error.to_string())),
        None => Err(Failure::new(format!("`{}` is no path in UTF-8", path.display()))),
    }
}

/// Why documents could not be had, with the lines that are wrong.
pub(crate) fn document_failure(error: &DocumentError) -> Failure {
    match error {
        DocumentError::Malformed(errors) => Failure::new(render(errors)),
        other => match other.hint() {
            Some(hint) => Failure::new(other.to_string()).hint(hint),
            None => Failure::new(other.to_string()),
        },
    }
}

pub(crate) fn problem_failure(problems: &[Problem]) -> Failure {
    let lines: Vec<String> = problems.iter().map(|own| format!("error: {own}")).collect();
    Failure::new(lines.join("\n"))
}

/// Errors of a document, with the lines they stand in.
pub(crate) fn render(errors: &Errors) -> String {
    errors.render(std::io::stderr().is_terminal())
}
