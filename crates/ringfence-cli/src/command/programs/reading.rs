//! How the words of a command are read by the entry of its program.

use ringfence_core::program::{Catalogue, CatalogueEntry, WordRole};
use ringfence_shell::argv::{self, Named, Reading, Use};
use ringfence_shell::{Field, Span};

use super::entry::given;
use crate::words::quoted;

/// How deep commands inside commands are followed.
const DEEPEST: usize = 8;

/// A command, and what its words are.
pub(super) struct Read {
    /// Its words.
    pub(super) words: Vec<String>,
    /// The program, or the subcommand, whose entry it is read by.
    pub(super) entry: Option<String>,
    pub(super) rows: Vec<Word>,
    /// What it does although no word says so.
    pub(super) given: Vec<String>,
    pub(super) doubt: Option<String>,
    /// The commands that it carries.
    pub(super) carried: Vec<Read>,
}

/// One or more words that belong together.
pub(super) struct Word {
    pub(super) words: Vec<String>,
    /// What they are.
    pub(super) is: String,
    /// The role of the operand or value.
    pub(super) role: Option<String>,
}

/// Reads the words of a command.
pub(super) fn read(catalogue: &dyn Catalogue, words: &[Field]) -> Read {
    read_within(catalogue, words, 0)
}

fn read_within(catalogue: &dyn Catalogue, words: &[Field], depth: usize) -> Read {
    let mut read = Read {
        words: words.iter().map(text).collect(),
        entry: None,
        rows: Vec::new(),
        given: Vec::new(),
        doubt: None,
        carried: Vec::new(),
    };
    let Some((first, args)) = words.split_first() else { return read };
    let entry = first.as_known().and_then(|name| argv::entry_of(catalogue, name));
    let Some(entry) = entry.filter(|_| depth < DEEPEST) else { return read };
    // Each word is known by its place among the words.
    let args: Vec<Field> = args
        .iter()
        .enumerate()
        .map(|(at, own)| Field { span: Span { start: at, end: at }, ..own.clone() })
        .collect();
    let options = argv::options(catalogue, entry, &args);
    let reading = argv::read(catalogue, entry, &args);
    read.entry = reading.entry().map(|entry| entry.name.to_string());
    read.rows = Rows { reading: &reading, options: &options, args: &args }.all();
    read.given = reading.given.iter().copied().map(given).collect();
    read.doubt.clone_from(&reading.doubt);
    let commands = reading.uses.iter().filter(|own| is_command(own));
    read.carried =
        commands.map(|own| read_within(catalogue, &own.fields, depth.saturating_add(1))).collect();
    read
}

fn is_command(own: &Use<'_>) -> bool {
    matches!(own.role, Some(WordRole::Command(_))) && !own.fields.is_empty()
}

fn text(field: &Field) -> String {
    match field.as_known() {
        Some(text) => quoted(text).into_owned(),
        None => field.shown().to_owned(),
    }
}

struct Rows<'r, 'w> {
    reading: &'r Reading<'w>,
    options: &'r [Named],
    args: &'r [Field],
}

impl Rows<'_, '_> {
    fn all(&self) -> Vec<Word> {
        let mut rows = Vec::new();
        let mut subs = self.reading.entries.iter().skip(1).peekable();
        let mut at = 0usize;
        while let Some(field) = self.args.get(at) {
            let options: Vec<&Named> = self.options.iter().filter(|own| own.at == at).collect();
            let operand = self.reading.uses.iter().find(|own| own.at == at && own.option.is_none());
            let mut next = at.saturating_add(1);
            if !options.is_empty() {
                next = self.end_of(at);
                rows.extend(self.option_rows(&options, at, next));
            } else if let Some(operand) = operand {
                next = self.end_of(at);
                rows.push(self.operand_row(operand, at, next));
            } else if subs.peek().is_some_and(|sub| is_named(sub, field)) {
                let sub = subs.next().map(|sub| sub.name.to_string());
                rows.push(self.row(at, next, "subcommand", sub));
            } else {
                rows.push(self.row(at, next, plain(field), None));
            }
            at = next;
        }
        rows
    }

    /// The word behind all that belong to the one at this place.
    fn end_of(&self, at: usize) -> usize {
        let fields =
            self.reading.uses.iter().filter(|own| own.at == at).flat_map(|own| own.fields.iter());
        fields.map(|field| field.span.start).chain([at]).max().unwrap_or(at).saturating_add(1)
    }

    fn option_rows(&self, options: &[&Named], at: usize, next: usize) -> Vec<Word> {
        let uses = self.reading.uses.iter().filter(|own| own.at == at);
        let mut rows = Vec::new();
        for (index, option) in options.iter().enumerate() {
            let is = match option.names.is_empty() {
                true => format!("option {}, not listed", option.written),
                false => format!("option {}", option.names.join("|")),
            };
            let own = uses.clone().filter(|own| own.option == Some(&*option.written));
            let roles: Vec<String> =
                own.filter_map(|own| own.role).map(WordRole::to_string).collect();
            let role = (!roles.is_empty()).then(|| roles.join(" "));
            // Letters that stand together are one word.
            let words = if index == 0 { self.words(at, next) } else { Vec::new() };
            rows.push(Word { words, is, role });
        }
        rows
    }

    fn operand_row(&self, operand: &Use<'_>, at: usize, next: usize) -> Word {
        match operand.role {
            Some(WordRole::Command(_)) => self.row(at, next, "command", None),
            Some(role) => self.row(at, next, "operand", Some(role.to_string())),
            None => self.row(at, next, "operand", Some("read, if it looks like a path".to_owned())),
        }
    }

    fn row(&self, at: usize, next: usize, is: &str, role: Option<String>) -> Word {
        Word { words: self.words(at, next), is: is.to_owned(), role }
    }

    fn words(&self, at: usize, next: usize) -> Vec<String> {
        self.args.get(at..next).unwrap_or_default().iter().map(text).collect()
    }
}

/// Whether a word is one of a subcommand's names.
fn is_named(entry: &CatalogueEntry, field: &Field) -> bool {
    let own = entry.name.rsplit(' ').next();
    field
        .as_known()
        .is_some_and(|word| own == Some(word) || entry.names.iter().any(|name| **name == *word))
}

/// A word that has no role.
fn plain(field: &Field) -> &'static str {
    match field.as_known() {
        Some("--") => "end of options",
        Some(";" | "+") => "end of the command",
        Some(word) if word.starts_with('-') => "number",
        _ => "word",
    }
}
