//! Parameter expansions.

use ringfence_core::AccessKind;
use ringfence_core::access::Cover;

use super::Walker;
use super::fields::Fields;
use crate::ast::{Param, ParamForm, ParamOp, ParamOpKind, Part, PartKind};
use crate::field::{Dynamic, NUMBER, Part as Known};
use crate::span::Span;

/// Variables that anyone may read.
const FREE: [&str; 12] = [
    "PWD", "OLDPWD", "HOME", "USER", "SHELL", "LANG", "TERM", "TMPDIR", "LOGNAME", "COLUMNS",
    "LINES", "IFS",
];

/// Variables that a shell makes itself.
pub(super) const SHELLS_OWN: [&str; 34] = [
    "_",
    "BASH",
    "BASHPID",
    "BASH_VERSION",
    "BASH_VERSINFO",
    "BASH_SOURCE",
    "BASH_LINENO",
    "BASH_REMATCH",
    "BASH_SUBSHELL",
    "BASH_COMMAND",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HOSTNAME",
    "HOSTTYPE",
    "LINENO",
    "MACHTYPE",
    "OPTARG",
    "OPTIND",
    "OSTYPE",
    "PIPESTATUS",
    "PPID",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "SHLVL",
    "SRANDOM",
    "UID",
    "MAPFILE",
    "COPROC",
    "PATH",
];

