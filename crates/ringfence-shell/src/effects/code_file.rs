//! Files of code that an interpreter is given, or looks for by itself.
//!
//! What a file says that was there before is part of the interpreter's grant; only files of small
//! languages are read. What the line itself has put into a file is on the line, and judged like code
//! in an option.

use std::sync::Arc;

use ringfence_core::access::{Exec, Extent, FileOp};
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, Follow};
use ringfence_core::program::{Habit, WordRole};
use ringfence_core::{Access, AccessKind};

use super::Walker;
use super::code_text::{
    Put, first_words, language_of, possible_texts, quoted_words, scripts_of, starts_unknown, texts,
};
use super::made::is_source;
use super::pipe::text_printed;
use super::walk::Stdin;
use crate::argv::{Reading, Use};
use crate::ast::{Descriptor, Redirect, RedirectOp, SimpleCommand};
use crate::field::Field;
use crate::lang;
use crate::parse::MAX_BYTES;
use crate::span::Span;

/// Languages whose files do nothing but what little code in an option does.
const SMALL: [&str; 5] = ["sed", "awk", "jq", "gdb", "ed"];

impl Walker<'_> {
    /// Keeps what a command prints into the files that were opened for it since a point, where that
    /// can be told.
    pub(super) fn keep_text(
        &mut self,
        fields: &[Field],
        command: &SimpleCommand,
        stdin: &Stdin,
        from: usize,
    ) {
        let Some(append) = only_output(&command.redirects) else { return };
        let words: Option<Vec<&str>> = fields.iter().map(Field::as_known).collect();
        let Some(words) = words else { return };
        let Some((name, words)) = words.split_first() else { return };
        if self.state.functions.contains_key(name) || !command.assignments.is_empty() {
            return;
        }
        if *name == "jq" && !append {
            self.keep_filtered(words, from);
        }
        let escapes = words.iter().any(|word| !self.state.dialect.echoes(word));
        let text = match (*name, stdin) {
            ("cat", Stdin::Text(text)) if words.is_empty() => Some(text.clone()),
            ("echo", _) if escapes => None,
            ("echo" | "printf", _) => text_printed(name, words),
            _ => None,
        };
        match text {
            Some(text) => self.keep(&text, append, from),
            // Escapes and conversions add nothing that is not on the line.
            None if matches!(*name, "echo" | "printf") => {
                self.keep_roughly(&words.join(" "), append, from);
            }
            None => {}
        }
    }

    /// Keeps that a text was put into the files that were written since a point.
    pub(super) fn keep(&mut self, text: &str, append: bool, from: usize) {
        // A round of a loop may put it again.
        let exact = !(append && self.watched);
        self.keep_text_as(text, (append, exact), from);
    }

    /// Keeps that something like a text was put into the files that were written since a point.
    fn keep_roughly(&mut self, text: &str, append: bool, from: usize) {
        self.keep_text_as(text, (append, false), from);
    }

    fn keep_text_as(&mut self, text: &str, (append, exact): (bool, bool), from: usize) {
        if !self.spend(text.len()) {
            return;
        }
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        let written = since.iter().filter_map(|access| match &access.what {
            AccessKind::File(file) if file.op == FileOp::Write => Some(file.path.real.clone()),
            _ => None,
        });
        let put = written.map(|real| Put { real, text: text.to_owned(), append, exact });
        self.put.extend(put);
    }

    /// A file of code that an interpreter is given.
    pub(super) fn code_file(&mut self, language: &str, name: &str, span: Span) {
        let is_small = SMALL.contains(&language);
        if is_small || self.has_written(0) {
            for path in self.resolve(name, Follow::Final, span) {
                match self.is_put(&path.real, 0) {
                    true => self.code_put(language, name, &path.real, span),
                    false if is_small => self.code_there(language, &path.real, span),
                    false => {}
                }
            }
        }
        self.ran_code(language, name, span);
    }

    /// Whether a file of code may be one that the line itself writes: most lines write none, and
    /// nothing need be looked up for them.
    #[inline]
    pub(super) fn may_be_put(&self) -> bool {
        self.watched || self.has_written(0)
    }

    /// Files of code that a program looks for by itself, and those among its words.
    #[cold]
    pub(super) fn code_by_habit(&mut self, reading: &Reading<'_>, span: Span) {
        let mut files: Vec<(&str, &str)> = Vec::new();
        for habit in reading.entries.first().iter().flat_map(|entry| &entry.habits) {
            if let Habit::LooksFor { language, files: names } = habit {
                files.extend(names.iter().map(|name| (&**language, &**name)));
            }
        }
        let is_given = |own: &&Use<'_>| matches!(own.role, Some(WordRole::CodeFile(_)));
        let operands = reading.uses.iter().filter(|own| own.option.is_none() && !is_given(own));
        let operands = operands.flat_map(|own| own.fields.iter()).filter_map(Field::as_known);
        files.extend(operands.filter_map(|name| Some((language_of(name)?, name))));
        for (language, file) in files {
            match file.strip_prefix('*') {
                Some(end) => self.code_put_below(language, end, span),
                None => self.code_if_put(language, file, span),
            }
        }
    }

    /// Modules that a program may load, of those whose text the line has put into files.
    #[cold]
    fn code_put_below(&mut self, language: &str, end: &str, span: Span) {
        let mut files: Vec<AbsPath> = self.put.iter().map(|own| own.real.clone()).collect();
        files.retain(|real| real.file_name().ends_with(end));
        files.dedup();
        for real in files {
            self.code_put(language, real.file_name(), &real, span);
        }
    }

    /// `python -m NAME`, where the line itself has written the module.
    pub(super) fn module_file(&mut self, module: &str, span: Span) {
        if !self.may_be_put() {
            return;
        }
        let path = module.replace('.', "/");
        for file in [".py", "/__main__.py", "/__init__.py"] {
            self.code_if_put("python", &format!("{path}{file}"), span);
        }
    }

    fn code_if_put(&mut self, language: &str, name: &str, span: Span) {
        if self.has_written(0) {
            for path in self.resolve(name, Follow::Final, span) {
                if self.is_put(&path.real, 0) {
                    self.code_put(language, name, &path.real, span);
                }
            }
        }
        self.ran_code(language, name, span);
    }

    /// Whether the line has written a file since a point.
    pub(super) fn is_put(&self, real: &AbsPath, from: usize) -> bool {
        self.writes_to(real, from).next().is_some()
    }

    pub(super) fn writes_to<'a>(
        &'a self,
        real: &'a AbsPath,
        from: usize,
    ) -> impl Iterator<Item = &'a Access> + 'a {
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        // What a command itself writes it does not run.
        let own = self.scope.command.as_ref();
        let others = move |access: &&Access| match (own, &access.scope.command) {
            (Some(own), Some(command)) => !Arc::ptr_eq(own, command),
            _ => true,
        };
        since.iter().filter(others).filter(move |access| match &access.what {
            AccessKind::File(file) => {
                file.op == FileOp::Write
                    && matches!(file.extent, Extent::One | Extent::Unknown)
                    && file.path.real == *real
                    && !self.keeps_content(access)
            }
            _ => false,
        })
    }

    /// Code that the line itself has put into a file.
    #[cold]
    pub(super) fn code_put(&mut self, language: &str, name: &str, real: &AbsPath, span: Span) {
        if !self.spend(self.effects.accesses.len()) {
            return;
        }
        let edits = self.writes_to(real, 0).filter(|access| self.is_edit(access)).count();
        let others = self.writes_to(real, 0).count().saturating_sub(edits);
        let back = self.writes_to(real, 0).filter(|access| self.puts_back(access, real)).count();
        let built = self.writes_to(real, 0).filter(|access| self.is_built(access)).count();
        if built > 0 {
            self.sources(span);
        }
        let others = others.saturating_sub(back).saturating_sub(built);
        let put: Vec<Put> = self.put.iter().filter(|own| own.real == *real).cloned().collect();
        let is_read = lang::languages().any(|own| own == language);
        if others > put.len() || is_read && put.iter().any(|own| !own.exact) {
            let reason = format!("`{name}` is written by the same line");
            return self.unanalysable(&reason, Some(span));
        }
        let edited: Vec<String> =
            self.writes_to(real, 0).filter(|access| self.is_edit(access)).map(words_of).collect();
        edited.iter().for_each(|text| self.code_with_names(name, text, span));
        // Of what is put into a manifest only its scripts run.
        let in_scripts = |text: &str| match name.ends_with("package.json") {
            true => scripts_of(text).to_owned(),
            false => text.to_owned(),
        };
        let all = match is_read {
            true => possible_texts(&put).unwrap_or_else(|| texts(&put)),
            false => texts(&put),
        };
        for text in all {
            match is_read {
                true => self.code(language, &text, span),
                false => self.code_with_names(name, &in_scripts(&text), span),
            }
        }
    }

    /// Sources that a compiler is given, where their text stands on the line: what they take in is read.
    #[cold]
    pub(super) fn taken_in(&mut self, reading: &Reading<'_>, stdin: &Stdin, span: Span) {
        for own in &reading.uses {
            let language = match own.role {
                Some(WordRole::Code(language)) if &**language == "argfile" => "c-source",
                Some(WordRole::Code(language)) if &**language == "tex" => "tex",
                _ => continue,
            };
            for name in own.fields.iter().filter_map(Field::as_known) {
                if let ("-", Stdin::Text(text)) = (name, stdin) {
                    self.code(language, text, span);
                } else {
                    for path in self.resolve(name, Follow::Final, span) {
                        let put = self.put.iter().filter(|own| own.real == path.real).cloned();
                        let put: Vec<Put> = put.collect();
                        texts(&put).iter().for_each(|text| self.code(language, text, span));
                    }
                }
            }
        }
    }

    /// Code that nobody reads here, with the name of a program to which a rule objects where a
    /// command may begin.
    pub(super) fn code_with_names(&mut self, name: &str, text: &str, span: Span) {
        if !self.spend(text.len()) {
            return;
        }
        // An editor makes newlines and tabs of what stands for them.
        let plain = text.replace("\\n", "\n").replace("\\t", "\t");
        // A word of Python's own, and the name of a program that keeps passwords.
        let is_own = |word: &str| word == "pass" && language_of(name) == Some("python");
        let objects = |word: &&str| self.world.objects_to_program(word) && !is_own(word);
        // Words of a compiled language are names more often than programs.
        let found = match is_source(name) {
            true => quoted_words(&plain).find(objects),
            false => first_words(&plain).find(objects),
        };
        if is_source(name) && starts_unknown(&plain) {
            let reason = format!("can't tell which program `{name}`, written by this line, starts");
            self.unanalysable(&reason, Some(span));
        }
        if let Some(word) = found {
            let reason = format!("`{name}`, which the same line writes, may run `{word}`");
            self.unanalysable(&reason, Some(span));
        }
    }

    /// Whether a file is changed by what stands in the words of its command, as `sed -i` does.
    fn is_edit(&self, access: &Access) -> bool {
        let command = access.scope.command.as_ref();
        let known = |exec: &Arc<Exec>| exec.args.iter().all(|arg| arg.known().is_some());
        command.is_some_and(known) && self.has_habit(access, &Habit::Edits)
    }

    /// Code in a file that was there before.
    #[cold]
    fn code_there(&mut self, language: &str, real: &AbsPath, span: Span) {
        if matches!(self.world.host().entry(real), FileEntry::Missing | FileEntry::Dir) {
            return;
        }
        let bytes = self.world.host().read(real, MAX_BYTES);
        match bytes.map(String::from_utf8) {
            Ok(Ok(text)) => self.code(language, &text, span),
            _ => {
                let reason = format!("the {language} code in `{real}` cannot be read");
                self.unanalysable(&reason, Some(span));
            }
        }
    }
}

fn words_of(access: &Access) -> String {
    let args = access.scope.command.iter().flat_map(|exec| exec.args.iter());
    args.filter_map(|arg| arg.known()).collect::<Vec<_>>().join(" ")
}

/// Whether a command that prints into one file and nothing else keeps what was in it.
fn only_output(redirects: &[Redirect]) -> Option<bool> {
    let mut append = None;
    for redirect in redirects {
        let is_output = matches!(redirect.descriptor, Descriptor::Implied | Descriptor::Number(1));
        let op = match redirect.op {
            RedirectOp::HereDoc | RedirectOp::HereDocTabs | RedirectOp::HereString => continue,
            RedirectOp::Write | RedirectOp::Clobber => false,
            RedirectOp::Append => true,
            _ => return None,
        };
        if !is_output || append.replace(op).is_some() {
            return None;
        }
    }
    append
}
