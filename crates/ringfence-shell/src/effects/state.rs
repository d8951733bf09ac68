//! What a shell knows while it runs a line, as far as it can be told.

use std::collections::HashMap;
use std::rc::Rc;

use ringfence_core::path::AbsPath;

use crate::ast::Compound;

/// What a shell knows at one point of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// The directories in which it may be; none where it cannot be told.
    pub(super) cwd: Vec<AbsPath>,
    /// Where it is if the last `cd` failed.
    pub(super) if_failed: Option<Vec<AbsPath>>,
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
}

impl State {
    pub(super) fn new(cwd: AbsPath) -> State {
        State {
            cwd: vec![cwd],
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
        self.join_directories(other.cwd);
        self.if_failed = match (self.if_failed.take(), other.if_failed) {
            (Some(mut own), Some(more)) => {
                own.extend(more);
                Some(own)
            }
            (own, more) => own.or(more),
        };
        for (name, own) in &mut self.variables {
            if other.variables.get(name) != Some(own) {
                own.value = None;
                own.names = None;
                own.list = None;
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
        for (name, (body, certain)) in other.functions {
            let both = self.functions.get(&name).is_some_and(|(own, _)| *own == body);
            self.functions.insert(name, (body, certain && both));
        }
        if self.positional != other.positional {
            self.positional = None;
        }
        self.poisoned = self.poisoned.take().or(other.poisoned);
    }

    fn join_directories(&mut self, other: Vec<AbsPath>) {
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

    /// At the end of a list it is not known whether a `cd` in it worked.
    pub(super) fn settle(&mut self) {
        if let Some(before) = self.if_failed.take() {
            self.join_directories(before);
        }
    }

    pub(super) fn set(&mut self, name: &str, value: Option<String>) {
        let variable = self.variables.entry(name.to_owned()).or_default();
        variable.value = value;
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
        if self.positional != before.positional {
            self.positional = None;
        }
        self.dead = before.dead;
    }
}
