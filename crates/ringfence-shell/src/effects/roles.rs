//! What the roles of words do.

use ringfence_core::AccessKind;
use ringfence_core::access::ALL_VARIABLES;
use ringfence_core::net::is_url;
use ringfence_core::path::Follow;
use ringfence_core::program::{FileUse, WordRole};

use super::Walker;
use super::directory::Pwd;
use super::state::Directories;
use super::walk::Stdin;
use crate::field::{Field, FieldText};
use crate::span::Span;

impl Walker<'_> {
    /// Does what a word of this role does.
    pub(super) fn role(&mut self, role: &WordRole, fields: &[Field], option: Option<&str>) {
        if matches!(role, WordRole::Doubt | WordRole::Starts) {
            return self.doubtful(fields, option);
        }
        let Some(field) = fields.first() else { return };
        match role {
            WordRole::Text | WordRole::Refspec => {
                if option.is_none() {
                    self.tell_unknown(field);
                }
            }
            WordRole::Pid
            | WordRole::Sub
            | WordRole::UnsetEnv
            | WordRole::Doubt
            | WordRole::Starts
            | WordRole::Is => {}
            WordRole::Name => {
                self.name_of_file(field);
                self.tell_unknown(field);
            }
            WordRole::File(usage) => self.file(*usage, field),
            WordRole::Cd => self.work_in(field),
            WordRole::Run => self.run_named(field),
            WordRole::Shell => self.shell_field(field),
            WordRole::Command(_) => self.spawn(fields, &[]),
            WordRole::Script => self.script_file(field, None, false),
            WordRole::Code(language) => self.code_field(language, field),
            WordRole::CodeFile(_) if is_url(field.prefix()) => self.url(field),
            WordRole::CodeFile(language) if fetched(language, field.prefix()).is_some() => {
                let registry = fetched(language, field.prefix()).unwrap_or_default();
                self.registry(registry, field.span);
            }
            WordRole::CodeFile(language) => {
                self.file(FileUse::Read, field);
                if let Some(name) = field.as_known() {
                    self.code_file(language, name, field.span);
                }
                // Files with addresses: where they lead cannot be told.
                if matches!(&**language, "curl-config" | "url-list") {
                    self.unknown_hosts_in(field);
                }
            }
            WordRole::Url => self.url(field),
            WordRole::Host => self.host(field),
            WordRole::Place { write: false } => self.place_or_path(field, FileUse::ReadTree),
            WordRole::Place { write: true } => self.place_or_path(field, FileUse::WriteTree),
            WordRole::GitRemote => self.git_remote(field),
            WordRole::Listen => self.listen(field),
            WordRole::Registry(name) => self.registry(name, field.span),
            WordRole::SetEnv => self.set_word(field, false),
            WordRole::GetEnv => self.get_env(field),
            WordRole::AtFile => {
                if field.prefix().starts_with('@') {
                    self.file(FileUse::Read, &field.skip(1));
                }
            }
        }
    }

    /// An operand that cannot be told matters only where a policy says so.
    fn tell_unknown(&mut self, field: &Field) {
        if let FieldText::Unknown(_) = field.text {
            self.unknown_operand("can't tell which operand it is", field.span);
        }
    }

    fn doubtful(&mut self, fields: &[Field], option: Option<&str>) {
        let what = option.or_else(|| fields.first().map(Field::shown)).unwrap_or("it").to_owned();
        let reason = format!("can't tell what `{what}` leads to");
        let span = fields.first().map(|field| field.span);
        self.unanalysable(&reason, span);
    }

    fn get_env(&mut self, field: &Field) {
        match field.as_known() {
            Some(name) if !name.is_empty() => {
                let name = name.to_owned();
                self.read_variable(&name, field.span);
            }
            _ => self.read_variable(ALL_VARIABLES, field.span),
        }
    }

    /// The directory in which a program works: it is looked into, and what follows starts there.
    fn work_in(&mut self, field: &Field) {
        self.looked_in.get_or_insert_with(|| self.state.cwd.clone());
        match field.as_known() {
            Some(text) if !text.is_empty() => {
                self.file_named(FileUse::Read, text, field.span);
                let paths = self.resolve(text, Follow::Final, field.span);
                self.state.cwd = paths.into_iter().map(|path| path.real).collect();
                self.state.pwd = Pwd::Same;
            }
            Some(_) => {}
            None => {
                self.file(FileUse::Read, field);
                self.state.cwd = Directories::default();
            }
        }
    }

    /// A program that is run with arguments that cannot be told.
    fn run_named(&mut self, field: &Field) {
        match &field.text {
            FieldText::Known(name) if !name.is_empty() => {
                let more = Field::unknown("…", true, field.span);
                let name = name.clone();
                let scope = self.scope.clone();
                // Some take a whole line, though they call it a program.
                match name.contains([' ', '\t', '\n']) {
                    true => self.shell_text(&name, field.span),
                    false => {
                        self.file_of_program(&name, field.span);
                        let argv = [field.clone(), Field { ..more }];
                        self.spawn_loosely(&argv, &Stdin::Unknown);
                    }
                }
                self.scope = scope;
            }
            FieldText::Known(_) => {}
            _ => {
                let reason = format!("can't tell which program `{}` is", field.shown());
                self.unanalysable(&reason, Some(field.span));
            }
        }
    }

    /// The file of a program that another one is told to run: it is read as well, unless it lies where
    /// programs lie.
    pub(super) fn file_of_program(&mut self, name: &str, span: Span) {
        if let Some((directory, _)) = name.rsplit_once('/')
            && !directory.ends_with("bin")
        {
            self.file_named(FileUse::Read, name, span);
        }
    }

    /// Runs a program of which only the name is known: nothing of what its words do.
    fn spawn_loosely(&mut self, argv: &[Field], _: &Stdin) {
        use std::sync::Arc;

        use ringfence_core::access::{AccessScope, Cover, Exec};
        let (Some(first), Some(cwd)) = (argv.first(), self.state.cwd.first().cloned()) else {
            return;
        };
        let name = first.as_known().unwrap_or_default();
        let args = argv.iter().skip(1).map(|field| field.to_arg(false)).collect();
        let exec = Exec::new(self.world.program(name, &cwd, false), args, cwd);
        let scope = AccessScope { command: None, cover: Cover::OwnGrant, ..self.scope.clone() };
        let before = std::mem::replace(&mut self.scope, scope);
        self.add(AccessKind::Exec(Arc::new(exec)), first.span);
        self.scope = before;
    }

    fn shell_field(&mut self, field: &Field) {
        match field.as_known() {
            Some(text) => {
                if let Some(first) = text.split_whitespace().next() {
                    self.file_of_program(first, field.span);
                }
                self.shell_text(text, field.span);
            }
            None => {
                let reason = format!("can't tell which commands are in `{}`", field.shown());
                self.unanalysable(&reason, Some(field.span));
            }
        }
    }
}

/// The registry from which a word has code fetched: `npm:NAME` of deno, `MODULE@VERSION` of go.
fn fetched(language: &str, text: &str) -> Option<&'static str> {
    match language {
        "node" if text.starts_with("npm:") => Some("npm"),
        "node" if text.starts_with("jsr:") => Some("jsr"),
        "go" if text.contains('@') && !text.starts_with(['/', '.']) => Some("go"),
        _ => None,
    }
}
