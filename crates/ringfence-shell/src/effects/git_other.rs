//! What git does by other words: plumbing that pushes, settings that make a push another one, and
//! programs of one's own that are called like subcommands.
//!
//! What is added here grants nothing; rules that object meet it.

use ringfence_core::AccessKind;
use ringfence_core::access::{Arg, base_name};

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
                let settings = reading.uses.iter().filter_map(setting_of).chain(self.configured());
                let settings: Vec<Setting> = settings.collect();
                if !settings.is_empty() {
                    self.pushes_by_settings(&settings, behind, span);
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

    /// What a push takes along by settings, of the command or of those before it on the line.
    #[cold]
    fn pushes_by_settings(&mut self, settings: &[Setting], behind: &[Field], span: Span) {
        let names_remote = behind.iter().any(|word| !word.prefix().starts_with('-'));
        let mut more = Vec::new();
        for Setting { key, value } in settings {
            let Some(told) = pushed_by(key) else { continue };
            let Some(value) = value else {
                self.ask_despite_fence("can't tell what is pushed by a setting", span);
                continue;
            };
            let is_off = ["false", "0", "no", "off", ""].contains(&&*value.to_ascii_lowercase());
            match told {
                Told::Mirror if !is_off => more.push("--mirror".to_owned()),
                Told::Tags if !is_off => more.push("--follow-tags".to_owned()),
                Told::Refspec => more.push(value.clone()),
                Told::Remote if !names_remote => {
                    self.git_remote(&Field::known(value.as_str(), span));
                    more.insert(0, value.clone());
                }
                Told::Default if value == "matching" => self.pushes_all(span),
                _ => {}
            }
        }
        if !more.is_empty() {
            self.pushes(behind, &more, span);
        }
    }

    /// The settings that commands of git's before this one have made.
    fn configured(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        for access in &self.effects.accesses {
            let AccessKind::Exec(exec) = &access.what else { continue };
            let mut words = exec.args.iter().skip_while(|arg| arg.known() != Some("config"));
            if words.next().is_none() || !exec.program.names().any(|name| name == "git") {
                continue;
            }
            // The value of an option may be taken for a key, which has no dot in it then.
            let mut words =
                words.filter(|arg| arg.known().is_none_or(|word| !word.starts_with('-')));
            let key = words.find(|arg| arg.known().is_none_or(|word| word.contains('.')));
            if let (Some(key), Some(value)) = (key.and_then(Arg::known), words.next()) {
                let (key, value) = (key.to_ascii_lowercase(), value.known().map(str::to_owned));
                settings.push(Setting { key, value });
            }
        }
        settings
    }

    /// The same words as a push.
    pub(super) fn pushes(&mut self, words: &[Field], more: &[String], span: Span) {
        let Some(entry) = argv::entry_of(self.world.catalogue(), "git") else { return };
        let first = Field::known("push", span);
        let more = more.iter().map(|text| Field::known(text.as_str(), span));
        let words: Vec<Field> =
            std::iter::once(first).chain(words.iter().cloned()).chain(more).collect();
        let mut reading = argv::read(self.world.catalogue(), entry, &words);
        self.by_another_name("git", &words, std::mem::take(&mut reading.meant), span);
    }

    /// `git NAME` is the program `git-NAME`, where git has no such command itself.
    fn own_program(&mut self, name: &str, words: &[Field], span: Span) {
        let program = format!("git-{}", base_name(name));
        self.by_another_name(&program, words, Vec::new(), span);
    }
}

/// A setting of git's; its value, where it can be told.
struct Setting {
    key: String,
    value: Option<String>,
}

/// What a setting tells a push.
enum Told {
    Mirror,
    Tags,
    Refspec,
    Remote,
    Default,
}

fn setting_of(own: &Use<'_>) -> Option<Setting> {
    let text = own.option.filter(|name| *name == "-c").and(own.fields.first())?.as_known()?;
    let (key, value) = text.split_once('=').unwrap_or((text, "true"));
    Some(Setting { key: key.to_ascii_lowercase(), value: Some(value.to_owned()) })
}

/// What a key tells a push: `remote.NAME.mirror`, `remote.NAME.push`, `push.default` and kin.
fn pushed_by(key: &str) -> Option<Told> {
    let (first, last) = (key.split('.').next()?, key.rsplit('.').next()?);
    match (first, last) {
        ("remote", "mirror") => Some(Told::Mirror),
        ("remote", "push") => Some(Told::Refspec),
        ("remote", "pushdefault") | ("branch", "pushremote" | "remote") => Some(Told::Remote),
        ("push", "followtags") => Some(Told::Tags),
        ("push", "default") => Some(Told::Default),
        _ => None,
    }
}
