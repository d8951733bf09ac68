//! Seal's file sections: every file glob below every path.

use ringfence_core::document::Stance;
use ringfence_core::pattern::Rights;
use ringfence_core::{Class, Effect, Pattern, Rule, Scope};

use super::context::Context;
use crate::de::Spanned;
use crate::raw::{FileSection, PathTable, TextOr};
use crate::text::Fault;

/// Whether a section grants or denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    Allow,
    Deny,
}

/// A section that is there has a word on files, even if it grants none.
pub(super) fn stance() -> Stance {
    Stance { class: Class::Files, scope: Scope::default() }
}

/// The rules of a section.
pub(super) fn lower(
    cx: &mut Context<'_>,
    (sense, rights): (Sense, Rights),
    section: FileSection,
) -> Vec<Rule> {
    let FileSection { mut default_files, mut paths } = section;
    match sense {
        Sense::Allow if paths.is_empty() => warn_nothing(cx, &default_files),
        // Files that are denied without a path are denied everywhere, paths without files whole.
        Sense::Deny if paths.is_empty() => {
            let everywhere = |file: &Spanned<String>| Spanned {
                value: TextOr::Text("**".to_owned()),
                span: file.span,
            };
            paths.extend(default_files.first().map(everywhere));
        }
        Sense::Deny if default_files.is_empty() => {
            let every_file = |entry: &Spanned<TextOr<PathTable>>| Spanned {
                value: "*".to_owned(),
                span: entry.span,
            };
            default_files.extend(paths.first().map(every_file));
        }
        _ => {}
    }
    let entries = paths.into_iter().map(|entry| PathEntry::new(entry, &default_files));
    entries.flat_map(|entry| entry.rules(cx, sense, rights)).collect()
}

fn warn_nothing(cx: &mut Context<'_>, default_files: &[Spanned<String>]) {
    if let Some(file) = default_files.first() {
        cx.warn(
            Fault::new(file.span, "`default_files` without `paths` grants nothing")
                .hint("name the directories: `paths = [\"src/**\"]`"),
        );
    }
}

/// A path with its files, whichever way it was written.
struct PathEntry {
    path: Spanned<String>,
    files: Vec<Spanned<String>>,
    prompt: Option<Spanned<bool>>,
}

impl PathEntry {
    /// The forms in their order: text; a table with files of its own; a table without.
    fn new(entry: Spanned<TextOr<PathTable>>, default_files: &[Spanned<String>]) -> PathEntry {
        match entry.value {
            TextOr::Text(value) => PathEntry {
                path: Spanned { value, span: entry.span },
                files: default_files.to_vec(),
                prompt: None,
            },
            TextOr::Table(table) => PathEntry {
                path: table.path,
                files: table.files.unwrap_or_else(|| default_files.to_vec()),
                prompt: table.prompt,
            },
        }
    }

    fn rules(self, cx: &mut Context<'_>, sense: Sense, rights: Rights) -> Vec<Rule> {
        let effect = self.effect(cx, sense);
        let rules = self.files.iter().filter_map(|file| {
            let text =
                Spanned { value: join(&self.path.value, &file.value, sense), span: self.path.span };
            let pattern = match cx.pattern("fs:r:", &text)? {
                Pattern::File(_, path) => Pattern::File(rights, path),
                other => other,
            };
            Some(cx.rule(effect, pattern, text.span))
        });
        rules.collect()
    }

    fn effect(&self, cx: &mut Context<'_>, sense: Sense) -> Effect {
        match (sense, &self.prompt) {
            (Sense::Allow, Some(Spanned { value: true, .. })) => Effect::Ask,
            (Sense::Allow, _) => Effect::Allow,
            (Sense::Deny, prompt) => {
                if let Some(prompt) = prompt {
                    let message = "`prompt` has no effect inside `deny`";
                    cx.warn(Fault::new(prompt.span, message).hint("leave it out"));
                }
                Effect::Deny
            }
        }
    }
}

/// The rule's path: `src/**` and `*.rs` give `src/**/*.rs`.
///
/// Seal's paths start at the root, so a grant on `**` is one on the project; a denial of `**` is
/// one everywhere.
fn join(path: &str, file: &str, sense: Sense) -> String {
    let floats = path == "**" || path.starts_with("**/");
    let root = if floats && sense == Sense::Allow { "@root/" } else { "" };
    format!("{root}{}/{file}", path.trim_end_matches('/'))
}

/// Says so where a grant leaves the root without an additional directory to name it.
pub(super) fn check_reach(
    cx: &mut Context<'_>,
    section: &FileSection,
    directories: &[Spanned<String>],
) {
    for entry in &section.paths {
        let (path, span) = match &entry.value {
            TextOr::Text(path) => (path.as_str(), entry.span),
            TextOr::Table(table) => (table.path.value.as_str(), table.path.span),
        };
        let outside = path.starts_with(['/', '~', '$']) || path.starts_with("..");
        if outside && !directories.iter().any(|directory| is_below(path, &directory.value)) {
            let message = format!("`{path}` lies outside the root");
            let hint = "name the directory in `additional_directories`";
            cx.warn(Fault::new(span, message).hint(hint));
        }
    }
}

fn is_below(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches("**").trim_end_matches('/');
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
