//! What a call asks of a policy, for doors that judge one call and end.

use std::sync::{Arc, Mutex, PoisonError};

use super::wording::{Named, may_have_words};

use crate::access::{Access, Exec, FileAccess, What};
use crate::class::Class;

/// What a call may ask of a policy, as far as it is known.
#[derive(Debug, Clone, Default)]
pub struct Foreseen {
    files: Vec<FileAccess>,
    execs: Vec<Arc<Exec>>,
    /// Names of programs, with whatever words.
    programs: Vec<Box<str>>,
    /// The other classes of which something is asked.
    classes: Vec<Class>,
    /// Whether something is asked that only all rules together can answer.
    whole: bool,
}

impl Foreseen {
    /// What these accesses ask.
    pub fn of(accesses: &[Access]) -> Foreseen {
        let mut foreseen = Foreseen::default();
        accesses.iter().for_each(|access| foreseen.add(access));
        foreseen
    }

    /// Adds what else may be asked.
    pub fn extend(&mut self, other: Foreseen) {
        self.files.extend(other.files);
        self.execs.extend(other.execs);
        self.programs.extend(other.programs);
        self.classes.extend(other.classes);
        self.whole |= other.whole;
    }

    /// Whether only a policy with all rules will do.
    pub fn needs_all_rules(&self) -> bool {
        self.whole
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        !self.whole && self.files.is_empty() && !self.has_programs() && self.classes.is_empty()
    }

    pub(super) fn files(&self) -> &[FileAccess] {
        &self.files
    }

    /// Each name by which rules may know a program that is asked about.
    pub(super) fn program_names(&self) -> impl Iterator<Item = &str> {
        let of_execs = self.execs.iter().flat_map(|exec| carriers(exec).flat_map(names_of));
        self.programs.iter().map(|name| &**name).chain(of_execs)
    }

    /// Whether any program is asked about.
    pub(super) fn has_programs(&self) -> bool {
        !self.programs.is_empty() || !self.execs.is_empty()
    }

    /// Whether a pattern with this text, which may be for one of the programs, could match a command
    /// that is asked about.
    pub(super) fn may_meet_command(&self, text: &str) -> bool {
        let named = Named::read(text);
        let meets =
            |exec: &Exec| names_of(exec).any(|own| named.may_be(own)) && may_have_words(exec, text);
        self.programs.iter().any(|own| named.may_be(own))
            || self.execs.iter().any(|exec| carriers(exec).any(meets))
    }

    /// Whether all rules on programs of this name are asked for.
    fn has_program(&self, name: &str) -> bool {
        self.programs.iter().any(|own| **own == *name)
    }

    /// Whether something of a class is asked that is not told apart further.
    pub(super) fn has_class(&self, class: Class) -> bool {
        class == Class::Tool || self.classes.contains(&class)
    }

    fn add(&mut self, access: &Access) {
        match &access.what {
            What::File(file) => self.files.push(file.clone()),
            What::Exec(exec) => self.execs.push(Arc::clone(exec)),
            other => self.classes.push(other.class()),
        }
    }

    fn add_program(&mut self, name: &str) {
        if !self.has_program(name) {
            self.programs.push(name.into());
        }
    }

    fn covers(&self, access: &Access) -> bool {
        match &access.what {
            What::File(file) => self.files.contains(file),
            What::Exec(exec) => {
                self.execs.contains(exec)
                    || carriers(exec).flat_map(names_of).all(|name| self.has_program(name))
            }
            other => self.has_class(other.class()),
        }
    }
}

/// A command, and those that carry it.
fn carriers(exec: &Exec) -> impl Iterator<Item = &Exec> {
    std::iter::successors(Some(exec), |exec| exec.carrier.as_ref().map(|(carrier, _)| &**carrier))
}

/// Each name by which rules may know the program.
fn names_of(exec: &Exec) -> impl Iterator<Item = &str> {
    exec.program.names().chain(exec.program.known_as.as_deref())
}

/// What a policy answers for, where rules on anything else were left out, and what it was asked
/// beyond that.
#[derive(Debug)]
pub(super) struct Extract {
    covered: Foreseen,
    /// Whether no rule on files was left out.
    has_all_files: bool,
    missed: Mutex<Foreseen>,
}

impl Extract {
    pub(super) fn new(covered: Foreseen, has_all_files: bool) -> Extract {
        Extract { covered, has_all_files, missed: Mutex::default() }
    }

    /// Whether the access can be decided; if not, that is remembered.
    pub(super) fn covers(&self, access: &Access) -> bool {
        let is_file = matches!(access.what, What::File(_));
        let covers = is_file && self.has_all_files || self.covered.covers(access);
        if !covers {
            self.miss(|missed| missed.add(access));
        }
        covers
    }

    /// Remembers that the rules are asked for that name a program.
    pub(super) fn ask_program(&self, name: &str) {
        if !self.covered.has_program(name) {
            self.miss(|missed| missed.add_program(name));
        }
    }

    /// Remembers that all rules on files are asked for that object.
    pub(super) fn ask_files(&self) {
        if !self.has_all_files {
            self.ask_all();
        }
    }

    /// Remembers that something is asked that only all rules can answer.
    pub(super) fn ask_all(&self) {
        self.miss(|missed| missed.whole = true);
    }

    pub(super) fn missed(&self) -> Foreseen {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn miss(&self, add: impl FnOnce(&mut Foreseen)) {
        add(&mut self.missed.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
