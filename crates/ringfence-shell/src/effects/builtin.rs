//! What a shell carries out itself, as far as it changes what the rest of the line means.

use std::rc::Rc;

use super::Walker;
use super::print_text::printf_text;
use super::script::keeps_braces;
use super::walk::Stdin;
use crate::argv::Reading;
use crate::field::{Field, FieldText};
use crate::span::Span;

impl Walker<'_> {
    /// Follows a builtin; true where that is all there is to it.
    pub(super) fn carried_out(
        &mut self,
        reading: &Reading<'_>,
        (args, stdin): (&[Field], &Stdin),
        span: Span,
    ) -> bool {
        let Some(entry) = reading.entries.first() else { return false };
        let operands = || -> Vec<Field> {
            let operands = reading.uses.iter().filter(|own| own.option.is_none());
            operands.flat_map(|own| own.fields.iter().cloned()).collect()
        };
        match &*entry.name {
            "cd" => {
                let operands = operands();
                let before = (self.state.cwd.clone(), self.state.pwd.clone());
                self.change_directory(operands.first(), reading.has("-P"), span);
                // With more words, or an option that it does not have, it goes nowhere.
                if operands.len() > 1 || reading.seen.has_unlisted() {
                    self.state.if_failed = Some(before);
                }
                return true;
            }
            "pushd" | "popd" if reading.has("-n") => return true,
            "pushd" => {
                match operands().first() {
                    Some(first) if !first.prefix().starts_with(['+', '-']) => {
                        self.change_directory(Some(first), false, span);
                    }
                    _ => self.lost(),
                }
                return true;
            }
            "popd" => self.lost(),
            "exit" | "return" | "break" | "continue" | "logout" => {
                self.leave(&entry.name);
            }
            "trap" => return self.trap(reading, &operands(), span),
            // The bodies of functions are judged where they stand, whichever shell calls them.
            "export" | "declare" | "typeset" | "readonly" if reading.has("-f") => {}
            "export" => self.declare(&operands(), true),
            // Outside of a function it only complains.
            "local" if self.locals.is_empty() => {
                for field in operands() {
                    let name = field.prefix().split(['=', '+', '[']).next().unwrap_or_default();
                    self.set_unknown(name, field.span);
                }
            }
            "declare" | "typeset" | "local" | "readonly" => {
                let operands = operands();
                self.declare(&operands, reading.has("-x"));
                self.attributes(&entry.name, reading, &operands);
            }
            "unset" => operands().iter().filter_map(Field::as_known).for_each(|name| {
                // Of an array only some elements may go.
                let name = name.split('[').next().unwrap_or_default();
                if name == "PATH" {
                    self.state.poisoned = Some(super::path::CHANGED.into());
                }
                self.state.variables.insert(name.to_owned(), super::state::Variable::default());
                self.state.functions.remove(name);
            }),
            "read" | "mapfile" | "readarray" | "getopts" | "printf" | "wait" | "let" => {
                let operands = operands();
                self.made_unknown(reading, &operands, span);
                match &*entry.name {
                    "read" | "mapfile" | "readarray" => {
                        self.read_known(reading, &operands, stdin);
                    }
                    "printf" => self.print_into(reading, args),
                    _ => {}
                }
            }
            "set" => self.set(reading, args, &operands()),
            "shopt" => self.shopt(reading, &operands(), span),
            "shift" => self.shift(&operands()),
            "ulimit" => self.limited = true,
            "eval" => {
                self.metacharacter("eval", span);
                self.eval(&operands(), span);
                return true;
            }
            "." | "source" => {
                self.metacharacter("source", span);
                if let Some((first, args)) = operands().split_first() {
                    self.source(first, args, stdin);
                }
                return true;
            }
            _ => {}
        }
        false
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
                    if name == "PATH" && (!exported || self.changes_path(&value, field.span)) {
                        continue;
                    }
                    self.state.set(name, value.as_known().map(str::to_owned));
                    if exported {
                        self.state.export(name);
                    }
                    self.note_poison(name);
                }
                None if exported && field.as_known().is_some() => self.state.export(&text),
                None => {}
            }
        }
    }

    /// The first parameters go; where there are not so many it fails, and they stay.
    fn shift(&mut self, operands: &[Field]) {
        let count = match operands {
            [] => Some(1),
            [only] => only.as_known().and_then(|text| text.parse::<usize>().ok()),
            _ => None,
        };
        let Some(count) = count else {
            self.state.given |= self.state.positional.take().is_some();
            return;
        };
        let left = self.state.positional.as_ref().and_then(|values| values.get(count..));
        if let Some(left) = left {
            self.state.positional = Some(left.into());
        }
    }

    /// `return`, `break` and the like.
    fn leave(&mut self, builtin: &str) {
        match builtin {
            "exit" | "logout" => self.state.dead = true,
            // Outside of a function or a file it only complains.
            "return" if self.leavable == 0 => {}
            _ => {
                self.left.push(self.state.clone());
                self.state.dead = builtin == "return";
            }
        }
    }

    /// Variables that make something else of what they are set to, and those of a function.
    fn attributes(&mut self, builtin: &str, reading: &Reading<'_>, operands: &[Field]) {
        let odd = builtin == "readonly"
            || ["-i", "-l", "-u", "-c", "-n", "-r", "-a", "-A"]
                .iter()
                .any(|name| reading.has(name));
        let is_fixed =
            !["-i", "-l", "-u", "-c", "-n", "-a", "-A"].iter().any(|name| reading.has(name));
        for field in operands {
            let name = field.prefix().split(['=', '+', '[']).next().unwrap_or_default().to_owned();
            if reading.has("-i") {
                self.doubt_subscripts(&name, field.span);
            }
            match odd {
                true if is_fixed => self.state.make_fixed(&name),
                true => self.state.make_odd(&name),
                false => {}
            }
            if let Some(locals) = self.locals.last_mut() {
                locals.push(name);
            }
        }
    }

    /// Variables that are set to what cannot be told.
    fn made_unknown(&mut self, reading: &Reading<'_>, operands: &[Field], span: Span) {
        let evaluates = reading.entries.iter().any(|entry| &*entry.name == "let");
        let values = reading.uses.iter().filter(|own| own.option.is_some());
        let names =
            values.flat_map(|own| own.fields.iter().cloned()).chain(operands.iter().cloned());
        for field in names {
            if let Some(name) = field.as_known() {
                let name = name.to_owned();
                if evaluates {
                    self.evaluated_names(&name, span, 1);
                }
                match name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                    true => self.set_unknown(&name, span),
                    // An expression, or an element of an array.
                    false => {
                        self.evaluated_names(&name, span, 1);
                        if let Some((array, _)) = name.split_once('[') {
                            self.set_unknown(array, span);
                        }
                    }
                }
            }
        }
        self.state.set("REPLY", None);
        self.state.set("MAPFILE", None);
    }

    /// `printf -v NAME FORMAT VALUE…`
    fn print_into(&mut self, reading: &Reading<'_>, args: &[Field]) {
        let [option, name, words @ ..] = args else { return };
        let words: Option<Vec<&str>> = words.iter().map(Field::as_known).collect();
        if option.as_known() == Some("-v")
            && reading.has("-v")
            && let (Some(name), Some(words)) = (name.as_known(), words)
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            self.state.set(name, printf_text(&words));
        }
    }

    fn set(&mut self, reading: &Reading<'_>, args: &[Field], operands: &[Field]) {
        let harmful = [
            "-a",
            "-k",
            "-P",
            "-r",
            "allexport",
            "keyword",
            "physical",
            "braceexpand",
            "restricted",
        ];
        let by_name = reading
            .uses
            .iter()
            .flat_map(|own| own.fields.iter())
            .any(|field| field.as_known().is_some_and(|text| harmful.contains(&text)));
        if by_name || keeps_braces(args) || harmful.iter().any(|name| reading.has(name)) {
            let reason = "the line makes later words mean other things with `set`";
            self.state.poisoned = Some(reason.into());
        }
        // `set --` takes all of them away; a dash alone ends the options too.
        let ended = args.iter().any(|arg| arg.as_known() == Some("--"));
        let operands = match operands {
            [first, rest @ ..] if !ended && first.as_known() == Some("-") => rest,
            all => all,
        };
        let known = operands.iter().map(|field| field.as_known().map(str::to_owned));
        let known: Option<Rc<[String]>> = known.collect();
        // Whether `+f` is an option or a word depends on what stands before it.
        let plus = operands.iter().any(|operand| operand.prefix().starts_with('+'));
        if ended || !operands.is_empty() {
            self.state.positional = known.filter(|_| !plus);
            self.state.given = plus || any_option(operands);
        }
    }

    fn eval(&mut self, operands: &[Field], span: Span) {
        let words: Option<Vec<&str>> = operands.iter().map(Field::as_known).collect();
        match words {
            Some(words) => {
                let text = words.join(" ");
                self.text(&text, span);
            }
            None => self.unanalysable("can't tell what `eval` would run", Some(span)),
        }
    }

    fn source(&mut self, field: &Field, args: &[Field], _: &Stdin) {
        if field.as_known() == Some("/dev/stdin") || field.prefix().starts_with("/dev/fd/") {
            let reason = "can't tell what is sourced";
            return self.unanalysable(reason, Some(field.span));
        }
        self.script_file(field, Some(args), true);
    }
}

/// Returns whether words that are handed on may be options.
pub(super) fn any_option(words: &[Field]) -> bool {
    let may_be = |field: &Field| match &field.text {
        FieldText::Unknown(dynamic) => dynamic.may_be_option(),
        _ => false,
    };
    words.iter().any(may_be)
}
