//! Files that the line runs, and what else on the line makes or changes them.
//!
//! What was looked at must be what runs. Nothing here may take a doubt back.

use ringfence_core::access::{Exec, Extent, FileOp, base_name};
use ringfence_core::host::Entry;
use ringfence_core::path::{AbsPath, Follow};
use ringfence_core::program::Children;
use ringfence_core::{Access, What};

use super::Walker;
use crate::span::Span;

/// Programs that change what is known about a file, and nothing in it.
const KEEP_CONTENT: [&str; 4] = ["chmod", "chown", "chgrp", "touch"];

/// A file that the line runs.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    name: String,
    real: AbsPath,
    span: Span,
    /// Whether it was not there when it was looked at.
    missing: bool,
    /// The language of its code, where it is no program of its own.
    code: Option<Box<str>>,
}

impl Ran {
    /// Whether it was not there when it was looked at.
    pub(super) fn is_missing(&self) -> bool {
        self.missing
    }
}

impl Walker<'_> {
    /// A program that this line itself has written is not what it was when it was looked at.
    #[cold]
    pub(super) fn refuse_written(&mut self, name: &str, span: Span) {
        for path in self.resolve(name, Follow::Final, span) {
            let ran =
                Ran { name: name.to_owned(), real: path.real, span, missing: false, code: None };
            self.refuse_if_written(&ran, 0);
            self.ran.push(ran);
        }
    }

    /// A file of code that an interpreter is given.
    pub(super) fn ran_code(&mut self, language: &str, name: &str, real: AbsPath, span: Span) {
        let (name, code) = (name.to_owned(), Some(language.into()));
        self.ran.push(Ran { name, real, span, missing: false, code });
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
            || self.world.host().entry(real) != Entry::Missing
        {
            return false;
        }
        let ran =
            Ran { name: name.to_owned(), real: real.clone(), span, missing: true, code: None };
        let sure = !self.may_be_made(0) || self.is_made_by_venv(real);
        self.ran.push(ran);
        sure
    }

    /// Whether the files that were run since a point may be written by what runs at the same time,
    /// or in an earlier round.
    pub(super) fn look_back(&mut self, ran: usize, accesses: usize) {
        if self.ran.len() > ran {
            self.look_back_at(ran, accesses);
        }
    }

    #[cold]
    fn look_back_at(&mut self, from: usize, accesses: usize) {
        for ran in self.ran.get(from..).unwrap_or_default().to_vec() {
            if let Some(language) = &ran.code {
                if self.is_put(&ran.real, accesses) {
                    self.code_put(language, &ran.name, &ran.real, ran.span);
                }
                continue;
            }
            self.refuse_if_written(&ran, accesses);
            if ran.missing && self.may_be_made(accesses) {
                let reason = format!("the script `{}` may be made by the same line", ran.name);
                self.unanalysable(&reason, Some(ran.span));
            }
        }
    }

    fn refuse_if_written(&mut self, ran: &Ran, from: usize) {
        if !self.spend(self.effects.accesses.len()) {
            return;
        }
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        let (mut one, mut many) = (false, false);
        for access in since {
            let What::File(file) = &access.what else { continue };
            if file.op != FileOp::Write || keeps_content(access) {
                continue;
            }
            match file.extent {
                Extent::One | Extent::Unknown => one |= file.path.real == ran.real,
                _ => many |= ran.real.starts_with(&file.path.real),
            }
        }
        if one {
            let reason = format!("`{}` is written by the same line", ran.name);
            self.unanalysable(&reason, Some(ran.span));
        } else if many {
            let reason = format!("`{}` may be written by the same line", ran.name);
            self.ask(&reason, ran.span);
        }
    }

    /// Whether anything that was run since a point may make files that it was not told to.
    fn may_be_made(&mut self, from: usize) -> bool {
        if !self.spend(self.effects.accesses.len()) {
            return true;
        }
        let since = self.effects.accesses.get(from..).unwrap_or_default();
        since.iter().any(|access| matches!(&access.what, What::Exec(exec) if self.may_make(exec)))
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
}

/// Whether a write is by a program that leaves the content of files as it is.
pub(super) fn keeps_content(access: &Access) -> bool {
    let program = access.scope.command.as_ref().map(|exec| &*exec.program.invoked);
    program.is_some_and(|name| KEEP_CONTENT.contains(&name))
}
