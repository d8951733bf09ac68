//! Files that the line has written and a program of it may load: settings, plug-ins, lists of names.
//!
//! Whatever a program does not load by its words it loads by habit: from the directory in which it
//! works, from where a variable points, or from an option. What the line puts there is on the line.

use ringfence_core::path::{AbsPath, Follow};
use ringfence_core::program::{CatalogueEntry, Children, FileUse, Habit, WordRole};

use super::Walker;
use super::assign::Set;
use super::code_text::{language_of, texts};
use super::walk::Stdin;
use crate::argv::{Reading, Use};
use crate::field::Field;
use crate::span::Span;

/// Names at the end of which nothing is that any program loads: prose, tables, pictures, and what
/// shells and containers run for themselves.
const DATA: [&str; 24] = [
    "md",
    "txt",
    "rst",
    "adoc",
    "csv",
    "tsv",
    "html",
    "htm",
    "css",
    "scss",
    "svg",
    "log",
    "sh",
    "bash",
    "patch",
    "diff",
    "lock",
    "sum",
    "env",
    "example",
    "sample",
    "dockerfile",
    "ipynb",
    "tex",
];

/// Files that only programs of their own load.
const OF_OTHERS: [&str; 16] = [
    "Makefile",
    "GNUmakefile",
    "makefile",
    "Dockerfile",
    "Containerfile",
    "Jenkinsfile",
    "Procfile",
    "package.json",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yml",
    "compose.yaml",
    ".gitignore",
    ".dockerignore",
    ".env",
    ".gitlab-ci.yml",
];

impl Walker<'_> {
    /// Judges what the line has put into files that a program may load.
    #[cold]
    pub(super) fn loads_written(
        &mut self,
        reading: Option<&Reading<'_>>,
        (args, stdin): (&[Field], &Stdin),
        sets: &[Set],
        span: Span,
    ) {
        if self.put.is_empty() || !self.spend(self.put.len().saturating_mul(args.len())) {
            return;
        }
        let mut named = self.named_files(reading, args, sets, span);
        let entries = reading.map(|reading| &*reading.entries).unwrap_or_default();
        let entry = entries.first().copied();
        if let Stdin::File(file) = stdin
            && let Some(name) = file.as_known()
            && entry.is_some_and(CatalogueEntry::runs_commands)
        {
            named.extend(self.resolve(name, Follow::Final, span).into_iter().map(|own| own.real));
        }
        let mut found: Vec<(AbsPath, bool)> = Vec::new();
        for put in &self.put {
            let is_named = named.iter().any(|own| put.real.starts_with(own));
            let is_new = !found.iter().any(|(real, _)| *real == put.real);
            if (is_named || loads(entries, &put.real)) && is_new {
                found.push((put.real.clone(), is_named));
            }
        }
        for (real, is_named) in &found {
            self.loaded((real, *is_named), entry, span);
        }
    }

    /// Judges the text of a file that is loaded, and of those of which it speaks.
    fn loaded(
        &mut self,
        (real, is_named): (&AbsPath, bool),
        entry: Option<&CatalogueEntry>,
        span: Span,
    ) {
        let put: Vec<_> = self.put.iter().filter(|own| own.real == *real).cloned().collect();
        // What runs in a container or elsewhere finds other programs.
        let is_elsewhere =
            |entry: &CatalogueEntry| entry.remote || entry.name.starts_with("docker");
        let runs = entry.is_none_or(|entry| runs_code(entry) && !is_elsewhere(entry));
        // What its language is, its entry says.
        let own = language_of(real.file_name()).filter(|_| is_named && runs);
        match entry.and_then(|entry| language_by_habit(entry, real)).or(own) {
            Some("script") => self.script_by_path(real.as_str(), false, &[], span),
            Some(language) => return self.code_put(language, real.file_name(), real, span),
            None => {}
        }
        for text in texts(&put) {
            self.paths_in(&text, real, span);
            if runs {
                self.code_with_names(real.file_name(), &text, span);
                self.plug_ins(&text, real, span);
                if language_of(real.file_name()).is_none() {
                    self.starts_of_settings((real.file_name(), &text), entry, span);
                }
            }
        }
    }

    /// Judges the code that settings name: `plugins = ./p.py`, `load-plugins=p`.
    fn plug_ins(&mut self, text: &str, settings: &AbsPath, span: Span) {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let others: Vec<AbsPath> = self
            .put
            .iter()
            .filter(|own| own.real != *settings)
            .filter(|own| {
                let name = own.real.file_name();
                let stem = name.split('.').next().unwrap_or(name);
                text.split(|c| !is_word(c)).any(|word| word == stem)
            })
            .map(|own| own.real.clone())
            .collect();
        for real in others {
            let name = real.file_name();
            if let Some(language) = language_of(name) {
                self.code_put(language, name, &real, span);
            }
        }
    }

    /// Reads the paths in a text that lead out of the directory of its file, or into the home.
    fn paths_in(&mut self, text: &str, file: &AbsPath, span: Span) {
        let home = self.world.home().clone();
        let of_path = |c: char| c.is_alphanumeric() || "/._-~+@%".contains(c);
        let mut paths: Vec<String> = Vec::new();
        for word in text.split(|c| !of_path(c)) {
            let word = word.trim_start_matches(['@', '-']);
            let word = word.find(home.as_str()).and_then(|at| word.get(at..)).unwrap_or(word);
            let is_home = word.starts_with("~/") || word.starts_with(home.as_str());
            match (is_home, file.parent()) {
                (true, _) => paths.push(word.to_owned()),
                (false, Some(directory)) if word.starts_with("../") => {
                    paths.push(format!("{directory}/{word}"));
                }
                _ => {}
            }
        }
        paths.dedup();
        for path in paths {
            let path = match path.strip_prefix("~/") {
                Some(rest) => format!("{home}/{rest}"),
                None => path,
            };
            self.file_named(FileUse::Read, &path, span);
        }
    }

    /// Returns the files and directories that options and variables of a command name.
    fn named_files(
        &mut self,
        reading: Option<&Reading<'_>>,
        args: &[Field],
        sets: &[Set],
        span: Span,
    ) -> Vec<AbsPath> {
        let mut words: Vec<String> = Vec::new();
        match reading {
            Some(reading) => {
                let is_given = |role: Option<&WordRole>| match role {
                    Some(WordRole::File(usage)) => {
                        matches!(usage, FileUse::Read | FileUse::ReadTree | FileUse::Edit)
                    }
                    _ => true,
                };
                let builds = reading.entries.iter().any(|own| own.habits.contains(&Habit::Builds));
                let options = reading.uses.iter().filter(|own| builds || own.option.is_some());
                let is_code = |own: &&Use<'_>| matches!(own.role, Some(WordRole::CodeFile(_)));
                let options = options.filter(|own| is_given(own.role));
                let operands = reading.uses.iter().filter(|own| own.option.is_none());
                words.extend(
                    operands.filter(is_code).flat_map(|own| own.fields.iter()).flat_map(values),
                );
                words.extend(options.flat_map(|own| own.fields.iter()).flat_map(values));
            }
            None => words.extend(args.iter().flat_map(values)),
        }
        words.extend(sets.iter().flat_map(|set| values(&set.value)));
        let exported = self.state.variables.names().filter_map(|name| {
            let variable = self.state.variables.get(name).filter(|own| own.exported)?;
            variable.value.clone().filter(|_| !matches!(name, "PWD" | "OLDPWD" | "PATH"))
        });
        words.extend(exported.collect::<Vec<_>>());
        let mut files = Vec::new();
        for word in words {
            files.extend(self.resolve(&word, Follow::Final, span).into_iter().map(|own| own.real));
        }
        files
    }
}

