//! Assignments.

use ringfence_core::AccessKind;
use ringfence_core::access::base_name;
use ringfence_core::net::is_url;
use ringfence_core::program::{FileUse, WordRole};

use super::Walker;
use super::param::SHELLS_OWN;
use crate::ast::{Assignment, AssignmentValue};
use crate::field::{Dynamic, Field, FieldText, NUMBER, PERHAPS, PLAIN, Part};
use crate::lang::words::split;
use crate::span::Span;

/// Variables that change how the shell reads the rest of the line.
const POISONOUS: [&str; 11] = [
    "IFS",
    "CDPATH",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "BASH_ENV",
    "ENV",
    "BASH_ALIASES",
    "BASH_CMDS",
    "POSIXLY_CORRECT",
    "PROMPT_COMMAND",
];

/// Variables that a shell does not let anybody set: it leaves out the rest of a line that tries.
const READ_ONLY: [&str; 6] = ["UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"];

/// Variables of the shell's own that evaluate what they are set to.
const INTEGERS: [&str; 6] = ["RANDOM", "SRANDOM", "SECONDS", "OPTIND", "HISTCMD", "LINENO"];

/// The longest value in which names are looked for, as in an operand.
const MAX_VALUE: usize = 4096;

/// A variable that is set for a command.
#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) value: Field,
    /// The elements of an array, where all of them are known.
    pub(super) list: Option<Vec<String>>,
    pub(super) span: Span,
}

impl Set {
    /// A value behind it has set the variable once more.
    fn forget(&mut self) {
        self.value = Field::unknown("…", false, self.span);
        self.list = None;
    }
}

