//! What commands print, where the line itself says so.
//!
//! A substitution, a pipe or a here-string often brings words that stand on the line in another form.
//! They are computed, so that they are judged like words that are written out.

use ringfence_core::access::base_name;
use ringfence_core::program::WordRole;
use ringfence_core::program::Wrapper;

use super::Walker;
use super::found::Found;
use super::lists::{keeps_names, names_printed};
use super::print_text::{echo_text, printf_text};
use super::walk::Stdin;
use crate::argv::Reading;
use crate::ast::{Descriptor, Redirect, RedirectOp};
use crate::field::{Field, FieldText};

/// What is known of the text that commands print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing is printed.
    Nothing,
    /// This text.
    Text(String),
    /// Names of files, each in a line.
    Names(Vec<Found>),
    /// Words that are no options and have no slash: a date.
    Words,
    /// A number, or several.
    Number,
    /// The text of a file that is not there.
    Absent,
    /// Anything.
    Unknown,
}

impl Said {
    /// Returns what is printed where the commands may run any number of times, or not at all.
    fn at_times(self) -> Said {
        match self {
            Said::Text(_) => Said::Unknown,
            other => other,
        }
    }

    fn and(self, more: Said) -> Said {
        match (self, more) {
            (Said::Nothing, only) | (only, Said::Nothing) => only,
            (Said::Text(mut text), Said::Text(more)) => {
                text.push_str(&more);
                Said::Text(text)
            }
            (Said::Names(mut names), Said::Names(more)) => {
                names.extend(more);
                Said::Names(names)
            }
            _ => Said::Unknown,
        }
    }

    /// Returns the text that this is to a command which reads it.
    pub(super) fn into_stdin(self) -> Stdin {
        match self {
            Said::Text(text) => Stdin::Text(text),
            Said::Names(names) => Stdin::Names(names),
            Said::Number => {
                Stdin::Names(vec![Found { here: true, flat: true, ..Found::default() }])
            }
            _ => Stdin::Unknown,
        }
    }
}

/// Commands that print nothing of their own.
const SILENT: [&str; 14] = [
    ":",
    "true",
    "false",
    "read",
    "mapfile",
    "readarray",
    "shift",
    "unset",
    "eval",
    "source",
    ".",
    "test",
    "[",
    "local",
];

impl Walker<'_> {
    /// Runs commands and returns what they print.
    pub(super) fn capture(&mut self, step: impl FnOnce(&mut Self)) -> Said {
        let before = self.output.replace(Said::Nothing);
        step(self);
        std::mem::replace(&mut self.output, before).unwrap_or(Said::Unknown)
    }

    /// Adds to what is printed here, where anyone takes it.
    pub(super) fn say(&mut self, more: Said) {
        if let Some(said) = self.output.take() {
            self.output = Some(said.and(more));
        }
    }

    /// Runs commands that may run any number of times, or not at all.
    pub(super) fn saying_at_times(&mut self, step: impl FnOnce(&mut Self)) {
        if self.output.is_none() {
            return step(self);
        }
        let said = self.capture(step).at_times();
        self.say(said);
    }

    /// Runs a command whose output goes where these redirections say.
    pub(super) fn saying_into(&mut self, redirects: &[Redirect], step: impl FnOnce(&mut Self)) {
        if self.output.is_none() || redirects.is_empty() {
            return step(self);
        }
        let said = self.capture(step);
        let (elsewhere, copies) = (redirects.iter().any(leads_away), redirects.iter().any(copies));
        match said {
            _ if copies => self.say(Said::Unknown),
            _ if elsewhere => {}
            said => self.say(said),
        }
    }

    /// Notes what a command prints that was looked at.
    #[cold]
    pub(super) fn say_of(
        &mut self,
        name: &str,
        reading: Option<&Reading<'_>>,
        args: &[Field],
        stdin: &Stdin,
    ) {
        let said = self.printed_by(name, reading, args, stdin);
        if let Said::Text(text) = &said
            && !self.spend(text.len())
        {
            return self.say(Said::Unknown);
        }
        self.say(said);
    }

    /// Notes what `$(< FILE)` becomes.
    #[cold]
    pub(super) fn say_input(&mut self, stdin: &Stdin) {
        let said = match stdin {
            Stdin::File(file) => file.as_known().map(|file| self.said_by_file(file)),
            _ => None,
        };
        self.say(said.unwrap_or(Said::Unknown));
    }

    fn printed_by(
        &self,
        name: &str,
        reading: Option<&Reading<'_>>,
        args: &[Field],
        stdin: &Stdin,
    ) -> Said {
        let base = base_name(name);
        if self.limited || base != name {
            return Said::Unknown;
        }
        // What carries a command, or evaluates a text, prints what that prints.
        if reading.is_some_and(carries) || SILENT.contains(&name) {
            return Said::Nothing;
        }
        let words: Option<Vec<&str>> = args.iter().map(Field::as_known).collect();
        match (name, words.as_deref()) {
            ("cat", Some([])) => match stdin {
                Stdin::Text(text) => Said::Text(text.clone()),
                Stdin::Names(names) => Said::Names(names.clone()),
                Stdin::File(file) => match file.as_known() {
                    Some(file) => self.said_by_file(file),
                    None => Said::Unknown,
                },
                _ => Said::Unknown,
            },
            ("cat", Some([file])) if !file.starts_with('-') => self.said_by_file(file),
            ("echo", Some(words)) => text_or_unknown(echo_text(words, self.state.dialect)),
            ("printf", Some([first, ..])) if *first == "-v" => Said::Nothing,
            ("printf", Some(words)) => text_or_unknown(printf_text(words)),
            ("pwd", Some([] | ["-L"])) => self.pwd_name().map_or(Said::Unknown, line),
            ("dirname", Some([path])) if !path.starts_with('-') => line(directory_of(path)),
            ("basename", Some([path])) if !path.starts_with('-') => line(last_of(path).to_owned()),
            ("date", Some(words)) if words.iter().all(|word| is_usual_date(word)) => Said::Words,
            ("wc", Some(words)) if !words.is_empty() && words.iter().all(|word| counts(word)) => {
                Said::Number
            }
            (_, Some(words)) => match stdin {
                Stdin::Names(names) if keeps_names(name, words) => Said::Names(names.clone()),
                _ => match names_printed(name, words) {
                    Some(names) if !self.may_mislead(&names) => Said::Names(names),
                    _ => Said::Unknown,
                },
            },
            (_, None) => {
                let words: Option<Vec<&str>> = args
                    .iter()
                    .map(|field| match &field.text {
                        FieldText::Glob(pattern) => Some(pattern.as_str()),
                        _ => field.as_known(),
                    })
                    .collect();
                match words.and_then(|words| names_printed(name, &words)) {
                    Some(names) if !self.may_mislead(&names) => Said::Names(names),
                    _ => Said::Unknown,
                }
            }
        }
    }

    /// Returns whether a file in the directory is called like an option, or like a word and an option.
    fn may_mislead(&self, names: &[Found]) -> bool {
        let misleads = |name: &str| name.starts_with('-') || name.contains(" -");
        names.iter().any(|own| own.here)
            && self.state.cwd.iter().any(|cwd| {
                self.world.host().list(cwd).unwrap_or_default().iter().any(|name| misleads(name))
            })
    }
}