impl Walker<'_> {
    pub(super) fn param(&mut self, param: &Param, part: &Part, fields: &mut Fields) {
        if may_be_no_word(param) {
            self.may_be_cut_short();
        }
        // Values can be long, so that even fetching them is work.
        if self.is_exhausted() {
            return fields.unknown(true);
        }
        if let Some(values) = self.all_words(param).map(<[String]>::to_vec) {
            if !self.spend(values.iter().map(|value| value.len().saturating_add(1)).sum()) {
                return fields.unknown(true);
            }
            return fields.words(&values, part.quoted, is_star(param));
        }
        if let Some(subscript) = &param.subscript {
            self.evaluate(subscript, part.span);
        }
        let value = self.value(param, part.span);
        if !self.spend(value.as_ref().map_or(0, String::len)) {
            return fields.unknown(true);
        }
        if param.form == ParamForm::Indirect {
            if value.as_ref().is_some_and(|value| value.contains(['[', '$', '`'])) {
                self.unanalysable("a value is evaluated once more", Some(part.span));
            }
            // The value names another variable, which may be any.
            match &value {
                Some(name) if self.state.variables.contains_key(name.as_str()) => {}
                Some(name) => self.read_variable(&name.clone(), part.span),
                None => self.read_variable("*", part.span),
            }
            self.operator(param.op.as_ref(), None, part, param);
            return fields.unknown(true);
        }
        let plain = param.form == ParamForm::Value && param.subscript.is_none();
        let value = value.filter(|_| plain);
        match self.operator(param.op.as_ref(), value, part, param) {
            Some(value) if part.quoted => fields.quoted(&value),
            Some(value) => fields.split(&value),
            None if self.holds_like(param).is_some() => {
                if let Some(own) = self.holds_like(param).cloned() {
                    fields.like(&own, !part.quoted || param.subscript.is_some());
                }
            }
            None if self.has_plain_default(param) => {
                let like = Dynamic { no_option: true, part: Known::Below, ..Dynamic::default() };
                fields.like(&like, !part.quoted);
            }
            None if plain && self.holds_names(param).is_some() => {
                let (prefix, flat) = self.holds_names(param).unwrap_or_default();
                fields.quoted(&prefix);
                fields.unknown_name(flat);
                if self.ends_with_slash(param) {
                    fields.quoted("/");
                }
            }
            None if plain
                && self.holds_path(param).is_some_and(|path| part.quoted || is_one_word(path)) =>
            {
                let path = self.holds_path(param).unwrap_or_default().to_owned();
                fields.printed(&path);
                if !part.quoted {
                    fields.may_be_no_word();
                }
            }
            None if plain && part.quoted && self.beginning(param).is_some() => {
                fields.quoted(self.beginning(param).unwrap_or_default());
                fields.unknown(false);
            }
            None if self.is_number(param).is_some() => match self.is_number(param) {
                Some(NUMBER) => {
                    fields.number(NUMBER, self.state.variables.contains_key(&param.name));
                }
                Some(mark) => fields.numbers_as(mark, !part.quoted),
                None => fields.unknown(!part.quoted),
            },
            None if self.is_from_before(param) => {
                let many = !part.quoted;
                let step = |fields: &mut Fields| {
                    fields.before(&param.name, many, between(param));
                };
                match self.world.host().env(&param.name) {
                    Some(_) => step(fields),
                    None => fields.nothing_perhaps(step),
                }
            }
            None if is_given(param) && !self.state.given => {
                let many = !part.quoted || matches!(param.name.as_str(), "@" | "*");
                fields.nothing_perhaps(|fields| fields.unknown(many));
            }
            None => {
                // `"${!x@}"` is as many words as there are names.
                let all = param.subscript.is_some()
                    || param.form == ParamForm::Names
                    || matches!(param.name.as_str(), "@" | "*");
                fields.unknown(!part.quoted || all);
            }
        }
    }

    /// Whether a word is `"$@"` and there are none.
    pub(super) fn is_no_word(&self, parts: &[Part]) -> bool {
        match parts {
            [
                Part { kind: PartKind::Literal(text), .. },
                Part { kind: PartKind::Param(param), quoted: true, .. },
            ] => {
                text.is_empty()
                    && !is_star(param)
                    && self.all_words(param).is_some_and(<[String]>::is_empty)
            }
            _ => false,
        }
    }

    /// The words of `$@`, `$*` and `${a[@]}`, where all of them are known.
    fn all_words(&self, param: &Param) -> Option<&[String]> {
        if param.form != ParamForm::Value || param.op.is_some() {
            return None;
        }
        let is_whole = || matches!(subscript(param), Some("@" | "*"));
        match (&param.subscript, param.name.as_str()) {
            (None, "@" | "*") => self.state.positional.as_deref(),
            (Some(_), name) if is_whole() => self.state.variables.get(name)?.list.as_deref(),
            _ => None,
        }
    }

    /// What the names that a variable holds begin with, and whether no slash follows. A known end that
    /// is cut off is a part of the last name: `${f%.txt}`.
    fn holds_names(&self, param: &Param) -> Option<(String, bool)> {
        let variable = self.state.variables.get(&param.name)?;
        let prefix = variable.names.as_deref()?;
        match &param.op {
            None => Some((prefix.to_owned(), variable.flat)),
            Some(op) if op.kind == ParamOpKind::RemoveSuffix => {
                let is_end = |end: &str| is_literal(end) && (variable.slash == (end == "/"));
                op.word
                    .as_static()
                    .filter(|end| is_end(end) && (variable.slash || !end.contains('/')))?;
                let directory = prefix.rfind('/').and_then(|at| prefix.get(..=at));
                Some((directory.unwrap_or_default().to_owned(), variable.flat))
            }
            Some(_) => None,
        }
    }

    /// Whether each name that a variable holds has a slash at its end: `*/`.
    fn ends_with_slash(&self, param: &Param) -> bool {
        let slash = self.state.variables.get(&param.name).is_some_and(|own| own.slash);
        slash && param.op.is_none()
    }

    /// The mark of a parameter that is a number whatever it is.
    fn is_number(&self, param: &Param) -> Option<char> {
        // Not `RANDOM` and kin: to some shells they are variables like any other.
        const NUMBERS: [&str; 3] = ["#", "?", "$"];
        if param.op.is_some() {
            return None;
        }
        match (param.form, self.state.variables.get(&param.name)) {
            (ParamForm::Length, _) => Some(NUMBER),
            (ParamForm::Value, Some(own)) => own.number.filter(|_| param.subscript.is_none()),
            (ParamForm::Value, None) => NUMBERS.contains(&&*param.name).then_some(NUMBER),
            _ => None,
        }
    }

    /// Whether a parameter is what a variable was before the line, by itself or behind a colon or
    /// blank where there is any: `${x:+:$x}`.
    fn is_from_before(&self, param: &Param) -> bool {
        let plain = |param: &Param| param.form == ParamForm::Value && param.subscript.is_none();
        let is_name = |first: char| first.is_ascii_alphabetic() || first == '_';
        let is_set = self.state.variables.contains_key(&param.name);
        if is_set || !plain(param) || !param.name.starts_with(is_name) {
            return false;
        }
        let Some(op) = &param.op else { return true };
        match (op.kind, op.word.parts.as_slice()) {
            (
                ParamOpKind::UseAlternative,
                [
                    Part { kind: PartKind::Literal(between), .. },
                    Part { kind: PartKind::Param(inner), .. },
                ],
            ) => {
                let same = inner.name == param.name && inner.op.is_none() && plain(inner);
                same && matches!(between.as_str(), ":" | " ")
            }
            _ => false,
        }
    }

    /// The value of a parameter, where it can be told; reading it is noted where it is the
    /// environment's.
    fn value(&mut self, param: &Param, span: Span) -> Option<String> {
        let name = param.name.as_str();
        if let Some(variable) = self.state.variables.get(name) {
            return variable.value.clone();
        }
        match name {
            "HOME" => return Some(self.world.home().to_string()),
            "PWD" => return self.pwd_name(),
            // Unless a line says otherwise, it parts words at these.
            "IFS" => return Some(" \t\n".to_owned()),
            _ => {}
        }
        if let Ok(number) = name.parse::<usize>() {
            let at = number.checked_sub(1)?;
            let positional = self.state.positional.as_ref()?;
            return Some(positional.get(at).cloned().unwrap_or_default());
        }
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if let Some(value) = self.world.named_variable(name) {
            return Some(value);
        }
        if is_name && !SHELLS_OWN.contains(&name) {
            self.read_variable(name, span);
        }
        None
    }

    /// Whether a parameter that nobody has set has a default below the directory.
    fn has_plain_default(&self, param: &Param) -> bool {
        let Some(op) = param.op.as_ref().filter(|op| op.kind == ParamOpKind::UseDefault) else {
            return false;
        };
        let is_plain = |text: &str| {
            !text.starts_with(['-', '+', '/', '~'])
                && !text.contains([' ', '\t', '\n'])
                && !text.split('/').any(|part| part == "..")
        };
        self.is_unset(param) && op.word.as_static().is_some_and(|text| is_plain(&text))
    }

    /// Whether neither the line nor what was before it has set a parameter.
    fn is_unset(&self, param: &Param) -> bool {
        let name = param.name.as_str();
        let plain = param.form == ParamForm::Value && param.subscript.is_none();
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        let is_variable =
            name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        let free = !SHELLS_OWN.contains(&name) && !FREE.contains(&name);
        plain
            && match self.state.variables.get(name) {
                Some(_) => false,
                None if is_number => self.state.positional.is_none() && !self.state.given,
                None => is_variable && free && self.world.host().env(name).is_none(),
            }
    }

    pub(super) fn read_variable(&mut self, name: &str, span: Span) {
        if name.contains(['=', '\0']) || FREE.contains(&name) {
            return;
        }
        // Reading a variable is never part of a command's grant.
        let cover = std::mem::replace(&mut self.scope.cover, Cover::OwnGrant);
        self.add(AccessKind::ReadEnv(name.into()), span);
        self.scope.cover = cover;
    }

    /// What an operator makes of a value.
    fn operator(
        &mut self,
        op: Option<&ParamOp>,
        value: Option<String>,
        part: &Part,
        param: &Param,
    ) -> Option<String> {
        let Some(op) = op else { return value };
        let word = self.expand_one(&op.word);
        let text = word.as_known().map(str::to_owned);
        match op.kind {
            ParamOpKind::UseDefault => match value {
                Some(value) if !value.is_empty() => Some(value),
                Some(_) => None,
                None => None,
            },
            ParamOpKind::AssignDefault => {
                self.set_unknown(&param.name, part.span);
                None
            }
            ParamOpKind::UseAlternative => value.filter(|own| !own.is_empty()).and(text),
            ParamOpKind::FailIfUnset => value,
            ParamOpKind::RemovePrefix
            | ParamOpKind::RemoveSuffix
            | ParamOpKind::Replace
            | ParamOpKind::ChangeCase => self.operated(op.kind, &op.word, &value?),
            ParamOpKind::Transform('P' | 'E') => {
                self.unanalysable("a value is expanded once more", Some(part.span));
                None
            }
            ParamOpKind::Substring => {
                self.evaluated_text(&word);
                self.operated(op.kind, &op.word, &value?)
            }
            ParamOpKind::Transform(_) => self.operated(op.kind, &op.word, &value?),
        }
    }
}

