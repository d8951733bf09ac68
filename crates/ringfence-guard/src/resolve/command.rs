//! Resolves command lines, and programs with their arguments.
//!
//! `ringfence-shell` finds the effects of a command. This module answers its questions about the
//! host and the policy.

use std::cell::OnceCell;

use ringfence_core::access::{
    AccessScope, Cover, Extent, FileAccess, FileOp, Program, Text, base_name,
};
use ringfence_core::host::{FileEntry, Host};
use ringfence_core::path::{AbsPath, FilePath, Follow, resolve_literal, resolve_path};
use ringfence_core::program::Catalogue;
use ringfence_core::text::inline_text;
use ringfence_core::{Access, AccessKind, Class, Effect, Ground};
use ringfence_shell::effects::{self, Setting, World};

use super::terminal::setting_text;
use super::{Resolver, Surroundings};
use crate::call::Call;
use crate::programs::Programs;

impl Resolver<'_> {
    pub(super) fn line(&mut self, line: &str, shell: Option<&str>) {
        let setting = self.setting(Vec::new());
        self.effects =
            effects::line(&CallWorld::new(self.around, &self.scope), line, shell, setting);
    }

    /// Returns whether a shell certainly ends in the directory where it started after running
    /// `line`.
    pub(super) fn stays(&mut self, line: &str) -> bool {
        let setting = self.setting(Vec::new());
        effects::stays(&CallWorld::new(self.around, &self.scope), line, setting)
    }

    pub(super) fn argv(&mut self, argv: &[String], env: &[(String, String)]) {
        if argv.iter().any(|word| word.contains('\0')) {
            return self.doubt("an argument contains a NUL byte");
        }
        if argv.first().is_none_or(String::is_empty) {
            return self.doubt("it names no program");
        }
        let settings = env.iter().map(|(name, value)| setting_text(name, value)).collect();
        let setting = self.setting(settings);
        self.effects = effects::argv(&CallWorld::new(self.around, &self.scope), argv, setting);
    }

    fn setting(&mut self, mut variables: Vec<String>) -> Setting {
        variables.extend(self.given.iter().cloned());
        let effects = std::mem::take(&mut self.effects);
        Setting { cwd: self.cwd.clone(), scope: self.scope.clone(), variables, effects }
    }
}

/// The host and the policy, as `ringfence-shell` queries them.
struct CallWorld<'a> {
    around: &'a Surroundings<'a>,
    scope: &'a AccessScope,
    catalogue: Programs<'a>,
    /// Whether the tool is scoped by paths; computed when first needed.
    scoped: OnceCell<bool>,
}

impl<'a> CallWorld<'a> {
    fn new(around: &'a Surroundings<'a>, scope: &'a AccessScope) -> CallWorld<'a> {
        let catalogue = Programs::of(around.policy);
        CallWorld { around, scope, catalogue, scoped: OnceCell::new() }
    }

    fn access(&self, what: AccessKind) -> Access {
        Access { what, scope: self.scope.clone(), span: None }
    }

    /// Returns an arbitrary file access, for questions about the class only.
    fn some_file(&self) -> Access {
        let path = FilePath::named(self.around.context.cwd.clone());
        self.access(AccessKind::File(FileAccess { op: FileOp::Read, extent: Extent::One, path }))
    }

    /// Returns the program that the door's own `PATH` gives for a name.
    fn program_named(&self, name: &str, cwd: &AbsPath) -> Program {
        let host = self.around.host;
        // A program that does not exist cannot run; rules on its name still show what they mean.
        let Some(found) = host.find_program(name) else { return named(name) };
        let file = resolve_path(host, &found, cwd, Follow::Final).ok().map(|path| path.real);
        let is_safe = file.as_ref().is_some_and(|file| {
            self.is_out_of_reach(file) && (*file == found || self.is_out_of_reach(&found))
        });
        let invoked = inline_text(name);
        Program { known_as: is_safe.then(|| invoked.clone()), invoked, file }
    }

    /// Returns the program at a path. It matches grants by name only if the door's own `PATH` gives
    /// the same file for that name.
    #[cold]
    fn program_at(&self, path: &str, cwd: &AbsPath) -> Program {
        let host = self.around.host;
        let name = base_name(path);
        let asked = resolve_literal(host, path, cwd, Follow::Final).ok();
        let found = host.find_program(name);
        let is_found = asked.as_ref().zip(found.as_ref()).is_some_and(|(asked, found)| {
            let own = resolve_path(host, found, cwd, Follow::Final);
            own.is_ok_and(|own| own.real == asked.real)
                && [found, &asked.asked, &asked.real].iter().all(|own| self.is_out_of_reach(own))
        });
        let known_as = match is_found {
            true => Some(name.into()),
            false => asked.as_ref().and_then(|asked| self.interpreter_of(name, asked)),
        };
        let file = asked.map(|path| path.real);
        Program { invoked: path.into(), file, known_as }
    }

    /// Returns the name of the system's interpreter if a virtual environment's interpreter links to
    /// it: `.venv/bin/python` runs the project's code just as `python` does.
    fn interpreter_of(&self, name: &str, asked: &FilePath) -> Option<Text> {
        let host = self.around.host;
        let programs = asked.asked.parent().filter(|own| own.file_name() == "bin")?;
        let is_there = |file: &str| {
            programs.child(file).is_ok_and(|file| host.entry(&file) != FileEntry::Missing)
        };
        if !name.starts_with("python")
            || asked.real == asked.asked
            || !is_there("activate")
            || !self.is_out_of_reach(&asked.real)
        {
            return None;
        }
        let program =
            Program { invoked: name.into(), file: Some(asked.real.clone()), known_as: None };
        let is_same = |name: &&str| {
            let found = host.find_program(name);
            let real = found
                .and_then(|found| resolve_path(host, &found, &AbsPath::root(), Follow::Final).ok());
            real.is_some_and(|real| real.real == asked.real)
        };
        program.names().filter(|name| name.starts_with("python")).find(is_same).map(Into::into)
    }
}

/// Returns whether file permissions or the policy prevent agents from replacing a file.
pub(crate) fn is_out_of_reach(around: &Surroundings<'_>, file: &AbsPath) -> bool {
    CallWorld::new(around, &AccessScope::default()).is_out_of_reach(file)
}

/// Returns the file of the program that a call starts by this word, and the directory in which it
/// starts; `None` if either cannot be found.
pub(crate) fn program_of(
    call: &Call,
    word: &str,
    around: &Surroundings<'_>,
) -> Option<(AbsPath, AbsPath)> {
    let Resolver { cwd, scope, .. } = Resolver::new(call, around).ok()?;
    let program = CallWorld::new(around, &scope).program(word, &cwd, false);
    Some((program.file?, cwd))
}

/// A program that is known by its name alone.
fn named(name: &str) -> Program {
    let invoked = inline_text(name);
    Program { known_as: Some(invoked.clone()), invoked, file: None }
}

impl World for CallWorld<'_> {
    fn host(&self) -> &dyn Host {
        self.around.host
    }