/// The parts of a word that may be paths: `x`, `key=x`, `@x`.
fn values(field: &Field) -> Vec<String> {
    let Some(text) = field.as_known() else { return Vec::new() };
    let behind = text.rsplit(['=', '@', ',', ':']).next().unwrap_or(text);
    let mut all = vec![text.to_owned(), behind.to_owned()];
    all.retain(|own| !own.is_empty() && !own.contains('\n'));
    all.dedup();
    all
}

/// Whether a program may load a file of such a name by itself.
fn loads(entries: &[&CatalogueEntry], real: &AbsPath) -> bool {
    let name = real.file_name();
    let Some(entry) = entries.first() else { return is_settings(real) };
    let own = entries.iter().flat_map(|entry| &entry.habits).filter_map(|habit| match habit {
        Habit::Loads(files) => Some(files),
        _ => None,
    });
    let mut own = own.flatten().peekable();
    if own.peek().is_some() {
        let directory = real.parent();
        let directory = directory.as_ref().map(AbsPath::file_name).unwrap_or_default();
        return own.any(|pattern| match (pattern.strip_prefix('*'), pattern.strip_suffix("/*")) {
            (Some(end), _) => name.ends_with(end),
            (None, Some(of)) => directory == of,
            (None, None) => name == &**pattern,
        });
    }
    let is_told = |habit: &Habit| matches!(habit, Habit::LooksFor { .. } | Habit::Builds);
    entry.children == Children::Inherit && !entry.habits.iter().any(is_told) && is_settings(real)
}

/// The language of a file that a program looks for by itself.
fn language_by_habit<'a>(entry: &'a CatalogueEntry, real: &AbsPath) -> Option<&'a str> {
    let name = real.file_name();
    let directory = real.parent();
    let directory = directory.as_ref().map(AbsPath::file_name).unwrap_or_default();
    let is_own = |own: &str| match own.strip_suffix("/*") {
        Some(of) => directory == of,
        None => own == name,
    };
    entry.habits.iter().find_map(|habit| match habit {
        Habit::LooksFor { language, files } if files.iter().any(|own| is_own(own)) => {
            Some(&**language)
        }
        _ => None,
    })
}

/// Whether a file has a name like those that programs look for.
fn is_settings(real: &AbsPath) -> bool {
    let name = real.file_name();
    let is_data = name.rsplit_once('.').is_some_and(|(_, end)| DATA.contains(&end));
    !is_data && !OF_OTHERS.contains(&name) && !real.as_str().contains("/.github/")
}

/// Whether a program may run code that it loads.
fn runs_code(entry: &CatalogueEntry) -> bool {
    let loads = entry.habits.iter().any(|habit| matches!(habit, Habit::Loads(_)));
    // The result of a compiler is judged where it runs.
    let builds = entry.habits.contains(&Habit::Builds);
    loads || !builds && (entry.children == Children::Inherit || runs(entry))
}

fn runs(entry: &CatalogueEntry) -> bool {
    entry.runs_commands() || !entry.subs.is_empty()
}
