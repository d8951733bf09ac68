//! Files that the line runs, and what else on the line makes or changes them.
//!
//! What was looked at must be what runs. Nothing here may take a doubt back.

use ringfence_core::access::{Exec, Extent, FileOp, Text, base_name};
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, Follow};
use ringfence_core::program::{Children, Habit};
use ringfence_core::{Access, AccessKind};

use super::Walker;
use super::made::Made;
use super::state::Directories;
use crate::span::Span;

/// A file that the line runs.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    name: Text,
    span: Span,
    sort: Sort,
}

#[derive(Debug, Clone)]
enum Sort {
    /// A program or a script, and whether it was not there when it was looked at.
    Program { real: AbsPath, missing: bool },
    /// Code of a language, looked for in these directories where the line writes anything at all.
    Code { language: Text, cwd: Directories },
}

impl Ran {
    /// Whether it was not there when it was looked at.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.sort, Sort::Program { missing: true, .. })
    }
}

impl Walker<'_> {
    /// A program that this line itself has written is not what it was when it was looked at.
    #[cold]
    pub(super) fn refuse_written(&mut self, name: &str, span: Span) {
        for path in self.resolve(name, Follow::Final, span) {
            match self.made(&path.real) {
                // Judged by what it says, where it is run.
                Made::Text(_) | Made::Before => {}
                Made::Built => self.sources(span),
                Made::Unknown => self.refuse_if_written(name, &path.real, span, 0),
            }
            let sort = Sort::Program { real: path.real, missing: false };
            self.ran.push(Ran { name: name.into(), span, sort });
        }
    }

    /// A file of code that an interpreter is given, kept where anyone comes back to it.
    pub(super) fn ran_code(&mut self, language: &str, name: &str, span: Span) {
        if self.watched {
            let sort = Sort::Code { language: language.into(), cwd: self.state.cwd.clone() };
            self.ran.push(Ran { name: name.into(), span, sort });
        }
    }

    /// Whether the line has written any file since a point.
    pub(super) fn has_written(&self, from: usize) -> bool {
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        let is_write =
            |what: &AccessKind| matches!(what, AccessKind::File(file) if file.op == FileOp::Write);
        since.iter().any(|access| is_write(&access.what))
    }

    /// A script that is not there runs nothing, unless something has made it by then; whether that
    /// is sure.
    ///
    /// A name without a slash is looked for in other places, too, and what lies in `/dev` and
    /// `/proc` is another thing for the shell.
    #[cold]
    pub(super) fn is_surely_missing(&mut self, name: &str, real: &AbsPath, span: Span) -> bool {
        let of_the_kernel = |text: &str| ["/dev/", "/proc/"].iter().any(|at| text.starts_with(at));
        if !name.contains('/')
            || of_the_kernel(name)
            || of_the_kernel(real.as_str())
            || self.world.host().entry(real) != FileEntry::Missing
        {
            return false;
        }
        let sure = !self.may_be_made(0) || self.is_made_by_venv(real);
        let sort = Sort::Program { real: real.clone(), missing: true };
        self.ran.push(Ran { name: name.into(), span, sort });
        sure
    }

    /// Goes through what runs at the same time, or in several rounds: the files that it runs may be
    /// written by any part of it.
    pub(super) fn watching(&mut self, step: impl FnOnce(&mut Self)) {
        let (ran, accesses) = (self.ran.len(), self.effects.accesses.len());
        let before = std::mem::replace(&mut self.watched, true);
        step(self);
        self.watched = before;
        self.look_back(ran, accesses);
    }

    /// Whether the files that were run since a point may be written by what runs at the same time,
    /// or in an earlier round. Whoever comes back so has had them watched since that point.
    pub(super) fn look_back(&mut self, ran: usize, accesses: usize) {
        if self.ran.len() > ran {
            self.look_back_at(ran, accesses);
        }
    }

    #[cold]
    fn look_back_at(&mut self, from: usize, accesses: usize) {
        for Ran { name, span, sort } in self.ran.get(from..).unwrap_or_default().to_vec() {
            match sort {
                Sort::Code { language, cwd } if self.has_written(accesses) => {
                    let here = std::mem::replace(&mut self.state.cwd, cwd);
                    let paths = self.resolve(&name, Follow::Final, span);
                    self.state.cwd = here;
                    for path in paths {
                        if self.is_put(&path.real, accesses) {
                            self.code_put(&language, &name, &path.real, span);
                        }
                    }
                }
                Sort::Code { .. } => {}
                Sort::Program { real, missing } => {
                    self.refuse_if_written(&name, &real, span, accesses);
                    if missing && self.may_be_made(accesses) {
                        let reason = format!("the script `{name}` may be made by the same line");
                        self.unanalysable(&reason, Some(span));
                    }
                }
            }
        }
    }

    fn refuse_if_written(&mut self, name: &str, real: &AbsPath, span: Span, from: usize) {
        if !self.spend(self.effects.accesses.len()) {
            return;
        }
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        let (mut one, mut many) = (false, false);
        for access in since {
            let AccessKind::File(file) = &access.what else { continue };
            if file.op != FileOp::Write || self.keeps_content(access) {
                continue;
            }
            match file.extent {
                Extent::One | Extent::Unknown => one |= file.path.real == *real,
                _ => many |= real.starts_with(&file.path.real),
            }
        }
        if one {
            let reason = format!("`{name}` is written by the same line");
            self.unanalysable(&reason, Some(span));
        } else if many {
            let reason = format!("`{name}` may be written by the same line");
            self.ask(&reason, span);
        }
    }

    /// Whether anything that was run since a point may make files that it was not told to.
    fn may_be_made(&mut self, from: usize) -> bool {
        if !self.spend(self.effects.accesses.len()) {
            return true;
        }
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        since
            .iter()
            .any(|access| matches!(&access.what, AccessKind::Exec(exec) if self.may_make(exec)))
    }

    /// Whether a command may make files that it was not told to.
    pub(super) fn may_make(&self, exec: &Exec) -> bool {
        if exec.program.file.is_none() {
            return false;
        }
        let entry = self.world.catalogue().entry(base_name(&exec.program.invoked));
        !entry.is_some_and(|entry| {
            entry.children == Children::Judged && entry.subs.iter().next().is_none()
        })
    }

    /// Whether a write is by a program that leaves the content of files as it is.
    pub(super) fn keeps_content(&self, access: &Access) -> bool {
        self.has_habit(access, &Habit::KeepsContent)
    }

    /// Whether something is done by a program of which this is known.
    pub(super) fn has_habit(&self, access: &Access, habit: &Habit) -> bool {
        access.scope.command.as_ref().is_some_and(|exec| {
            let entry = self.world.catalogue().entry(base_name(&exec.program.invoked));
            entry.is_some_and(|entry| entry.habits.contains(habit))
        })
    }
}
