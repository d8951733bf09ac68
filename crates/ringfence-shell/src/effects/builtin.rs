//! What a shell carries out itself, as far as it changes what the rest of the line means.

use std::rc::Rc;

use ringfence_core::path::{AbsPath, EntryKind, Follow};

use super::Walker;
use super::walk::Stdin;
use crate::argv::Reading;
use crate::field::Field;
use crate::span::Span;

impl Walker<'_> {
    /// Follows a builtin; true where that is all there is to it.
    pub(super) fn carried_out(&mut self, reading: &Reading, stdin: &Stdin, span: Span) -> bool {
        let Some(entry) = reading.entries.first().cloned() else { return false };
        let operands: Vec<Field> = reading
            .uses
            .iter()
            .filter(|own| own.option.is_none())
            .flat_map(|own| own.fields.clone())
            .collect();
        match &*entry.name {
            "cd" => {
                let before = self.state.cwd.clone();
                self.change_directory(operands.first(), span);
                if operands.len() > 1 {
                    self.state.if_failed = Some(before);
                }
                return true;
            }
            "pushd" | "popd" if reading.has("-n") => return true,
            "pushd" => {
                match operands.first() {
                    Some(first) if !first.prefix().starts_with(['+', '-']) => {
                        self.change_directory(Some(first), span);
                    }
                    _ => self.state.cwd.clear(),
                }
                return true;
            }
            "popd" => self.state.cwd.clear(),
            "exit" | "return" | "break" | "continue" | "logout" => {
                self.state.dead = matches!(&*entry.name, "exit" | "return" | "logout");
            }
            "export" => self.declare(&operands, true),
            "declare" | "typeset" | "local" | "readonly" => {
                self.declare(&operands, reading.has("-x"));
                self.attributes(&entry.name, reading, &operands);
            }
            "unset" => operands.iter().filter_map(Field::as_known).for_each(|name| {
                self.state.variables.insert(name.to_owned(), super::state::Variable::default());
                self.state.functions.remove(name);
            }),
            "read" | "mapfile" | "readarray" | "getopts" | "printf" | "wait" | "let" => {
                self.made_unknown(reading, &operands, span);
            }
            "set" => self.set(reading, &operands),
            "shift" => self.state.positional = None,
            "eval" => {
                self.metacharacter("eval", span);
                self.eval(&operands, span);
                return true;
            }
            "." | "source" => {
                self.metacharacter("source", span);
                let args = operands.get(1..).unwrap_or_default().to_vec();
                if let Some(first) = operands.first() {
                    self.source(first, &args, stdin);
                }
                return true;
            }
            _ => {}
        }
        false
    }

    fn change_directory(&mut self, target: Option<&Field>, span: Span) {
        let before = std::mem::take(&mut self.state.cwd);
        let text = match target.map(|field| field.as_known()) {
            None => match self.state.variables.get("HOME") {
                Some(home) => match home.value.clone() {
                    Some(home) => home,
                    None => return self.lost(),
                },
                None => self.world.home().to_string(),
            },
            Some(Some("-")) => match self.state.variables.get("OLDPWD") {
                Some(variable) if variable.value.is_some() => {
                    variable.value.clone().unwrap_or_default()
                }
                _ => return self.lost(),
            },
            Some(None) => return self.lost(),
            Some(Some(text)) => text.to_owned(),
        };
        if let Some(field) = target {
            self.state.cwd = before.clone();
            self.name_of_file(field);
        }
        self.state.cwd = before.clone();
        let paths = self.resolve(&text, Follow::Final, span);
        let certain = paths.iter().all(|path| path.kind == Some(EntryKind::Dir));
        self.state.cwd = paths.into_iter().map(|path| path.real).collect::<Vec<AbsPath>>();
        self.state.if_failed = (!certain).then(|| before.clone());
        let previous = match before.as_slice() {
            [only] if certain || self.state.if_failed.is_some() => Some(only.to_string()),
            _ => None,
        };
        self.state.set("OLDPWD", previous);
    }

    /// It can no longer be told in which directory the shell is.
    fn lost(&mut self) {
        self.state.cwd.clear();
        self.state.if_failed = None;
        self.state.set("OLDPWD", None);
    }

    fn declare(&mut self, operands: &[Field], exported: bool) {
        for field in operands {
            let text = field.prefix().to_owned();
            match text.split_once('=') {
                Some((name, _)) => {
                    let value = field.skip(name.len().saturating_add(1));
                    let name = name.trim_end_matches('+');
                    if !exported {
                        self.set_variable(name, &value, field.span);
                    }
                    self.state.set(name, value.as_known().map(str::to_owned));
                    if exported {
                        self.state.export(name);
                    }
                    self.note_poison(name);
                    if exported && name == "PATH" {
                        self.changes_path(field.span);
                    }
                }
                None if exported && field.as_known().is_some() => self.state.export(&text),
                None => {}
            }
        }
    }

    /// Variables that make something else of what they are set to, and those of a function.
    fn attributes(&mut self, builtin: &str, reading: &Reading, operands: &[Field]) {
        let odd = builtin == "readonly"
            || ["-i", "-l", "-u", "-c", "-n", "-r", "-a", "-A"]
                .iter()
                .any(|name| reading.has(name));
        for field in operands {
            let name = field.prefix().split(['=', '+', '[']).next().unwrap_or_default().to_owned();
            if odd {
                self.state.make_odd(&name);
            }
            if let Some(locals) = self.locals.last_mut() {
                locals.push(name);
            }
        }
    }

    /// Variables that are set to what cannot be told.
    fn made_unknown(&mut self, reading: &Reading, operands: &[Field], span: Span) {
        let values = reading.uses.iter().filter(|own| own.option.is_some());
        let names = values.flat_map(|own| own.fields.clone()).chain(operands.iter().cloned());
        for field in names {
            if let Some(name) = field.as_known() {
                let name = name.to_owned();
                match name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                    true => self.set_unknown(&name, span),
                    // An expression, or an element of an array.
                    false => self.evaluated_names(&name, span, 1),
                }
            }
        }
        self.state.set("REPLY", None);
        self.state.set("MAPFILE", None);
    }

    fn set(&mut self, reading: &Reading, operands: &[Field]) {
        let harmful = ["-a", "-k", "allexport", "keyword"];
        let by_name = reading
            .uses
            .iter()
            .flat_map(|own| &own.fields)
            .any(|field| field.as_known().is_some_and(|text| harmful.contains(&text)));
        if by_name || harmful.iter().any(|name| reading.has(name)) {
            let reason = "the line makes later words mean other things with `set`";
            self.state.poisoned = Some(reason.into());
        }
        let known = operands.iter().map(|field| field.as_known().map(str::to_owned));
        let known: Option<Rc<[String]>> = known.collect();
        // Whether `+f` is an option or a word depends on what stands before it.
        let plus = operands.iter().any(|operand| operand.prefix().starts_with('+'));
        if !operands.is_empty() {
            self.state.positional = known.filter(|_| !plus);
        }
    }

    fn eval(&mut self, operands: &[Field], span: Span) {
        let words: Option<Vec<&str>> = operands.iter().map(Field::as_known).collect();
        match words {
            Some(words) => {
                let text = words.join(" ");
                self.text(&text, span);
            }
            None => self.unanalysable("what `eval` would run cannot be told", Some(span)),
        }
    }

    fn source(&mut self, field: &Field, args: &[Field], _: &Stdin) {
        if field.as_known() == Some("/dev/stdin") || field.prefix().starts_with("/dev/fd/") {
            let reason = "what is sourced cannot be told";
            return self.unanalysable(reason, Some(field.span));
        }
        self.script_file(field, Some(args), true);
    }
}