impl Walker<'_> {
    /// The assignments before a command, with what they run.
    pub(super) fn assigned(&mut self, assignments: &[Assignment]) -> Vec<Set> {
        if assignments.is_empty() {
            return Vec::new();
        }
        let mut sets: Vec<Set> = Vec::with_capacity(assignments.len());
        let before = self.state.variables.clone();
        let mut changed = Vec::new();
        for assignment in assignments {
            // Each one sees those before it.
            if let Some(set) = sets.last() {
                self.state.set(&set.name, set.value.as_known().map(str::to_owned));
                self.state.set_list(&set.name, set.list.clone());
            }
            let seen = self.state.variables.clone();
            if let Some(subscript) = &assignment.subscript {
                self.evaluate(subscript, assignment.span);
            }
            let mut list = None;
            let value = match &assignment.value {
                AssignmentValue::Scalar(word) => self.expand_one(word),
                AssignmentValue::Array(elements) => {
                    let (known, below) = self.elements(elements);
                    list = known;
                    let part = if below { Part::Below } else { Part::Any };
                    let shown = "(…)".to_owned();
                    let all =
                        Dynamic { shown, many: true, no_option: below, part, ..Dynamic::default() };
                    Field { text: FieldText::Unknown(Box::new(all)), span: assignment.span }
                }
            };
            let whole = !assignment.append && assignment.subscript.is_none();
            let value = match whole {
                true => value,
                false => self.appended(assignment, &value),
            };
            let list = list.filter(|_| whole);
            for name in self.state.variables.differing(&seen) {
                sets.iter_mut().filter(|set| set.name == name).for_each(Set::forget);
                changed.push(name);
            }
            sets.push(Set { name: assignment.name.clone(), value, list, span: assignment.span });
        }
        if assignments.len() > 1 {
            self.state.variables = before;
            // What the values themselves have set is not known: `a=${x:=v} b=2`.
            for name in changed {
                self.state.set(&name, None);
                self.state.set_list(&name, None);
            }
        }
        sets
    }

    /// What a variable holds behind `NAME+=VALUE`, where both are known.
    fn appended(&self, assignment: &Assignment, more: &Field) -> Field {
        let before = self.state.variables.get(&assignment.name).filter(|own| !own.odd);
        let before = before.and_then(|own| own.value.as_deref());
        let is_plain = assignment.subscript.is_none()
            && matches!(assignment.value, AssignmentValue::Scalar(_));
        match (before, more.as_known()) {
            (Some(before), Some(more)) if is_plain => {
                Field::known(format!("{before}{more}"), assignment.span)
            }
            _ => Field::unknown("…", false, assignment.span),
        }
    }

    /// Assignments without a command set variables of the shell.
    pub(super) fn set_in_shell(&mut self, sets: Vec<Set>) {
        for set in sets {
            self.set_variable(&set.name, &set.value, set.span);
            // `PATH` stays what it was where directories are added to it.
            if self.state.variables.contains_key(&set.name) {
                self.state.set_list(&set.name, set.list);
            }
        }
    }

    pub(super) fn set_variable(&mut self, name: &str, value: &Field, span: Span) {
        if READ_ONLY.contains(&name) || self.state.variables.get(name).is_some_and(|own| own.odd) {
            self.may_be_cut_short();
        }
        if INTEGERS.contains(&name) {
            self.doubt_subscripts(name, span);
        }
        if self.state.variables.get(name).is_some_and(|own| own.odd) {
            // Some variables evaluate what they are set to.
            self.evaluated_at(value, 1);
        }
        if self.is_exported(name) {
            self.set_for_command(name, value, span);
        } else {
            if self.world.objects_to_variable(name) {
                self.add(AccessKind::SetEnv(name.into()), span);
            }
            // Whether programs are given it is not known for sure.
            self.named_by(self.world.catalogue().variable(name), name, value);
        }
        if name == "PATH" && self.changes_path(value, span) {
            return;
        }
        self.note_poison(name);
        self.hold(name, value);
    }

    /// A variable holds what it is set to, as far as that is known.
    fn hold(&mut self, name: &str, value: &Field) {
        let before = self.number_in(name);
        self.state.set(name, value.as_known().map(str::to_owned));
        if let FieldText::Unknown(dynamic) = &value.text
            && !SHELLS_OWN.contains(&name)
        {
            self.hold_dynamic(name, value, dynamic, before);
        }
    }

    /// As [`Walker::hold`], for what is not known to its end.
    #[cold]
    fn hold_dynamic(&mut self, name: &str, value: &Field, dynamic: &Dynamic, before: Option<char>) {
        if dynamic.part == Part::Perhaps && dynamic.bare.is_empty() && dynamic.suffix.is_empty() {
            return self.state.set_path(name, &dynamic.prefix);
        }
        if matches!(dynamic.part, Part::Numbers(_))
            && !dynamic.many
            && dynamic.prefix.contains('/')
            && !dynamic.suffix.contains('/')
        {
            let prefix = dynamic.prefix.clone();
            let name_of = Dynamic { prefix, part: Part::Name, ..Dynamic::default() };
            return self.state.set_like(name, &name_of);
        }
        if value.is_beside_its_beginning() {
            return self.state.set_beginning(name, &dynamic.prefix);
        }
        if dynamic.tells() {
            return self.state.set_like(name, dynamic);
        }
        // It can be no option behind the name of the variable either.
        if matches!(dynamic.part, Part::Any | Part::Below)
            && let Some(prefix) = value.as_operand()
        {
            return self.state.set_name(name, prefix.to_owned(), false);
        }
        // What cannot be computed leaves the variable as it was.
        match (before, value.as_mark()) {
            (Some(before), Some(mark @ (NUMBER | PERHAPS))) => {
                let mark = if before == NUMBER { mark } else { before };
                self.state.set_number(name, mark);
            }
            (_, Some(mark)) if mark == PLAIN => self.state.set_number(name, mark),
            _ => {}
        }
    }

    /// After some variables are set, words may mean other things.
    pub(super) fn note_poison(&mut self, name: &str) {
        if POISONOUS.contains(&name) {
            let reason = format!("the line sets `{name}`, after which words may mean other things");
            self.state.poisoned = Some(reason.into());
        }
    }

    /// Whether programs are given a variable.
    pub(super) fn is_exported(&self, name: &str) -> bool {
        self.state.variables.get(name).is_some_and(|own| own.exported)
            || self.world.host().env(name).is_some()
    }

    /// A variable is set to what cannot be told.
    pub(super) fn set_unknown(&mut self, name: &str, span: Span) {
        self.set_variable(name, &Field::unknown("…", false, span), span);
    }

    /// A variable that programs are given: the variable, and what its value names.
    pub(super) fn set_env(&mut self, name: &str, value: &Field, span: Span) {
        self.set_env_by(self.world.catalogue().variable(name), name, value, span);
    }

    /// The same, where it is known what the variable is.
    fn set_env_by(&mut self, role: Option<WordRole>, name: &str, value: &Field, span: Span) {
        if name.is_empty() || name.contains(['=', '\0']) {
            return;
        }
        self.add(AccessKind::SetEnv(name.into()), span);
        self.named_by(role, name, value);
    }

    /// As [`Walker::set_env`], for what runs on this machine: where nothing is known of the variable,
    /// its value may be to a command what an operand is to a program of which nothing is known.
    pub(super) fn set_for_command(&mut self, name: &str, value: &Field, span: Span) {
        let role = self.world.catalogue().variable(name);
        let is_known = role.is_some();
        self.set_env_by(role, name, value, span);
        if !is_known && !self.has_already(name, value) {
            self.may_name(name, value);
        }
    }

    /// What a value may name: places outside, addresses, and a command to which a rule objects.
    #[cold]
    fn may_name(&mut self, name: &str, value: &Field) {
        let besides = value.besides(name);
        let Some(text) = besides.as_deref().or_else(|| value.as_known()) else {
            if is_outside(value.prefix()) {
                self.file(FileUse::Read, value);
            }
            return;
        };
        if text.len() > MAX_VALUE {
            return;
        }
        for place in places(text) {
            match is_url(place) {
                true => self.url(&Field::known(place, value.span)),
                false => self.named_in_code(FileUse::Read, place, value.span),
            }
        }
        self.may_start(name, text, value.span);
    }

    /// A value that begins with a program to which a rule objects may be a command: it needs no
    /// grant, but meets whoever objects.
    fn may_start(&mut self, name: &str, text: &str, span: Span) {
        const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "fish", "ksh", "csh", "tcsh"];
        let first = text.split_whitespace().next().unwrap_or_default();
        let program = base_name(first);
        // The bare name of a shell says which one is meant, as `SHELL=bash` does.
        let names_shell = first == text.trim() && SHELLS.contains(&program);
        if names_shell || !self.world.objects_to_program(program) {
            return;
        }
        match split(text) {
            Some(words) => {
                let words: Vec<Field> =
                    words.into_iter().skip(1).map(|word| Field::known(word, span)).collect();
                self.may_be_run(program, &words, span);
            }
            None => {
                let reason = format!("`{name}` may be the command `{text}`");
                self.unanalysable(&reason, Some(span));
            }
        }
    }

    /// What the value of a variable names: `PAGER` a command.
    fn named_by(&mut self, role: Option<WordRole>, name: &str, value: &Field) {
        if let Some(role) = role
            && role != WordRole::Text
            && !self.has_already(name, value)
        {
            // What a list had before the line adds nothing to it.
            let added = match &role {
                WordRole::Code(_) => value.besides(name).map(|text| Field::known(text, value.span)),
                _ => None,
            };
            self.role(&role, std::slice::from_ref(added.as_ref().unwrap_or(value)), None);
        }
    }

    /// Whether a variable has this value before the line, and still has it: `HOME="$HOME"`.
    fn has_already(&self, name: &str, value: &Field) -> bool {
        let Some(value) = value.as_known() else { return false };
        let has = match name {
            "HOME" => self.world.home().as_str() == value,
            _ => self.world.host().env(name).is_some_and(|own| own == value),
        };
        has && !self.state.variables.contains_key(name) && !self.given.iter().any(|own| own == name)
    }

    /// A word `NAME=VALUE` or `NAME`; what a shell sets, its commands are given.
    pub(super) fn set_word(&mut self, field: &Field, in_shell: bool) {
        let text = field.prefix();
        match text.split_once('=') {
            Some((name, _)) => {
                let value = field.skip(name.len().saturating_add(1));
                let name = name.trim_end_matches('+');
                match in_shell {
                    true => self.set_for_command(name, &value, field.span),
                    false => self.set_env(name, &value, field.span),
                }
            }
            None if field.as_known().is_some() => {
                let own = self.state.variables.get(text).filter(|_| in_shell);
                match own.and_then(|own| own.value.clone()) {
                    Some(value) => {
                        let value = Field::known(value, field.span);
                        self.set_for_command(text, &value, field.span);
                    }
                    None => self.add(AccessKind::SetEnv(text.into()), field.span),
                }
            }
            None => self.unanalysable("can't tell which variable is set", Some(field.span)),
        }
    }
}

