//! What a pipe or a substitution brings, where it can be told what the command in it prints.

use ringfence_core::path::NameEnd;

use super::Walker;
use super::carry::directories;
use super::found::{Found, all_of, name_end};
use super::walk::Stdin;
use crate::ast::{Command, Descriptor, Redirect, RedirectOp, RedirectTarget, SimpleCommand, Word};
use crate::field::Field;

impl Walker<'_> {
    /// What a command that reads from this pipe is given.
    pub(super) fn brought(&self, before: &Command) -> Stdin {
        let Command::Simple(simple) = before else { return Stdin::Unknown };
        let plain = simple.assignments.is_empty();
        let Some((program, words)) = simple.words.split_first().filter(|_| plain) else {
            return Stdin::Unknown;
        };
        // A function of this name prints what it likes.
        let name = program.as_static().filter(|name| self.state.functions.get(name).is_none());
        let brought = match name.as_deref() {
            Some("cat") => self.poured(words, &simple.redirects),
            Some("echo") => printed("echo", simple).filter(|text| self.echoes(text)),
            Some("printf") => printed("printf", simple),
            Some("find") => listed(words, self.world.home().as_str()).map(Stdin::Names),
            Some("git") => tracked(words, self.world.home().as_str()).map(Stdin::Names),
            _ => None,
        };
        brought.unwrap_or(Stdin::Unknown)
    }

    /// Whether this shell prints a text as it is.
    fn echoes(&self, text: &Stdin) -> bool {
        matches!(text, Stdin::Text(text) if self.state.dialect.echoes(text))
    }

    /// Does what prints for another command, in a shell of its own.
    pub(super) fn handing_on(&mut self, handed_on: bool, step: impl FnOnce(&mut Self)) {
        let before = self.handed_on;
        self.handed_on |= handed_on;
        self.in_subshell(step);
        self.handed_on = before;
    }

    /// Whether a command shows lines of what it reads, and takes none of them for a name.
    pub(super) fn only_shows(&self, command: &Command) -> bool {
        const SHOW: [&str; 6] = ["head", "tail", "grep", "cat", "less", "nl"];
        const SORT: [&str; 3] = ["sort", "wc", "uniq"];
        let Command::Simple(simple) = command else { return false };
        let Some(name) = simple.words.first().and_then(Word::as_static) else { return false };
        let takes_names = |word: &Word| word.as_static().is_none_or(|text| text.starts_with("--f"));
        let shows = SHOW.contains(&&*name)
            // `--files0-from=-` reads names.
            || (SORT.contains(&&*name) && !simple.words.iter().any(takes_names));
        shows && self.state.functions.get(&name).is_none()
    }

    /// What `cat` hands on as it is: one file, or one text that stands on the line.
    fn poured(&self, words: &[Word], redirects: &[Redirect]) -> Option<Stdin> {
        let home = self.world.home().as_str();
        let named = |word: &Word| {
            word.as_static_at(home).map(|name| Stdin::File(Field::known(&*name, word.span)))
        };
        match (words, redirects) {
            ([file], []) if file.as_static().is_none_or(|name| !name.starts_with('-')) => {
                named(file)
            }
            ([], [only]) if only.descriptor == Descriptor::Implied => {
                match (&only.target, only.op) {
                    (RedirectTarget::HereDoc(heredoc), _) => {
                        heredoc.body.as_static().map(|text| Stdin::Text(text.into_owned()))
                    }
                    (RedirectTarget::Word(word), RedirectOp::Read) => named(word),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// What `echo` and `printf` print of plain words.
fn printed(name: &str, simple: &SimpleCommand) -> Option<Stdin> {
    if !simple.redirects.is_empty() {
        return None;
    }
    let words = simple.words.iter().skip(1);
    let words: Vec<_> = words.map(|word| word.as_static()).collect::<Option<_>>()?;
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    text_printed(name, &words).map(Stdin::Text)
}

/// What `echo` and `printf` print of these words.
pub(super) fn text_printed(name: &str, words: &[&str]) -> Option<String> {
    let plain = words.iter().all(|word| !word.starts_with('-'));
    match (name, words) {
        ("echo", words) if plain => Some(format!("{}\n", words.join(" "))),
        ("printf", [format]) if !format.starts_with('-') && !format.contains('%') => {
            let text = format.replace("\\n", "\n");
            (!text.contains('\\')).then_some(text)
        }
        _ => None,
    }
}

/// What is known of the names that `git ls-files` prints, where it is told of which places.
fn tracked(words: &[Word], home: &str) -> Option<Vec<Found>> {
    const OTHERWISE: [&str; 6] = ["-s", "--stage", "-t", "-u", "--format", "-v"];
    let words: Vec<_> = words.iter().map(|word| word.as_static_at(home)).collect::<Option<_>>()?;
    let (sub, words) = words.split_first()?;
    if **sub != *"ls-files" || words.iter().any(|word| OTHERWISE.contains(&&**word)) {
        return None;
    }
    let places = words.iter().filter(|word| !word.starts_with('-'));
    let is_plain = |word: &str| !word.contains(['*', '?', '[', ':']);
    let below: Vec<String> = places.map(|word| word.to_string()).collect();
    if below.is_empty() || !below.iter().all(|word| is_plain(word)) {
        return None;
    }
    // A place is a directory, or the only file that is printed for it.
    let files = below.iter().filter(|place| !place.ends_with('/'));
    let files = files.map(|place| Found { below: place.clone(), exact: true, ..Found::default() });
    let files: Vec<Found> = files.collect();
    let directories = below.iter().map(|place| format!("{}/", place.trim_end_matches('/')));
    let below = all_of(directories.collect(), NameEnd::default());
    Some(below.into_iter().chain(files).collect())
}

/// What is known of the names that `find` prints.
fn listed(words: &[Word], home: &str) -> Option<Vec<Found>> {
    const PRINTS_OTHERWISE: [&str; 8] =
        ["-printf", "-ls", "-exec", "-execdir", "-ok", "-okdir", "-files0-from", "-fprintf"];
    let words: Vec<_> = words.iter().map(|word| word.as_static_at(home)).collect::<Option<_>>()?;
    if words.iter().any(|word| PRINTS_OTHERWISE.contains(&&**word)) {
        return None;
    }
    let follows = words.iter().any(|word| matches!(&**word, "-L" | "-follow"));
    let words = words.iter().skip_while(|word| matches!(&***word, "-H" | "-L" | "-P"));
    let below = directories(words.clone().map(|word| Some(&**word)))?;
    let mut found = all_of(below, name_end(words.map(|word| &**word)));
    found.iter_mut().for_each(|own| own.follows = follows);
    Some(found)
}
