//! Programs that settings start: values of keys that are called like a program, lines behind the
//! signs by which small languages start one, and options in files of options.
//!
//! Only settings that the line itself writes are read, and only for programs of which a grant is no
//! grant of what their settings name. Nothing here knows a program.

use ringfence_core::program::{CatalogueEntry, Children, WordRole};

use super::Walker;
use super::guess::{self, names_program_by_end};
use crate::argv;
use crate::field::Field;
use crate::lang::words::split;
use crate::span::Span;

/// What a line of settings starts.
#[derive(Debug, PartialEq, Eq)]
enum Started {
    /// A command line.
    Line(String),
    /// Something that cannot be told.
    Unknown,
}

/// Signs behind which a command line stands, at the beginning of a line or value.
const SIGNS: [&str; 6] = ["!", "|", "\\!", ".shell ", ".system ", "@!"];

/// Words behind which, without any other sign, a command line stands.
const WORDS: [&str; 5] = ["command", "exec", "shell", "system", "askpass"];

impl Walker<'_> {
    /// Judges the programs that settings start, for a program of which the grant does not take in
    /// what its settings name.
    #[cold]
    pub(super) fn starts_of_settings(
        &mut self,
        (name, text): (&str, &str),
        entry: Option<&CatalogueEntry>,
        span: Span,
    ) {
        if entry.is_some_and(|entry| entry.children == Children::Inherit) || !self.spend(text.len())
        {
            return;
        }
        // `printf` makes newlines and tabs of what stands for them, and shows no `--`.
        let text = text.replace("\\n", "\n").replace("\\t", "\t");
        let text = text.strip_prefix("-- ").unwrap_or(&text);
        if let Some(entry) = entry {
            self.options_of_settings(text, entry, span);
        }
        let is_option = |line: &&str| entry.is_some() && line.trim_start().starts_with('-');
        for started in text.lines().filter(|line| !is_option(line)).filter_map(started) {
            match started {
                Started::Line(line) => self.shell_text(&line, span),
                Started::Unknown => {
                    let reason = format!("`{name}`, which the same line writes, starts programs");
                    self.unanalysable(&reason, Some(span));
                }
            }
        }
    }

    /// A file of options, one or several on a line.
    fn options_of_settings(&mut self, text: &str, entry: &CatalogueEntry, span: Span) {
        let lines = || text.lines().map(str::trim).filter(|line| !is_comment(line));
        if !lines().next().is_some_and(|line| line.starts_with('-')) {
            return;
        }
        let words = lines().flat_map(|line| match split(line) {
            Some(words) => words,
            None => vec![line.to_owned()],
        });
        let words: Vec<Field> = words.map(|word| Field::known(word, span)).collect();
        let reading = argv::read(self.world.catalogue(), entry, &words);
        reading.doubt.iter().for_each(|reason| self.unanalysable(reason, Some(span)));
        for own in reading.uses.iter().filter(|own| own.option.is_some()) {
            match own.role {
                Some(role) => self.role(role, &own.fields, own.option),
                None => own.fields.iter().for_each(|field| self.loose_operand(field)),
            }
        }
        let given = reading.given.iter().filter(|own| own.role == WordRole::Doubt);
        given.for_each(|own| self.unanalysable(&own.text, Some(span)));
    }
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with(['#', ';']) || line.starts_with("//")
}

/// Returns what one line of settings starts.
fn started(line: &str) -> Option<Started> {
    let line = line.trim();
    if is_comment(line) {
        return None;
    }
    if let Some(found) = guess::started(line) {
        return Some(found.map_or(Started::Unknown, |line| Started::Line(line.to_owned())));
    }
    if let Some(command) = behind_sign(line) {
        return Some(Started::Line(command.to_owned()));
    }
    let (key, value) = match line.find(['=', ':']) {
        Some(at) => (line.get(..at)?, line.get(at.saturating_add(1)..)?),
        None => (line, ""),
    };
    let key = key.trim().trim_matches(['"', '\'', '-']);
    if !value.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c)) {
        let value = value.trim().trim_end_matches(',').trim_end();
        if let Some(command) = behind_sign(value.trim_matches(['"', '\''])) {
            return Some(Started::Line(command.to_owned()));
        }
        if names_program_by_end(key) {
            return of_value(value);
        }
    }
    let (word, rest) = line.split_once(char::is_whitespace)?;
    let word = word.to_ascii_lowercase();
    let is_plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    let begins = is_plain && WORDS.iter().any(|own| word.ends_with(own));
    let rest = rest.trim().trim_start_matches(['=', ':']).trim_start();
    (begins && !rest.is_empty()).then(|| of_value(rest)).flatten()
}

/// The command line behind a sign that starts one.
fn behind_sign(text: &str) -> Option<&str> {
    let found = SIGNS.iter().find_map(|sign| text.strip_prefix(sign));
    // `.output |x` of small shells.
    let found = found.or_else(|| text.strip_prefix('.')?.split_once(" |").map(|(_, rest)| rest));
    found
        .map(str::trim)
        .filter(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || "/.~".contains(c)))
}

/// What the value of a key starts, that is called like one for programs.
fn of_value(value: &str) -> Option<Started> {
    const SWITCHES: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "auto", "none", "null"];
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let line = match inner {
        Some(items) => {
            let items = items.split(',').map(|item| item.trim().trim_matches(['"', '\'']));
            items.collect::<Vec<_>>().join(" ")
        }
        None => value.trim_matches(['"', '\'']).to_owned(),
    };
    let first = line.split_whitespace().next()?.to_ascii_lowercase();
    let is_number = first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_number || SWITCHES.contains(&&*first) || first.starts_with('-') {
        return None;
    }
    // A value that goes on below.
    let is_more = ["|", ">", "{", "[", "(", "\\"].iter().any(|sign| first.starts_with(sign));
    Some(if is_more { Started::Unknown } else { Started::Line(line) })
}

#[cfg(test)]
#[path = "starts_tests.rs"]
mod tests;
