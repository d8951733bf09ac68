//! What a shell knows while it runs a line, as far as it can be told.

use std::collections::HashMap;
use std::rc::Rc;

use ringfence_core::path::AbsPath;

use super::directory::Pwd;
use crate::ast::Compound;

/// What a shell knows at one point of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// The directories in which it may be; none where it cannot be told.
    pub(super) cwd: Vec<AbsPath>,
    /// By which name it knows its directory.
    pub(super) pwd: Pwd,
    /// Where it is if the last `cd` failed.
    pub(super) if_failed: Option<(Vec<AbsPath>, Pwd)>,
    /// Variables that the line has set.
    pub(super) variables: HashMap<String, Variable>,
    /// Functions that the line has defined, and whether that is certain.
    pub(super) functions: HashMap<String, (Rc<Compound>, bool)>,
    /// The positional parameters, where they are known.
    pub(super) positional: Option<Vec<String>>,
    /// Whether the line has ended here.
    pub(super) dead: bool,
    /// Why words no longer mean what they seem to.
    pub(super) poisoned: Option<String>,
}

/// A variable that the line has set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Variable {
    /// Its value, where it can be told.
    pub(super) value: Option<String>,
    /// The elements of an array, where all of them are known.
    pub(super) list: Option<Vec<String>>,
    /// What it surely begins with, where it holds names that a pattern became.
    pub(super) names: Option<String>,
    /// Whether programs are given it.
    pub(super) exported: bool,
    /// Whether it makes something else of what it is set to, or refuses it.
    pub(super) odd: bool,
}

impl State {
    pub(super) fn new(cwd: AbsPath) -> State {
        State {
            cwd: vec![cwd],
            pwd: Pwd::Same,
            if_failed: None,
            variables: HashMap::new(),
            functions: HashMap::new(),
            positional: None,
            dead: false,
            poisoned: None,
        }
    }

    /// What holds where either of two ways was gone.
    pub(super) fn join(&mut self, other: State) {
        if other.dead {
            return;
        }
        if self.dead {
            *self = other;
            return;
        }
        self.join_pwd(&other.pwd);
        self.join_directories(other.cwd);
        for (name, own) in &mut self.variables {
            let more = other.variables.get(name);
            if more != Some(own) {
                own.value = None;
                own.names = None;
                own.list = None;
                own.exported |= more.is_some_and(|more| more.exported);
                own.odd |= more.is_some_and(|more| more.odd);
            }
        }
        for (name, mut own) in other.variables {
            self.variables.entry(name).or_insert_with(|| {
                own.value = None;
                own.names = None;
                own.list = None;
                own
            });
        }
        for (name, (_, certain)) in &mut self.functions {
            *certain &= other.functions.contains_key(name);
        }
        for (name, (body, certain)) in other.functions {
            let own = self.functions.get(&name);
            let both = own.is_some_and(|(own, sure)| *own == body && *sure);
            if own.is_some_and(|(own, _)| *own != body) {
                // Only one of them can be followed.
                let reason = format!("the line defines `{name}` in two ways");
                self.poisoned.get_or_insert(reason);
            }
            self.functions.insert(name, (body, certain && both));
        }
        if self.positional != other.positional {
            self.positional = None;
        }
        self.poisoned = self.poisoned.take().or(other.poisoned);
    }

    /// Whether it differs in what the words of a line depend on.
    pub(super) fn is_changed_since(&self, before: &State) -> bool {
        self.cwd != before.cwd
            || self.pwd != before.pwd
            || self.variables != before.variables
            || self.functions != before.functions
            || self.positional != before.positional
    }

    pub(super) fn join_pwd(&mut self, other: &Pwd) {
        if self.pwd != *other {
            self.pwd = Pwd::Unknown;
        }
    }

    pub(super) fn join_directories(&mut self, other: Vec<AbsPath>) {
        /// So many directories are followed; of more, nothing is said.
        const MOST: usize = 8;
        if self.cwd.is_empty() || other.is_empty() {
            self.cwd.clear();
            return;
        }
        for directory in other {
            if !self.cwd.contains(&directory) {
                self.cwd.push(directory);
            }
        }
        if self.cwd.len() > MOST {
            self.cwd.clear();
        }
    }

    pub(super) fn set(&mut self, name: &str, value: Option<String>) {
        let variable = self.variables.entry(name.to_owned()).or_default();
        variable.value = value.filter(|_| !variable.odd);
        variable.names = None;
    }

    /// The variable no longer simply holds what it is set to.
    pub(super) fn make_odd(&mut self, name: &str) {
        let variable = self.variables.entry(name.to_owned()).or_default();
        variable.odd = true;
        variable.value = None;
        variable.names = None;
        variable.list = None;
    }

    pub(super) fn set_list(&mut self, name: &str, list: Option<Vec<String>>) {
        self.variables.entry(name.to_owned()).or_default().list = list;
    }

    /// The variable holds a name that begins so and is no option.
    pub(super) fn set_name(&mut self, name: &str, prefix: String) {
        let variable = self.variables.entry(name.to_owned()).or_default();
        variable.value = None;
        variable.names = Some(prefix);
    }

    pub(super) fn export(&mut self, name: &str) {
        self.variables.entry(name.to_owned()).or_default().exported = true;
    }

    /// What changed since an earlier point is no longer known: a loop may have gone round.
    pub(super) fn forget_changes(&mut self, before: &State) {
        for (name, own) in &mut self.variables {
            if before.variables.get(name) != Some(own) {
                own.value = None;
                own.names = None;
                own.list = None;
            }
        }
        if self.cwd != before.cwd {
            self.cwd.clear();
        }
        self.join_pwd(&before.pwd);
        for (name, (body, certain)) in &mut self.functions {
            let was = before.functions.get(name);
            *certain &= was.is_some_and(|(own, _)| own == body);
            if was.is_some_and(|(own, _)| own != body) {
                let reason = format!("the line defines `{name}` in two ways");
                self.poisoned.get_or_insert(reason);
            }
        }
        for (name, (body, _)) in &before.functions {
            let gone = (body.clone(), false);
            self.functions.entry(name.clone()).or_insert(gone);
        }
        if self.positional != before.positional {
            self.positional = None;
        }
        self.dead = before.dead;
    }
}