/// The places that the value of a variable may name: all of it, or what stands between colons, behind
/// a key, or among options.
fn places(text: &str) -> Vec<&str> {
    let text = text.trim();
    // What a driver puts in front says how, not where.
    let bare = text.strip_prefix("jdbc:").unwrap_or(text);
    if is_url(bare) {
        return vec![bare];
    }
    if let Some((_, path)) = bare.split_once("://") {
        // `sqlite:////PATH`; with three slashes it is a relative one.
        return path.strip_prefix('/').filter(|path| is_outside(path)).into_iter().collect();
    }
    let values = match text.starts_with('-') {
        true => text.split_whitespace().map(of_option).collect(),
        false => vec![text, text.split_once('=').map_or("", |(_, value)| value)],
    };
    let each = values.into_iter().flat_map(|own| match is_url(own) {
        true => vec![own],
        false => own.split(':').filter(|piece| is_outside(piece)).collect(),
    });
    each.collect()
}

/// The value that an option has with it.
fn of_option(word: &str) -> &str {
    let from = match (word.starts_with('-'), word.find('=')) {
        (false, _) => Some(0),
        (true, Some(at)) => Some(at.saturating_add(1)),
        (true, None) => word.find(['/', '~']),
    };
    from.and_then(|from| word.get(from..)).unwrap_or_default()
}

/// Whether a value can only be meant as a path that may lead elsewhere; `/` alone is a route more often.
fn is_outside(text: &str) -> bool {
    text.len() > 1 && text.starts_with(['/', '~'])
        || text.starts_with("./")
        || text.split('/').any(|part| part == "..")
}
