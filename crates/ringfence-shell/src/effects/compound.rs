//! Compound commands and functions: every branch is gone.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::budget::ENTRY;
use super::builtin::any_option;
use super::output::Said;
use super::state::{Definition, State};
use super::walk::Stdin;
use super::{MAX_ROUNDS, Walker};
use crate::ast::{
    BinaryOperator, CaseCommand, Compound, CompoundKind, Cond, ForCommand, ForKind, Function,
    IfCommand, LoopCommand, Script,
};
use crate::field::{Dynamic, Field, FieldText, NUMBER};

/// Functions that a shell calls of its own accord.
const CALLED_BY_THE_SHELL: [&str; 2] = ["command_not_found_handle", "command_not_found_handler"];

impl Walker<'_> {
    pub(super) fn compound(&mut self, compound: &Compound, stdin: &Stdin) {
        let before = (!compound.redirects.is_empty()).then(|| self.state.clone());
        let own = self.redirects(&compound.redirects);
        let stdin = own.as_ref().unwrap_or(stdin);
        self.saying_into(&compound.redirects, |walker| walker.compound_kind(compound, stdin));
        before.into_iter().for_each(|before| self.unless_all_opened(before));
    }

    fn compound_kind(&mut self, compound: &Compound, stdin: &Stdin) {
        match &compound.kind {
            CompoundKind::Subshell(script) => {
                self.in_subshell(|walker| walker.script_reading(script, stdin));
            }
            CompoundKind::Group(script) => self.script_reading(script, stdin),
            CompoundKind::If(command) => {
                self.saying_at_times(|walker| walker.branches(command, stdin));
            }
            CompoundKind::Loop(command) => {
                self.saying_at_times(|walker| walker.repeat(command, stdin));
            }
            CompoundKind::For(command) => self.for_each(command, stdin),
            CompoundKind::ArithFor { header, body } => {
                self.arithmetic(header);
                self.saying_at_times(|walker| {
                    walker.round(stdin, |walker, stdin| walker.script_reading(body, stdin));
                });
            }
            CompoundKind::Case(command) => {
                self.saying_at_times(|walker| walker.case(command, stdin));
            }
            CompoundKind::Arith(arith) => self.arithmetic(arith),
            CompoundKind::Cond(cond) => self.cond(cond),
        }
    }

    /// Nothing is done where a file cannot be opened.
    pub(super) fn unless_opened(&mut self, before: State) {
        let (cwd, pwd) = (self.state.cwd.clone(), self.state.pwd.clone());
        let was = (before.cwd.clone(), before.pwd.clone());
        let failed = self.state.if_failed.take();
        self.state.join(before);
        if cwd == was.0 {
            self.state.if_failed = failed;
        } else {
            (self.state.cwd, self.state.pwd) = (cwd, pwd);
            self.state.if_failed = failed.or(Some(was));
        }
    }

    /// As [`Walker::unless_opened`], for a command of several parts: one may have failed after another
    /// has gone elsewhere.
    fn unless_all_opened(&mut self, before: State) {
        let after = (self.state.cwd.clone(), self.state.pwd.clone());
        self.unless_opened(before);
        if let Some(failed) = self.state.if_failed.take() {
            let mut either = self.state.clone();
            (either.cwd, either.pwd) = failed;
            either.join_pwd(&after.1);
            either.join_directories(&after.0);
            self.state.if_failed = Some((either.cwd, either.pwd));
        }
    }

    fn branches(&mut self, command: &IfCommand, stdin: &Stdin) {
        let mut ends = Vec::new();
        for (condition, body) in &command.branches {
            self.script_reading(condition, stdin);
            let before = self.state.clone();
            self.script_reading(body, stdin);
            ends.push(std::mem::replace(&mut self.state, before));
        }
        if let Some(otherwise) = &command.otherwise {
            self.script_reading(otherwise, stdin);
        }
        ends.into_iter().for_each(|end| self.state.join(end));
    }

    fn repeat(&mut self, command: &LoopCommand, stdin: &Stdin) {
        if self.each_line(command, stdin) {
            return;
        }
        self.round(stdin, |walker, stdin| {
            walker.script_reading(&command.condition, stdin);
            walker.script_reading(&command.body, stdin);
        });
    }

    /// A body that may run any number of times: once to see what it changes, once for its effects.
    fn round(&mut self, stdin: &Stdin, body: impl Fn(&mut Self, &Stdin)) {
        let before = self.state.clone();
        let (accesses, doubts) = (self.effects.accesses.len(), self.effects.doubts.len());
        let left = self.left.len();
        self.watching(|walker| {
            body(walker, stdin);
            walker.effects.accesses.truncate(accesses);
            walker.effects.doubts.truncate(doubts);
            walker.join_left(left);
            walker.state.forget_changes(&before);
            body(walker, stdin);
        });
        self.join_left(left);
        self.state.forget_changes(&before);
        self.state.join(before);
    }

    fn for_each(&mut self, command: &ForCommand, stdin: &Stdin) {
        let words = match &command.words {
            Some(words) => words.iter().flat_map(|word| self.expand(word)).collect(),
            None => self.positional_fields(),
        };
        self.set_unknown(&command.name, command.body.span);
        let known = self.known_names(&words).filter(|_| command.kind == ForKind::For);
        let sure = words.iter().all(|field| field.as_known().is_some());
        match known {
            Some(values) if self.rounds.saturating_add(values.len()) <= MAX_ROUNDS => {
                self.rounds = self.rounds.saturating_add(values.len());
                let before = self.state.clone();
                for value in values {
                    self.state.set(&command.name, Some(value));
                    self.body(&command.body, stdin);
                }
                self.state.join(before);
                if !sure {
                    let flat =
                        matches!(words.as_slice(), [only] if is_flat(only)) && !self.globs.deep;
                    self.say(Said::Unknown);
                    self.any_name(command, &words, flat, stdin);
                }
            }
            // Names that were not looked at one by one may lie anywhere.
            _ => self.saying_at_times(|walker| walker.any_name(command, &words, false, stdin)),
        }
        self.state.set(&command.name, None);
    }

    /// The words of a loop, with what patterns among them become here.
    fn known_names(&mut self, words: &[Field]) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for field in words {
            match &field.text {
                FieldText::Known(text) => names.push(text.to_string()),
                FieldText::Glob(pattern) => names.extend(self.glob(pattern, field.span)),
                FieldText::Unknown(_) => return None,
            }
        }
        Some(names)
    }

    /// A loop over words that cannot all be told; whether they all lie right in one directory.
    fn any_name(&mut self, command: &ForCommand, words: &[Field], flat: bool, stdin: &Stdin) {
        self.state.set(&command.name, None);
        // Whoever chooses none of them leaves the variable of `select` empty.
        let words_of_for = if command.kind == ForKind::For { words } else { &[] };
        let numbers: Option<Vec<char>> = words_of_for.iter().map(number_of).collect();
        if let Some(mark) = numbers.and_then(|marks| marks.into_iter().max()) {
            self.state.set_number(&command.name, mark);
        } else if let Some(dynamic) = only_unknown(words_of_for) {
            self.state.set_like(&command.name, dynamic);
        } else if let Some(prefix) = names_of(words_of_for) {
            self.state.set_name(&command.name, prefix, flat);
            if flat && words.iter().all(|word| word.shown().ends_with('/')) {
                self.state.set_slash(&command.name);
            }
        }
        words.iter().for_each(|field| self.name_of_file(field));
        self.round(stdin, |walker, stdin| walker.body(&command.body, stdin));
    }

    pub(super) fn body(&mut self, body: &Script, stdin: &Stdin) {
        self.state.dead = false;
        let left = self.left.len();
        self.script_reading(body, stdin);
        self.join_left(left);
        self.state.dead = false;
    }

    /// What may hold as well, because a loop or a function was left in the middle.
    fn join_left(&mut self, from: usize) {
        for state in self.left.get(from..).unwrap_or_default().to_vec() {
            if !self.spend(ENTRY) {
                return;
            }
            self.state.join(state);
        }
    }

    /// Does what a `return` in it leaves.
    pub(super) fn leaving(&mut self, step: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.left);
        self.leavable = self.leavable.saturating_add(1);
        step(self);
        self.leavable = self.leavable.saturating_sub(1);
        self.join_left(0);
        self.left = outer;
    }

    fn case(&mut self, command: &CaseCommand, stdin: &Stdin) {
        self.expand_one(&command.word);
        let before = self.state.clone();
        let mut joined = before.clone();
        for clause in &command.clauses {
            for pattern in &clause.patterns {
                self.expand_one(pattern);
            }
            // A body may also begin where the one before it ended.
            self.script_reading(&clause.body, stdin);
            joined.join(self.state.clone());
            self.state = joined.clone();
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Any(terms) | Cond::All(terms) => terms.iter().for_each(|term| self.cond(term)),
            Cond::Not(term) | Cond::Group(term) => self.cond(term),
            Cond::Word(word) => {
                self.expand_one(word);
            }
            Cond::Unary { operator, operand } => {
                let field = self.expand_one(operand);
                if *operator == 'v' {
                    self.evaluated_text(&field);
                }
                self.name_of_file(&field);
            }
            Cond::Binary { operator, left, right } => {
                for word in [left, right] {
                    let field = self.expand_one(word);
                    if *operator == BinaryOperator::Numbers {
                        self.evaluated_text(&field);
                    }
                }
            }
        }
    }

    pub(super) fn define(&mut self, function: &Function) {
        let name = function.name.clone();
        let called_anyway = CALLED_BY_THE_SHELL.contains(&name.as_str());
        let body = Arc::clone(&function.body);
        self.state.functions.insert(name.clone(), Definition { body, certain: true });
        // A body that is never called runs nothing, but another shell would call some by name.
        if called_anyway || name.starts_with("TRAP") {
            self.call(&name, &[], &Stdin::Unknown);
        } else {
            let now = self.state.clone();
            self.uncalled.push((name, now));
        }
    }

    /// What a function would do is part of the line, whether or not this line calls it.
    pub(super) fn look_at_uncalled(&mut self) {
        if self.uncalled.is_empty() {
            return;
        }
        // Kept, so that no other body takes the place of one that was looked at.
        let mut seen: HashMap<*const Compound, Arc<Compound>> = HashMap::new();
        while let Some((name, state)) = self.uncalled.pop() {
            self.state = state;
            self.state.positional = None;
            self.state.given = false;
            let Some(Definition { body, .. }) = self.state.functions.get(&name).cloned() else {
                continue;
            };
            // Functions that define each other would go on for ever.
            if !self.is_exhausted() && seen.insert(Arc::as_ptr(&body), Arc::clone(&body)).is_none()
            {
                self.nested(body.span, |walker| walker.compound(&body, &Stdin::Unknown));
            }
        }
    }

    /// Calls a function of the line; false where there is none of this name.
    pub(super) fn call(&mut self, name: &str, args: &[Field], stdin: &Stdin) -> bool {
        let Some(definition) = self.state.functions.get(name).cloned() else { return false };
        let Definition { body, certain } = definition;
        self.spend(self.uncalled.len());
        self.uncalled.retain(|(own, _)| own != name);
        let known: Option<Rc<[String]>> =
            args.iter().map(|field| field.as_known().map(str::to_owned)).collect();
        let positional = std::mem::replace(&mut self.state.positional, known);
        let given = std::mem::replace(&mut self.state.given, any_option(args));
        self.locals.push(Vec::new());
        self.leaving(|walker| walker.nested(body.span, |walker| walker.compound(&body, stdin)));
        for name in self.locals.pop().unwrap_or_default() {
            // What the variable was before the call it is again.
            self.state.variables.entry(&name).fixed = false;
            self.state.set(&name, None);
        }
        self.state.positional = positional;
        self.state.given = given;
        self.state.dead = false;
        certain
    }
}

