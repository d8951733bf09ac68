//! What git does by other words: plumbing that pushes, settings that make a push another one, and
//! programs of one's own that are called like subcommands.
//!
//! What is added here grants nothing; rules that object meet it.

use ringfence_core::access::base_name;

use super::Walker;
use super::walk::Stdin;
use crate::argv::{self, Reading, Use};
use crate::field::Field;
use crate::span::Span;

impl Walker<'_> {
    /// Adds what a command of git's is by the words that rules know.
    #[cold]
    pub(super) fn git_by_other_words(&mut self, reading: &Reading<'_>, args: &[Field], span: Span) {
        let known = reading.entries.get(1).map(|entry| &*entry.name);
        let mut operands = reading.uses.iter().filter(|own| own.option.is_none());
        let word = operands.next().and_then(|own| own.fields.first()).and_then(Field::as_known);
        let Some(sub) = known.or(word) else { return };
        let sub = sub.rsplit(' ').next().unwrap_or(sub);
        let at = args.iter().position(|arg| arg.as_known() == Some(sub));
        let behind = at.and_then(|at| args.get(at.saturating_add(1)..)).unwrap_or_default();
        match sub {
            "send-pack" | "http-push" => self.pushes(behind, &[], span),
            "push" => {
                let more: Vec<String> = reading.uses.iter().filter_map(pushed_by_setting).collect();
                if !more.is_empty() {
                    self.pushes(behind, &more, span);
                }
            }
            name if name.starts_with("credential-") => self.own_program(name, behind, span),
            // A program of its own in a directory below, found as any path is.
            name if known.is_none() && name.contains('/') => {
                let program = format!("git-{name}");
                self.inner(|walker| {
                    walker.invoke(&program, span, behind, &[], &Stdin::Inherited, false, None);
                });
            }
            name if known.is_none() => self.own_program(name, behind, span),
            _ => {}
        }
    }

    /// The same words as a push.
    fn pushes(&mut self, words: &[Field], more: &[String], span: Span) {
        let Some(entry) = argv::entry_of(self.world.catalogue(), "git") else { return };
        let first = Field::known("push", span);
        let more = more.iter().map(|text| Field::known(text.as_str(), span));
        let words: Vec<Field> =
            std::iter::once(first).chain(words.iter().cloned()).chain(more).collect();
        let mut reading = argv::read(self.world.catalogue(), entry, &words);
        self.program_behind("git", &words, std::mem::take(&mut reading.meant), span);
    }

    /// `git NAME` is the program `git-NAME`, where git has no such command itself.
    fn own_program(&mut self, name: &str, words: &[Field], span: Span) {
        let program = format!("git-{}", base_name(name));
        self.program_behind(&program, words, Vec::new(), span);
    }
}

/// The word of a push that a setting stands for: `-c remote.NAME.mirror=true`, `-c remote.NAME.push=+main`.
fn pushed_by_setting(own: &Use<'_>) -> Option<String> {
    let text = own.option.filter(|name| *name == "-c").and(own.fields.first())?.as_known()?;
    let (key, value) = text.split_once('=').unwrap_or((text, "true"));
    let key = key.to_ascii_lowercase();
    let name = key.strip_prefix("remote.").and_then(|rest| rest.rsplit('.').next())?;
    let is_off = ["false", "0", "no", "off", ""].contains(&value.to_ascii_lowercase().as_str());
    match name {
        "mirror" if !is_off => Some("--mirror".to_owned()),
        "push" => Some(value.to_owned()),
        _ => None,
    }
}
