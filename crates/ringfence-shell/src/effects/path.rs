//! Where programs are found: what a line makes of `PATH`.
//!
//! Allow rules know programs by the file that the door's own `PATH` gives. A line may add directories
//! to it into which the agent can put nothing; with any other value it can no longer be told what runs.

use std::rc::Rc;

use ringfence_core::access::Program;
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, Follow, resolve_literal};
use ringfence_core::text::has_byte;

use super::Walker;
use super::assign::Set;
use crate::field::Field;
use crate::span::Span;

/// What a line has added to the directories of the door: mostly nothing.
pub(super) type Elsewhere = Option<Rc<Added>>;

/// Directories that a line has added to those of the door.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Added {
    /// Those that are looked into first.
    front: Vec<AbsPath>,
    /// Those in which is found what is nowhere else.
    behind: Vec<AbsPath>,
    /// Those of the project's own environments, which hold its interpreter and tools.
    environments: Vec<AbsPath>,
}

/// Why it cannot be told what runs.
pub(super) const CHANGED: &str = "the line changes where programs are found";

impl Walker<'_> {
    /// What runs after this is found elsewhere, in this line and perhaps in the next; whether it can
    /// still be told where.
    #[cold]
    pub(super) fn changes_path(&mut self, value: &Field, span: Span) -> bool {
        match self.added_by(value) {
            Some(added) => {
                self.state.added = Some(added);
                true
            }
            None => {
                self.unanalysable(CHANGED, Some(span));
                self.state.poisoned = Some(CHANGED.into());
                false
            }
        }
    }

    /// Programs of one command are found elsewhere; where they were found before.
    #[cold]
    pub(super) fn path_for_now(&mut self, sets: &[Set], span: Span) -> Option<Elsewhere> {
        let set = sets.iter().rfind(|set| set.name == "PATH")?;
        match self.added_by(&set.value) {
            Some(added) => Some(self.state.added.replace(added)),
            None => {
                self.unanalysable(CHANGED, Some(span));
                None
            }
        }
    }

    /// Programs of an environment are found first.
    pub(super) fn adds_environment(&mut self, programs: AbsPath) {
        let mut added = self.state.added.as_deref().cloned().unwrap_or_default();
        added.environments.insert(0, programs);
        self.state.added = Some(Rc::new(added));
    }

    /// The program that a word names, with the directories that the line has added.
    pub(super) fn program(&self, name: &str, cwd: &AbsPath, builtin: bool) -> Program {
        match &self.state.added {
            Some(added) if !builtin && !has_byte(name, b'/') => {
                let file = self.found_in(added, name);
                self.world.program(file.as_ref().map_or(name, AbsPath::as_str), cwd, false)
            }
            _ => self.world.program(name, cwd, builtin),
        }
    }

    #[cold]
    fn found_in(
        &self,
        Added { front, behind, environments }: &Added,
        name: &str,
    ) -> Option<AbsPath> {
        let host = self.world.host();
        // An environment holds an interpreter, which runs the project's code, and its tools. What
        // stands in the way of another program is not taken for that.
        let is_known =
            || host.find_program(name).is_some() || self.world.catalogue().entry(name).is_some();
        if !is_of_environment(name) && is_known() {
            let is_there = |directory: &AbsPath| {
                let file = directory.child(name).ok()?;
                (host.entry(&file) != FileEntry::Missing).then_some(file)
            };
            if let Some(file) = environments.iter().find_map(is_there) {
                return Some(file);
            }
        }
        // What may be put there is there as well: a grant may be of this very name.
        let holds = |directory: &AbsPath| {
            let file = directory.child(name).ok()?;
            let found = resolve_literal(host, file.as_str(), directory, Follow::Final).ok()?;
            (found.kind.is_some() || !self.world.is_out_of_reach(&file)).then_some(file)
        };
        let first = front.iter().find_map(holds);
        first.or_else(|| match host.find_program(name) {
            Some(_) => None,
            None => behind.iter().find_map(holds),
        })
    }

    /// The directories that a value adds to `PATH`, where that is all that it does.
    fn added_by(&self, value: &Field) -> Option<Rc<Added>> {
        let (before, after) = value.around("PATH", &[':'])?;
        let mut added = self.state.added.as_deref().cloned().unwrap_or_default();
        let mut front = self.safe_directories(before)?;
        front.append(&mut added.front);
        added.front = front;
        added.behind.extend(self.safe_directories(after)?);
        Some(Rc::new(added))
    }

    /// The directories of a list, where the agent can put nothing into any of them. An empty name, or
    /// one that is not absolute, depends on where the shell is.
    fn safe_directories(&self, list: Option<&str>) -> Option<Vec<AbsPath>> {
        let Some(list) = list else { return Some(Vec::new()) };
        let host = self.world.host();
        let mut directories = Vec::new();
        for name in list.split(':') {
            if !name.starts_with('/') {
                return None;
            }
            let path = resolve_literal(host, name, &AbsPath::root(), Follow::Final).ok()?;
            // What lies there is another thing to each process.
            let is_own = |own: &AbsPath| {
                own.components().next().is_some_and(|first| matches!(first, "proc" | "dev"))
            };
            if path.spellings().any(is_own) {
                return None;
            }
            if !path.spellings().all(|directory| self.world.is_closed(directory)) {
                return None;
            }
            directories.push(path.real);
        }
        Some(directories)
    }
}

/// Whether an environment holds a program of this name by itself: an interpreter, what installs
/// packages, and tools that run or check the project's code.
fn is_of_environment(name: &str) -> bool {
    const TOOLS: [&str; 18] = [
        "pytest",
        "ruff",
        "mypy",
        "black",
        "coverage",
        "flake8",
        "isort",
        "pylint",
        "pyright",
        "tox",
        "nox",
        "ipython",
        "jupyter",
        "django-admin",
        "flask",
        "uvicorn",
        "gunicorn",
        "celery",
    ];
    let is_version = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    let interpreter = ["python", "pip"].iter().find_map(|own| name.strip_prefix(own));
    interpreter.is_some_and(is_version) || TOOLS.contains(&name)
}
