//! Reading documents and showing what they say.

use std::fmt::Write as _;

use ringfence_core::document::Stance;
use ringfence_core::rule::ToolScope;
use ringfence_core::{Document, Role, Rule, Scope};
use ringfence_manifest::{Format, Loaded, NoLibrary, Source, canonical, fmt, read};

use super::skip::skip;

pub(crate) fn source(format: Format, text: &str) -> Source {
    let name = match format {
        Format::Toml => "policy.toml",
        Format::Yaml => "policy.yaml",
        Format::Json => "policy.json",
    };
    Source::new(name, format, text).expect("a source")
}

/// Reads a document, and holds `fmt` and `canonical` to what they promise about it.
pub(crate) fn load(format: Format, text: &str) -> Loaded {
    let loaded = load_only(format, text);
    if text.len() < 100_000 {
        let formatted = fmt(&source(format, text)).unwrap();
        assert_eq!(say_all(&load_only(format, &formatted)), say_all(&loaded), "{formatted}");
        assert_eq!(fmt(&source(format, &formatted)).unwrap(), formatted, "fmt of\n{formatted}");
        let flat = canonical(&source(format, text))
            .unwrap_or_else(|errors| panic!("{}\n\n{text}", errors.render(false)));
        let again = load_only(format, &flat);
        assert_eq!(sorted(&again), sorted(&loaded), "{flat}");
        assert_eq!(canonical(&source(format, &flat)).unwrap(), flat, "canonical of\n{flat}");
        assert_eq!(fmt(&source(format, &flat)).unwrap(), flat, "fmt of\n{flat}");
    }
    loaded
}

fn load_only(format: Format, text: &str) -> Loaded {
    read(&source(format, text), Role::User, &NoLibrary)
        .unwrap_or_else(|errors| panic!("{}\n\n{text}", errors.render(false)))
}

/// Everything that was read, whatever the order and the names of ceilings.
fn sorted(loaded: &Loaded) -> Vec<Vec<String>> {
    let documents = std::iter::once(&loaded.document).chain(&loaded.ceilings);
    let mut all: Vec<Vec<String>> = documents
        .map(|document| {
            let mut lines = say_document(document);
            lines.sort();
            lines
        })
        .collect();
    all[1..].sort();
    all
}

pub(crate) fn toml(text: &str) -> Loaded {
    load(Format::Toml, text)
}

/// The errors of a document, as people see them.
pub(crate) fn refused(format: Format, text: &str) -> String {
    match read(&source(format, text), Role::User, &NoLibrary) {
        Ok(loaded) => panic!("was read:\n{}", say_all(&loaded)),
        Err(errors) => errors.render(false),
    }
}

/// A rule in one line, without its place.
pub(crate) fn say(rule: &Rule) -> String {
    let mut line = format!("{} {}", rule.effect, rule.pattern);
    for except in &rule.except {
        write!(line, " except {except}").unwrap();
    }
    line.push_str(&say_scope(&rule.scope));
    if let Some(why) = &rule.note.why {
        write!(line, " why `{why}`").unwrap();
    }
    if let Some(owner) = &rule.note.owner {
        write!(line, " owner `{owner}`").unwrap();
    }
    if let Some(until) = &rule.note.until {
        write!(line, " until {until}").unwrap();
    }
    if let Some(id) = &rule.note.id {
        write!(line, " id `{id}`").unwrap();
    }
    line
}

fn say_scope(scope: &Scope) -> String {
    let mut line = String::new();
    if let Some(agent) = &scope.agent {
        write!(line, " agent {agent}").unwrap();
    }
    match &scope.tool {
        Some(ToolScope::Kind(kind)) => write!(line, " tool {}", kind.as_str()).unwrap(),
        Some(ToolScope::Name(name)) => write!(line, " tool-name {name}").unwrap(),
        None => {}
    }
    let mut list = |word: &str, texts: Option<Vec<String>>| {
        if let Some(texts) = texts {
            write!(line, " {word} [{}]", texts.join(", ")).unwrap();
        }
    };
    list("under", scope.command.as_ref().map(|l| l.iter().map(ToString::to_string).collect()));
    list("unless", scope.unless.as_ref().map(|l| l.iter().map(ToString::to_string).collect()));
    list("within", scope.within.as_ref().map(|l| l.iter().map(ToString::to_string).collect()));
    line
}

fn say_stance(stance: &Stance) -> String {
    format!("closed {}{}", stance.class, say_scope(&stance.scope))
}

/// A document, one line for everything it says.
pub(crate) fn say_document(document: &Document) -> Vec<String> {
    let mut lines: Vec<String> = document.rules.iter().map(say).collect();
    lines.extend(document.stances.iter().map(say_stance));
    lines.extend(document.fallback.iter().map(|rule| format!("fallback {}", say(rule))));
    if let Some(danger) = &document.danger {
        lines.push(format!("danger list of {}", danger.len()));
        lines.extend(danger.iter().map(|rule| format!("danger {}", say(rule))));
    }
    lines.extend(document.dangerous.iter().map(|rule| format!("dangerous {}", say(rule))));
    lines.extend(document.default.map(|default| format!("default {default}")));
    lines.extend(document.tool_default.map(|default| format!("tool default {default}")));
    lines.extend(document.directories.iter().map(|path| format!("directory {path}")));
    if document.settings != Default::default() {
        lines.push(format!("{:?}", document.settings));
    }
    if document.scope != Scope::default() {
        lines.push(format!("document{}", say_scope(&document.scope)));
    }
    lines
}

pub(crate) fn say_all(loaded: &Loaded) -> String {
    let mut text = say_document(&loaded.document).join("\n");
    for ceiling in &loaded.ceilings {
        write!(text, "\n-- {} ({})\n", ceiling.name, ceiling.role.as_str()).unwrap();
        text.push_str(&say_document(ceiling).join("\n"));
    }
    text
}

pub(crate) fn warnings(loaded: &Loaded) -> Vec<String> {
    loaded.warnings.iter().map(ToString::to_string).collect()
}

/// The lines of a document that are about one thing.
pub(crate) fn lines_with(document: &Document, word: &str) -> Vec<String> {
    let lines = say_document(document).into_iter();
    lines.filter(|line| line.contains(word)).collect()
}

/// Compares what a document says with one line per thing.
pub(crate) fn check(loaded: &Loaded, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(say_all(loaded).trim(), expected.join("\n"));
}

/// A file of the shared folder that stands beside the repository.
pub(crate) fn shared(path: &str) -> Option<String> {
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/");
    let text = std::fs::read_to_string(format!("{shared}{path}")).ok();
    if text.is_none() {
        skip(format!("there is no ../shared/{path}"));
    }
    text
}