/// The mark of a word that is a number, or several of them. Nothing is left of words that are nothing.
fn number_of(field: &Field) -> Option<char> {
    match field.as_known() {
        Some(text) => is_digits(text).then_some(NUMBER),
        None => field.as_number().map(|mark| if field.is_many() { NUMBER } else { mark }),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a pattern becomes names that lie right in one known directory. What begins with a dot may be
/// the directory above.
fn is_flat(field: &Field) -> bool {
    let FieldText::Glob(pattern) = &field.text else { return false };
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let (directory, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    !name.starts_with('.') && !directory.contains(['*', '?', '[', '\\'])
}

/// What is known of the words that a loop goes over, where one word becomes all of them.
fn only_unknown(words: &[Field]) -> Option<&Dynamic> {
    match words {
        [Field { text: FieldText::Unknown(dynamic), .. }] if dynamic.tells() => Some(dynamic),
        _ => None,
    }
}

/// What all names that a loop goes over begin with, where patterns became them.
fn names_of(words: &[Field]) -> Option<String> {
    let mut prefixes = words.iter().map(|field| match &field.text {
        FieldText::Glob(_) => Some(field.prefix()),
        FieldText::Known(text) if !text.starts_with('-') => Some(&**text),
        _ => None,
    });
    let first = prefixes.next()??.to_owned();
    prefixes.try_fold(first, |common, prefix| {
        let same = common.chars().zip(prefix?.chars()).take_while(|(one, two)| one == two);
        Some(same.map(|(one, _)| one).collect())
    })
}