    fn catalogue(&self) -> &dyn Catalogue {
        &self.catalogue
    }

    fn home(&self) -> &AbsPath {
        &self.around.context.home
    }

    fn program(&self, invoked: &str, cwd: &AbsPath, builtin: bool) -> Program {
        if builtin {
            return named(invoked);
        }
        match invoked.bytes().any(|byte| byte == b'/') {
            true => self.program_at(invoked, cwd),
            false => self.program_named(invoked, cwd),
        }
    }

    fn is_closed(&self, directory: &AbsPath) -> bool {
        if !self.around.host.may_write(directory) {
            return true;
        }
        // If no document has a stance on files, every granted command could write there.
        let scope = AccessScope { cover: Cover::ParentGrant, ..self.scope.clone() };
        let path = FilePath::named(directory.clone());
        let what = AccessKind::File(FileAccess { op: FileOp::Write, extent: Extent::Below, path });
        let below = Access { what, scope, span: None };
        let some = directory.child("program").is_ok_and(|file| self.is_out_of_reach(&file));
        some && self.around.policy.decide(&below).effect != Effect::Allow
    }

    /// Returns whether file permissions or the policy prevent agents from replacing the file.
    fn is_out_of_reach(&self, file: &AbsPath) -> bool {
        let Some(directory) = file.parent() else { return false };
        if !self.around.host.may_write(&directory) {
            return true;
        }
        let path = FilePath::named(file.clone());
        let replace = FileAccess { op: FileOp::Write, extent: Extent::One, path };
        self.around.policy.decide(&self.access(AccessKind::File(replace))).effect != Effect::Allow
    }

    fn objects_to_variable(&self, name: &str) -> bool {
        let verdict = self.around.policy.decide(&self.access(AccessKind::SetEnv(name.into())));
        verdict.grounds.iter().any(|ground| match ground {
            Ground::Rule(_) => ground.effect() == Effect::Deny,
            Ground::Danger(_) | Ground::Protected(_) => true,
            _ => false,
        })
    }

    fn is_inert_value(&self, name: &str, value: &str) -> bool {
        let verdict = self.around.policy.decide(&self.access(AccessKind::SetEnv(name.into())));
        let is_inert = |ground: &Ground| match ground {
            Ground::Danger(found) => found.rule().is_some_and(|rule| {
                rule.note.harmless.as_ref().is_some_and(|own| own.admits_value(value))
            }),
            _ => true,
        };
        verdict.effect == Effect::Deny && verdict.grounds.iter().all(is_inert)
    }

    fn named_variable(&self, name: &str) -> Option<String> {
        self.around.policy.names_variable(name).then(|| self.around.host.env(name))?
    }

    fn objects_to_program(&self, name: &str) -> bool {
        self.around.policy.objects_to_program(name)
    }

    fn narrows_program(&self, name: &str) -> bool {
        self.around.policy.narrows_program(name)
    }

    fn judges_connections(&self) -> bool {
        let port = self.access(AccessKind::Listen(1));
        debug_assert_eq!(port.class(), Class::Net);
        self.around.policy.has_stance(&port)
    }

    fn is_scoped_by_path(&self) -> bool {
        // Cached, because every word of a line asks this.
        *self.scoped.get_or_init(|| {
            let settings = self.around.policy.settings();
            settings.allow_metacharacters != Some(true)
                && self.around.policy.is_scoped_by_path(&self.some_file())
        })
    }

    fn unanalysable(&self) -> Effect {
        self.around.policy.settings().unanalysable.unwrap_or(Effect::Deny)
    }

    fn unknown_operands(&self) -> Effect {
        self.around.policy.settings().unknown_operands.unwrap_or(Effect::Allow)
    }

    fn grants_everywhere(&self, op: FileOp, scope: &AccessScope) -> bool {
        let path = FilePath::named(AbsPath::root());
        let what = AccessKind::File(FileAccess { op, extent: Extent::Below, path });
        let anywhere = Access { what, scope: scope.clone(), span: None };
        self.around.policy.decide(&anywhere).effect == Effect::Allow
    }
}
