//! What a shell knows while it runs a line, as far as it can be told.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use ringfence_core::path::AbsPath;

use super::budget::ENTRY;
use super::dialect::Dialect;
use super::directory::Pwd;
use super::known::Known;
use super::param::SHELLS_OWN;
use super::path::{CHANGED, Elsewhere};
use crate::ast::Compound;
use crate::field::{Dynamic, Part};
use crate::span::Span;

/// The directories in which a shell may be; shared by all points of a line at which they are the same.
pub(super) type Directories = Rc<[AbsPath]>;

/// What a shell knows at one point of a line; cheap to copy, for every list comes back to it.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// The directories in which it may be; none where it cannot be told.
    pub(super) cwd: Directories,
    /// By which name it knows its directory.
    pub(super) pwd: Pwd,
    /// Where it is if the last `cd` failed.
    pub(super) if_failed: Option<(Directories, Pwd)>,
    /// Variables that the line has set.
    pub(super) variables: Known<Variable>,
    /// Functions that the line has defined, and whether that is certain.
    pub(super) functions: Known<Definition>,
    /// The positional parameters, where they are known.
    pub(super) positional: Option<Rc<[String]>>,
    /// Whether the positional parameters may be anything, options too.
    pub(super) given: bool,
    /// Whether the line has ended here.
    pub(super) dead: bool,
    /// Why words no longer mean what they seem to.
    pub(super) poisoned: Option<Rc<str>>,
    /// How it reads its lines.
    pub(super) dialect: Dialect,
    /// Where the line has programs looked for besides.
    pub(super) added: Elsewhere,
    /// How many entries were copied and compared so far.
    touched: Rc<Cell<usize>>,
}

/// A function that the line has defined.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    pub(super) body: Arc<Compound>,
    /// Whether the function surely has this body.
    pub(super) certain: bool,
}

// Two definitions are the same where they stand at the same place of the same text.
impl PartialEq for Definition {
    fn eq(&self, other: &Definition) -> bool {
        Arc::ptr_eq(&self.body, &other.body) && self.certain == other.certain
    }
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
    /// Whether these names have no slash behind that.
    pub(super) flat: bool,
    /// Whether each of them ends with a slash behind that.
    pub(super) slash: bool,
    /// The mark of the number that it holds.
    pub(super) number: Option<char>,
    /// The path that it holds, or nothing where the command failed that was to print it.
    pub(super) path: Option<Box<str>>,
    /// What it surely begins with, where that is all that is known of it.
    pub(super) begins: Option<Box<str>>,
    /// What is known of the word that it was set to.
    pub(super) like: Option<Box<Dynamic>>,
    /// Whether programs are given it.
    pub(super) exported: bool,
    /// Whether it cannot be set any more.
    pub(super) fixed: bool,
    /// Whether it makes something else of what it is set to, or refuses it.
    pub(super) odd: bool,
}

impl Variable {
    /// What it holds is no longer known.
    fn forget(&mut self) {
        self.value = None;
        self.names = None;
        self.number = None;
        self.path = None;
        self.begins = None;
        self.like = None;
        self.list = None;
    }
}

impl State {
    pub(super) fn new(cwd: AbsPath) -> State {
        let touched = Rc::default();
        State {
            cwd: Rc::new([cwd]),
            pwd: Pwd::Same,
            if_failed: None,
            variables: Known::new(&touched),
            functions: Known::new(&touched),
            positional: None,
            given: false,
            dead: false,
            poisoned: None,
            dialect: Dialect::Bash,
            added: None,
            touched,
        }
    }

    /// How many entries were copied and compared since this was asked last.
    pub(super) fn take_touched(&self) -> usize {
        self.touched.take()
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
        self.join_directories(&other.cwd);
        for name in self.variables.differing(&other.variables) {
            let own = self.variables.entry(&name);
            own.forget();
            if let Some(more) = other.variables.get(&name) {
                own.exported |= more.exported;
                own.odd |= more.odd;
            }
        }
        self.join_functions(&other.functions);
        if self.positional != other.positional {
            self.positional = None;
            self.given = true;
        }
        self.given |= other.given;
        self.poisoned = self.poisoned.take().or(other.poisoned);
        self.join_added(&other.added);
    }

    /// Programs are found in one way, whichever way was gone.
    fn join_added(&mut self, other: &Elsewhere) {
        if self.added != *other {
            self.poisoned.get_or_insert(CHANGED.into());
        }
    }

    /// What holds whether or not the last command failed.
    pub(super) fn join_ways(&mut self) {
        if let Some((cwd, pwd)) = self.if_failed.take()
            && !self.dead
        {
            self.join_pwd(&pwd);
            self.join_directories(&cwd);
        }
    }

    fn join_functions(&mut self, other: &Known<Definition>) {
        // In order, so that a line is always doubted for the same reason.
        let mut names = self.functions.differing(other);
        names.sort_unstable();
        for name in names {
            let (own, more) = (self.functions.get(&name), other.get(&name));
            let certain = match (own, more) {
                (Some(own), Some(more)) if self.have_same_body(own, more) => {
                    own.certain && more.certain
                }
                (Some(_), Some(_)) => {
                    // Only one of them can be followed.
                    let reason = format!("the line defines `{name}` in two ways");
                    self.poisoned.get_or_insert(reason.into());
                    false
                }
                _ => false,
            };
            if let Some(body) = more.or(own).map(|either| Arc::clone(&either.body)) {
                self.functions.insert(name, Definition { body, certain });
            }
        }
    }

