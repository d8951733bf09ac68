//! The door that the command line opens: this host, its documents, one guard.

pub(crate) mod hook;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::Context;
use ringfence_core::path::AbsPath;
use ringfence_guard::world::{
    DocumentError, Documents, PolicyDraft, PolicyLocations, RealHost, RootFrom, Surroundings,
};
use ringfence_guard::{BuildError, Guard, PolicyBuilder};
use ringfence_hooks::Agent;
use ringfence_manifest::{Diagnostic, Errors};

use crate::exit::Failure;
use crate::show;

/// Opens the door with these policies, or with those that apply here: the guard that decides every
/// call. Says what a person should know.
pub(crate) fn open(policies: &[PathBuf]) -> Result<Guard, Failure> {
    open_with(policies, |_| {})
}

/// Opens the door, and shows the builder of its policy on the way.
pub(crate) fn open_with(
    policies: &[PathBuf],
    look: impl FnOnce(&PolicyBuilder),
) -> Result<Guard, Failure> {
    let host = RealHost::new();
    let here = surroundings(&host)?;
    let found = find(policies, &here)?;
    tell(here.notes.iter().chain(&found.reports), &found.warnings);
    let builder = PolicyBuilder::new().found(found);
    look(&builder);
    guard(builder, host, here.context)
}

/// Returns the name of an agent as rules have it. Fails unless the agent is known by its hook or named in
/// the policy: rules on agents would bind nobody under a name that was misspelt.
pub(crate) fn known_agent<'a>(
    policies: &[PathBuf],
    agent: Option<&'a str>,
) -> Result<Option<&'a str>, Failure> {
    let Some(name) = agent else { return Ok(None) };
    let unknown = match name.parse::<Agent>() {
        Ok(agent) => return Ok(Some(agent.name())),
        Err(unknown) => unknown,
    };
    let host = RealHost::new();
    let here = surroundings(&host)?;
    let builder = PolicyBuilder::new().found(find(policies, &here)?);
    let built = builder.build(&here.context, &host).map_err(|error| build_failure(&error))?;
    match built.policy.names_agent(name) {
        true => Ok(agent),
        false => Err(Failure::new(unknown.to_string())
            .hint(format!("an agent of your own has a section `[agents.{name}]` in a policy"))),
    }
}

/// Opens the door of an MCP server's own process, if the policy has a section for that server.
pub(crate) fn open_for_server(policies: &[PathBuf], name: &str) -> Result<Option<Guard>, Failure> {
    let host = RealHost::new();
    let here = surroundings(&host)?;
    let found = find(policies, &here)?;
    let Some(builder) = PolicyBuilder::for_server(found, name) else { return Ok(None) };
    let built = builder.build(&here.context, &host).map_err(|error| build_failure(&error))?;
    Ok(Some(Guard::new(built.policy, Arc::new(host), here.context)))
}

/// Builds the policy, and the guard that decides by it. Says which rules grant nothing here.
fn guard(builder: PolicyBuilder, host: RealHost, context: Context) -> Result<Guard, Failure> {
    let built = builder.build(&context, &host).map_err(|error| build_failure(&error))?;
    built.notes().for_each(|note| show::say(&format!("note: {note}")));
    Ok(Guard::new(built.policy, Arc::new(host), context))
}

/// Says what a person should know of the documents.
fn tell<'n>(notes: impl Iterator<Item = &'n String>, warnings: &[Diagnostic]) {
    notes.for_each(|note| show::say(&format!("note: {note}")));
    for warning in warnings {
        show::say(&warning.render(std::io::stderr().is_terminal()));
    }
}

/// The documents of a run: those that were named, or those that apply here. What a person should know
/// is said.
pub(crate) fn draft(host: &RealHost, policies: &[PathBuf]) -> Result<PolicyDraft, Failure> {
    let draft = draft_at(surroundings(host)?, policies)?;
    tell(draft.notes.iter(), draft.warnings());
    Ok(draft)
}

/// The documents that apply to an agent's project. Nothing is said.
pub(crate) fn draft_of_project(
    host: &RealHost,
    policies: &[PathBuf],
    project: &Path,
) -> Result<PolicyDraft, Failure> {
    let project = absolute(project)?;
    let here = Surroundings::at(host, project.clone(), RootFrom::Project(&project));
    draft_at(here.map_err(|error| Failure::new(error.to_string()))?, policies)
}

fn draft_at(here: Surroundings, policies: &[PathBuf]) -> Result<PolicyDraft, Failure> {
    let (places, named) = places(policies, &here)?;
    PolicyDraft::read(here, &places, &named).map_err(|error| document_failure(&error))
}

/// The documents that were named, or those that apply here.
fn find(policies: &[PathBuf], here: &Surroundings) -> Result<Documents, Failure> {
    let (places, named) = places(policies, here)?;
    Documents::find_with_tables(&places, &named).map_err(|error| document_failure(&error))
}

/// Where documents lie, and those that were named.
fn places(
    policies: &[PathBuf],
    here: &Surroundings,
) -> Result<(PolicyLocations, Vec<AbsPath>), Failure> {
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

/// Why no policy could be built, with a line for each rule that cannot hold.
pub(crate) fn build_failure(error: &BuildError) -> Failure {
    let lines: Vec<String> = error.problems().iter().map(|own| format!("error: {own}")).collect();
    Failure::new(lines.join("\n"))
}

/// Errors of a document, with the lines they stand in.
pub(crate) fn render(errors: &Errors) -> String {
    errors.render(std::io::stderr().is_terminal())
}
