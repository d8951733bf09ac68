//! Reading a document with all that it extends.

mod merge;

use std::collections::HashSet;
use std::sync::Arc;

use ringfence_core::{Document, Role};

use crate::de::{self, Spanned};
use crate::lower::{self, Part, PolicyTest};
use crate::profiles::{self, Profile};
use crate::raw::RawDocument;
use crate::text::{Diagnostic, Errors, Fault, Source};
use crate::{tree, words};

/// How deeply documents may extend documents.
const MAX_CHAIN: usize = 8;
/// How many documents one document may take in, all told.
const MAX_EXTENDED: usize = 64;

/// A document as the judge takes it, with what came with it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The name that the document gives itself.
    pub title: Option<String>,
    /// The document, in the role that was asked for.
    pub document: Document,
    /// What narrows: `ceiling` lists, agents, path lists of tools, nested lists beside flat ones.
    pub ceilings: Vec<Document>,
    /// The document's own tests; those of what it extends hold for that alone.
    pub tests: Vec<PolicyTest>,
    /// Everything that was taken in, in the order in which it was met, each once.
    pub extends: Vec<Extended>,
    /// MCP servers whose process is confined, each with what it may do.
    pub servers: Vec<(Arc<str>, Document)>,
    /// What the author should know.
    pub warnings: Vec<Diagnostic>,
}

/// Something that a document extends.
#[derive(Debug, Clone)]
pub enum Extended {
    /// A built-in profile.
    Profile(Profile),
    /// A file, as the library gave it.
    File(Source),
}

/// Where the files come from that documents extend.
pub trait Library {
    /// The document that `reference` means in a document at `from`; the message says why not.
    fn fetch(&self, reference: &str, from: &str) -> Result<Source, String>;
}

/// A library without files: only profiles can be extended.
#[derive(Debug, Clone, Copy)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn fetch(&self, _: &str, _: &str) -> Result<Source, String> {
        Err("only built-in profiles can be extended here".to_owned())
    }
}

/// Reads a document for this role, with all that it extends.
///
/// On any error the whole document is refused, and every error that could be found is told.
pub fn read(source: &Source, role: Role, library: &dyn Library) -> Result<Loaded, Errors> {
    read_by(source, role, library, Profile::document)
}

/// As [`read`], but the rules of profiles stay in the tables of the documents. That takes less time,
/// and a policy of these documents decides alike.
pub fn read_with_tables(
    source: &Source,
    role: Role,
    library: &dyn Library,
) -> Result<Loaded, Errors> {
    read_by(source, role, library, Profile::table_document)
}

fn read_by(
    source: &Source,
    role: Role,
    library: &dyn Library,
    profile: fn(Profile, Role) -> Document,
) -> Result<Loaded, Errors> {
    let mut reading = Reading { role, library, profile, chain: Vec::new(), seen: HashSet::new() };
    reading.read(source)
}

/// What a text says, whatever it is about: settings of another program, for one. An error names the
/// place, also of a key that stands twice.
pub fn plain(source: &Source) -> Result<serde_json::Value, Errors> {
    let node = tree::read(source.format(), source.text());
    node.map(|node| node.plain()).map_err(|faults| source.refuse(faults))
}

/// Reads a document alone: what it extends stays named and is not taken in.
pub(crate) fn read_part(source: &Source, role: Role) -> Result<Part, Errors> {
    let refuse = |faults| source.refuse(faults);
    let node = tree::read(source.format(), source.text()).map_err(refuse)?;
    let (raw, faults) = de::read::<RawDocument>(&node);
    match raw {
        Some(raw) => lower::lower(source, raw, role, faults),
        None => Err(refuse(faults)),
    }
}

struct Reading<'l> {
    role: Role,
    library: &'l dyn Library,
    /// Makes a document of a profile.
    profile: fn(Profile, Role) -> Document,
    /// The documents that are being read, each extended by the one before.
    chain: Vec<String>,
    /// Everything that was taken in so far.
    seen: HashSet<String>,
}

impl Reading<'_> {
    fn read(&mut self, source: &Source) -> Result<Loaded, Errors> {
        let part = read_part(source, self.role)?;
        let references = part.extends;
        let mut loaded = Loaded {
            title: part.title,
            document: part.document,
            ceilings: part.ceilings,
            tests: part.tests,
            extends: Vec::new(),
            servers: part.servers,
            warnings: part.warnings,
        };
        self.chain.push(source.location().to_owned());
        let mut taken = Vec::new();
        for reference in references {
            let result = self.extend(source, &reference)?;
            taken.extend(result);
        }
        self.chain.pop();
        merge::take_in(&mut loaded, taken);
        Ok(loaded)
    }

    /// What a reference adds; nothing if it was taken in before.
    fn extend(
        &mut self,
        source: &Source,
        reference: &Spanned<String>,
    ) -> Result<Option<Loaded>, Errors> {
        let refuse = |fault: Fault| source.refuse(vec![fault]);
        if self.seen.len() >= MAX_EXTENDED || self.chain.len() > MAX_CHAIN {
            return Err(refuse(Fault::new(reference.span, "too much is extended")));
        }
        let text = reference.value.as_str();
        if let Some(name) = text.strip_prefix('@') {
            let profile = profiles::get(name).ok_or_else(|| refuse(unknown(name, reference)))?;
            let new = self.seen.insert(text.to_owned());
            return Ok(new.then(|| self.profile(profile)));
        }
        let extended = self.library.fetch(text, source.location()).map_err(|reason| {
            let message = format!("cannot extend `{}`: {reason}", words::shorten(text));
            refuse(Fault::new(reference.span, message))
        })?;
        if self.chain.iter().any(|location| location == extended.location()) {
            let message = format!("`{}` extends itself", extended.name());
            return Err(refuse(Fault::new(reference.span, message)));
        }
        if !self.seen.insert(extended.location().to_owned()) {
            return Ok(None);
        }
        let mut loaded = self.read(&extended)?;
        loaded.extends.insert(0, Extended::File(extended));
        Ok(Some(loaded))
    }

    fn profile(&self, profile: Profile) -> Loaded {
        Loaded {
            title: None,
            document: (self.profile)(profile, self.role),
            ceilings: Vec::new(),
            tests: Vec::new(),
            extends: vec![Extended::Profile(profile)],
            servers: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

fn unknown(name: &str, reference: &Spanned<String>) -> Fault {
    let message = format!("`@{}` is no profile", words::shorten(name));
    let fault = Fault::new(reference.span, message);
    match ringfence_core::text::nearest(name, profiles::names()) {
        Some(near) => fault.hint(format!("did you mean `@{near}`?")),
        None => {
            let known: Vec<String> = profiles::names().map(|name| format!("`@{name}`")).collect();
            fault.hint(format!("one of {}", known.join(", ")))
        }
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