    /// Whether two functions run the same text from the same place.
    fn have_same_body(&self, own: &Definition, other: &Definition) -> bool {
        let Span { start, end } = own.body.span;
        if Arc::ptr_eq(&own.body, &other.body) || own.body.span != other.body.span {
            return Arc::ptr_eq(&own.body, &other.body);
        }
        // A text that was evaluated twice: its bodies are gone through to their ends.
        let entries = end.saturating_sub(start).div_ceil(ENTRY);
        self.touched.set(self.touched.get().saturating_add(entries));
        own.body == other.body
    }

    /// Whether it differs in what the words of a line depend on.
    pub(super) fn is_changed_since(&self, before: &State) -> bool {
        self.cwd != before.cwd
            || self.pwd != before.pwd
            || self.positional != before.positional
            || self.added != before.added
            || !self.variables.differing(&before.variables).is_empty()
            || !self.functions.differing(&before.functions).is_empty()
    }

    pub(super) fn join_pwd(&mut self, other: &Pwd) {
        if self.pwd != *other {
            self.pwd = Pwd::Unknown;
        }
    }

    pub(super) fn join_directories(&mut self, other: &Directories) {
        /// So many directories are followed; of more, nothing is said.
        const MOST: usize = 8;
        if Rc::ptr_eq(&self.cwd, other) && self.cwd.len() <= MOST {
            return;
        }
        let mut all = self.cwd.to_vec();
        for directory in other.iter() {
            if !all.contains(directory) {
                all.push(directory.clone());
            }
        }
        let known = !self.cwd.is_empty() && !other.is_empty() && all.len() <= MOST;
        self.cwd = if known { all.into() } else { Directories::default() };
    }

    pub(super) fn set(&mut self, name: &str, value: Option<String>) {
        self.note_zsh(name, value.as_deref());
        let variable = self.variables.entry(name);
        if variable.fixed {
            // It keeps what it had, or the shell ends here.
            if let Some(text) = variable.value.take().filter(|text| is_below(text)) {
                let word = Dynamic { no_option: true, part: Part::Below, ..Dynamic::default() };
                variable.like = Some(Box::new(word)).filter(|_| !text.is_empty());
            }
            return;
        }
        // What a shell sets by itself is not what the line has set it to.
        variable.value = value.filter(|_| !variable.odd && !SHELLS_OWN.contains(&name));
        variable.names = None;
        variable.number = None;
        variable.path = None;
        variable.begins = None;
        variable.like = None;
    }

    /// The variable holds a word of which as much is known as of this one.
    pub(super) fn set_like(&mut self, name: &str, word: &Dynamic) {
        let variable = self.variables.entry(name);
        variable.like = Some(Box::new(word.clone())).filter(|_| !variable.odd);
    }

    /// The names that the variable holds are followed by a slash.
    pub(super) fn set_slash(&mut self, name: &str) {
        self.variables.entry(name).slash = true;
    }

    /// The variable no longer simply holds what it is set to.
    pub(super) fn make_odd(&mut self, name: &str) {
        let variable = self.variables.entry(name);
        variable.odd = true;
        variable.forget();
    }

    /// The variable holds what it holds, and nothing else from now on.
    pub(super) fn make_fixed(&mut self, name: &str) {
        let value = self.variables.entry(name).value.take();
        self.make_odd(name);
        let variable = self.variables.entry(name);
        (variable.value, variable.fixed) = (value, true);
    }

    pub(super) fn set_list(&mut self, name: &str, list: Option<Vec<String>>) {
        self.variables.entry(name).list = list;
    }

    /// The variable holds a name that begins so and is no option; whether no slash follows.
    pub(super) fn set_name(&mut self, name: &str, prefix: String, flat: bool) {
        self.note_zsh(name, Some(&prefix));
        let variable = self.variables.entry(name);
        variable.value = None;
        variable.flat = flat;
        variable.slash = false;
        variable.names = Some(prefix).filter(|_| !variable.odd);
    }

    /// The variable holds a number, which may have a sign.
    pub(super) fn set_number(&mut self, name: &str, mark: char) {
        let variable = self.variables.entry(name);
        variable.value = None;
        variable.number = Some(mark).filter(|_| !variable.odd);
    }

    pub(super) fn export(&mut self, name: &str) {
        self.variables.entry(name).exported = true;
    }

    /// What changed since an earlier point is no longer known: a loop may have gone round.
    pub(super) fn forget_changes(&mut self, before: &State) {
        for name in self.variables.differing(&before.variables) {
            if self.variables.contains_key(&name) {
                self.variables.entry(&name).forget();
            }
        }
        if self.cwd != before.cwd {
            self.cwd = Directories::default();
        }
        self.join_pwd(&before.pwd);
        self.join_added(&before.added);
        self.join_functions(&before.functions);
        if self.positional != before.positional {
            self.positional = None;
            self.given = true;
        }
        self.dead = before.dead;
    }
}

/// Whether a text names something below the directory, and no option.
pub(super) fn is_below(text: &str) -> bool {
    !text.starts_with(['-', '+', '/', '~']) && !text.split('/').any(|part| part == "..")
}