fn text_or_unknown(text: Option<String>) -> Said {
    text.map_or(Said::Unknown, Said::Text)
}

fn line(mut text: String) -> Said {
    text.push('\n');
    Said::Text(text)
}

/// What `dirname` prints.
fn directory_of(path: &str) -> String {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "." } else { "/" }.to_owned();
    }
    match trimmed.rsplit_once('/') {
        None => ".".to_owned(),
        Some((directory, _)) => match directory.trim_end_matches('/') {
            "" => "/".to_owned(),
            directory => directory.to_owned(),
        },
    }
}

/// What `basename` prints.
fn last_of(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => path.get(..1).unwrap_or_default(),
        trimmed => trimmed.rsplit('/').next().unwrap_or_default(),
    }
}

fn is_usual_date(word: &str) -> bool {
    matches!(word, "-u" | "--utc" | "-R" | "--rfc-email" | "-Is" | "-I" | "--iso-8601")
}

fn counts(word: &str) -> bool {
    matches!(word, "-l" | "-c" | "-w" | "-m" | "--lines" | "--bytes" | "--words" | "--chars")
}

/// Returns whether a command prints nothing but what the command prints that it carries.
fn carries(reading: &Reading<'_>) -> bool {
    let is_carrier = reading.entries.iter().any(|entry| {
        entry.wrapper == Some(Wrapper::Transparent)
            || matches!(&*entry.name, "bash" | "sh" | "dash" | "ksh")
    });
    is_carrier
        && reading.uses.iter().any(|own| {
            matches!(own.role, Some(WordRole::Command(_) | WordRole::Shell))
                && !own.fields.is_empty()
        })
}

/// Returns whether a redirection takes away what is printed.
fn leads_away(redirect: &Redirect) -> bool {
    let is_output = !matches!(
        redirect.op,
        RedirectOp::Read | RedirectOp::CopyInput | RedirectOp::HereString | RedirectOp::ReadWrite
    ) && !is_here_document(redirect);
    is_output && !matches!(redirect.descriptor, Descriptor::Number(number) if number > 1)
}

/// Returns whether a redirection may put something else among what is printed.
fn copies(redirect: &Redirect) -> bool {
    redirect.op == RedirectOp::CopyOutput
        || matches!(redirect.descriptor, Descriptor::Variable(_))
        || matches!(redirect.descriptor, Descriptor::Number(0) if redirect.op == RedirectOp::CopyInput)
}

fn is_here_document(redirect: &Redirect) -> bool {
    matches!(redirect.target, crate::ast::RedirectTarget::HereDoc(_))
}
