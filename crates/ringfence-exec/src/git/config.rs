//! A strict parser for git's config files.
//!
//! The parser accepts the lines that git itself writes for ordinary values: a section header on its
//! own line, and one plain value per line. It does not interpret quotation marks, escapes, comments
//! after a value, headers with dots, or settings after a header. Such a line is foreign: it is
//! accepted only if the old file has it too, in the same section and order.

use std::collections::BTreeSet;

/// One setting. Names that git compares without regard to case are in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting<'a> {
    pub(crate) section: String,
    pub(crate) subsection: Option<&'a str>,
    pub(crate) key: String,
    pub(crate) value: &'a str,
}

/// One line of a file, with the header of its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line<'a> {
    header: &'a str,
    text: &'a str,
}

/// The meaning of a line to this parser.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meaning<'a> {
    /// A blank line, a comment or a canonical header.
    Nothing,
    /// A canonical setting.
    Setting(Setting<'a>),
    /// Anything else.
    Foreign,
}

/// A config file, split into lines.
#[derive(Debug)]
pub(crate) struct Config<'a> {
    lines: Vec<(Line<'a>, Meaning<'a>)>,
}

impl<'a> Config<'a> {
    /// Splits a file into lines. Returns `None` if a line is continued on the next one, or the file
    /// is not text, because such a file cannot be compared line by line.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Config<'a>> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
        let (mut header, mut section) = ("", None);
        let mut lines = Vec::new();
        for text in text.split('\n') {
            if text.trim_end_matches('\r').ends_with('\\') {
                return None;
            }
            if text.trim_start_matches(BLANKS).starts_with('[') {
                section = canonical_header(text);
                header = text;
                let meaning = section.map_or(Meaning::Foreign, |_| Meaning::Nothing);
                lines.push((Line { header, text }, meaning));
                continue;
            }
            lines.push((Line { header, text }, meaning(section, text)));
        }
        Some(Config { lines })
    }

    /// Returns the canonical settings in order.
    pub(crate) fn settings(&self) -> impl Iterator<Item = &Setting<'a>> {
        self.lines.iter().filter_map(|(_, meaning)| match meaning {
            Meaning::Setting(setting) => Some(setting),
            Meaning::Nothing | Meaning::Foreign => None,
        })
    }

    /// Returns, in order, the lines that are neither inert settings nor empty.
    fn foreign(&self, is_inert: impl Fn(&Setting<'a>) -> bool) -> Vec<Line<'a>> {
        let is_foreign = |(_, meaning): &&(Line<'a>, Meaning<'a>)| match meaning {
            Meaning::Nothing => false,
            Meaning::Setting(setting) => !is_inert(setting),
            Meaning::Foreign => true,
        };
        self.lines.iter().filter(is_foreign).map(|(line, _)| *line).collect()
    }

    /// Returns whether this file adds nothing dangerous to `old`. Every line is canonical and
    /// inert, or a non-inert line of the old file in the same section and order.
    pub(crate) fn adds_nothing_to<'b>(
        &self,
        old: &Config<'b>,
        is_inert: impl Fn(&Setting<'a>) -> bool,
        was_inert: impl Fn(&Setting<'b>) -> bool,
    ) -> bool {
        let before = old.foreign(was_inert);
        let mut before = before.iter();
        let mut stays = |line: &Line<'a>| before.any(|own| own == line);
        self.foreign(is_inert).iter().all(&mut stays)
    }

    /// Returns the names of the remotes that have a URL.
    pub(crate) fn remotes(&self) -> BTreeSet<&'a str> {
        let with_url = self.settings().filter(|own| own.section == "remote" && own.key == "url");
        with_url.filter_map(|own| own.subsection).collect()
    }
}

/// The whitespace around names and values. In lines that this parser accepts, git knows no other.
const BLANKS: [char; 2] = [' ', '\t'];

/// Parses a header in git's own format: `[section]` or `[section "subsection"]`, and nothing else
/// on the line.
fn canonical_header(line: &str) -> Option<(&str, Option<&str>)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let (section, subsection) = match inside.split_once(' ') {
        Some((section, name)) => (section, Some(name.strip_prefix('"')?.strip_suffix('"')?)),
        None => (inside, None),
    };
    let is_plain = |name: &str| !name.contains(['"', '\\']) && !name.contains(char::is_control);
    (is_name(section) && subsection.is_none_or(is_plain)).then_some((section, subsection))
}

fn meaning<'a>(section: Option<(&'a str, Option<&'a str>)>, line: &'a str) -> Meaning<'a> {
    let text = line.trim_matches(BLANKS);
    let is_comment = text.starts_with(['#', ';']) && !text.contains(char::is_control);
    if text.is_empty() || is_comment {
        return Meaning::Nothing;
    }
    match section.and_then(|section| setting(section, text)) {
        Some(setting) => Meaning::Setting(setting),
        None => Meaning::Foreign,
    }
}

/// Parses `key = value` with a plain value. A key without a value is not canonical.
fn setting<'a>(
    (section, subsection): (&'a str, Option<&'a str>),
    text: &'a str,
) -> Option<Setting<'a>> {
    let (key, value) = text.split_once('=')?;
    let (key, value) = (key.trim_end_matches(BLANKS), value.trim_start_matches(BLANKS));
    let starts_with_letter = key.starts_with(|sign: char| sign.is_ascii_alphabetic());
    let is_plain = !value.contains(['"', '\\', '#', ';']) && !value.contains(char::is_control);
    (starts_with_letter && is_name(key) && is_plain).then(|| Setting {
        section: section.to_ascii_lowercase(),
        subsection,
        key: key.to_ascii_lowercase(),
        value,
    })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'-')
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