/// Whether a path stays one word without quotes.
pub(super) fn is_one_word(path: &str) -> bool {
    !path.contains([' ', '\t', '\n', '*', '?', '[', '\\'])
}

/// What an alternative value begins with: `${x:+:$x}`.
fn between(param: &Param) -> Option<char> {
    match param.op.as_ref()?.word.parts.first()?.kind {
        PartKind::Literal(ref text) => text.chars().next(),
        _ => None,
    }
}

/// Whether a shell may refuse to expand a parameter: what it names is no name, or what it is cut by is no
/// number.
fn may_be_no_word(param: &Param) -> bool {
    let is_plain = |text: &str| {
        matches!(text, "@" | "*" | "0") || text.starts_with(|c: char| matches!(c, '1'..='9'))
    };
    let has_subscript = param.subscript.is_some() && !subscript(param).is_some_and(is_plain);
    let is_cut = param.op.as_ref().is_some_and(|op| op.kind == ParamOpKind::Substring);
    has_subscript || is_cut || param.form == ParamForm::Indirect
}

/// Whether a pattern matches itself and nothing else.
fn is_literal(pattern: &str) -> bool {
    !pattern.contains(['*', '?', '[', '(', '\\'])
}

/// Whether a parameter is one that a shell is given, which most are not: `$1`, `$@`, `$!`.
fn is_given(param: &Param) -> bool {
    let plain = param.form == ParamForm::Value && param.subscript.is_none() && param.op.is_none();
    let is_number = || param.name.bytes().all(|byte| byte.is_ascii_digit()) && param.name != "0";
    plain && (matches!(param.name.as_str(), "@" | "*" | "!") || is_number())
}

/// A subscript that is plain text.
fn subscript(param: &Param) -> Option<&str> {
    match param.subscript.as_deref()? {
        [Part { kind: PartKind::Literal(text) | PartKind::Glob(text), .. }] => Some(text),
        _ => None,
    }
}

/// Whether all words are joined to one in quotes: `$*`, `${a[*]}`.
fn is_star(param: &Param) -> bool {
    param.name == "*" || subscript(param) == Some("*")
}
