//! Lines inside the line: `sh -c`, `eval`, scripts, what a shell reads from its standard input.

use std::rc::Rc;

use ringfence_core::DoubtConstruct;
use ringfence_core::access::Cover;
use ringfence_core::host::FileEntry as HostEntry;
use ringfence_core::path::{AbsPath, FilePath, Follow};
use ringfence_core::program::{CatalogueEntry, FileUse, Operands, WordRole};

use super::arithmetic::has_subscript;
use super::builtin::any_option;
use super::dialect::Dialect;
use super::made::Made;
use super::walk::Stdin;
use super::written::Ran;
use super::{Walker, dialect};
use crate::argv::Reading;
use crate::field::Field;
use crate::parse::{MAX_BYTES, parse};
use crate::span::Span;

/// Whether a shell is told to leave braces alone: `bash +eB`.
pub(super) fn keeps_braces(args: &[Field]) -> bool {
    let is_plus = |text: &str| text.starts_with('+') && text.contains('B');
    args.iter().any(|arg| arg.as_known().is_some_and(is_plus))
}

impl Walker<'_> {
    /// A line for a shell of its own: `sh -c`.
    pub(super) fn shell_text(&mut self, text: &str, span: Span) {
        self.in_new_shell(text, span, None);
    }

    /// Steps out of the command whose words are looked at.
    pub(super) fn inner(&mut self, step: impl FnOnce(&mut Self)) {
        let before = self.enter(None, Cover::OwnGrant);
        step(self);
        self.come_back(before);
    }

    pub(super) fn in_new_shell(
        &mut self,
        text: &str,
        span: Span,
        positional: Option<Rc<[String]>>,
    ) {
        let dialect = self.starts_dialect();
        self.in_shell_of(dialect, text, span, positional);
    }

    /// The same, for a shell that reads so.
    pub(super) fn in_shell_of(
        &mut self,
        dialect: Dialect,
        text: &str,
        span: Span,
        positional: Option<Rc<[String]>>,
    ) {
        let leavable = std::mem::take(&mut self.leavable);
        let looked_in = self.looked_in.take();
        self.in_subshell(|walker| {
            walker.state.functions = walker.state.functions.emptied();
            walker.state.poisoned = None;
            walker.state.positional = positional;
            walker.state.given = std::mem::take(&mut walker.given_options);
            walker.state.variables.retain(|variable| variable.exported);
            walker.state.becomes(dialect);
            walker.text(text, span);
        });
        self.leavable = leavable;
        self.looked_in = looked_in;
    }

    /// A line that this shell itself carries out: `eval`, `source`.
    pub(super) fn text(&mut self, text: &str, span: Span) {
        if text.len() > MAX_BYTES {
            return self.over_limit("a text is longer than 1 MiB", Some(span));
        }
        if !self.spend(text.len()) {
            return;
        }
        self.subscripts |= has_subscript(text);
        let pinned = self.pinned.replace(self.pinned.unwrap_or(Some(span)));
        if let Err(reason) = dialect::check(self.state.dialect.as_str(), text) {
            self.unanalysable(&reason, Some(span));
        }
        self.nested(span, |walker| match parse(text) {
            Ok(script) => {
                walker.inner(|walker| walker.script(&script));
                // Where the text is cut short, the line that has it goes on.
                walker.read_on();
            }
            Err(error) => {
                let reason = format!("inside a text: {error}");
                walker.unparsed(&error, &reason, span);
            }
        });
        self.pinned = pinned;
    }

    /// A file with shell commands: it is read, and judged by what it says.
    pub(super) fn script_file(&mut self, field: &Field, args: Option<&[Field]>, same_shell: bool) {
        let Some(name) = field.as_known().map(str::to_owned) else {
            let reason = format!("can't tell which script `{}` is", field.shown());
            return self.unanalysable(&reason, Some(field.span));
        };
        if name.is_empty() {
            return;
        }
        if self.state.cwd.is_empty() && !name.starts_with('/') {
            let reason = format!("can't tell in which directory the script `{name}` lies");
            self.unanalysable(&reason, Some(field.span));
        }
        self.file_named(FileUse::Read, &name, field.span);
        self.refuse_written(&name, field.span);
        for path in self.resolve(&name, Follow::Final, field.span) {
            let in_file = std::mem::replace(&mut self.in_file, true);
            self.script_at(&name, &path, args, same_shell, field.span);
            self.in_file = in_file;
        }
    }

    fn script_at(
        &mut self,
        name: &str,
        path: &FilePath,
        args: Option<&[Field]>,
        same_shell: bool,
        span: Span,
    ) {
        if self.put_script(&path.real, args, same_shell, span) {
            return;
        }
        match self.read_script(&path.real) {
            Ok(text) if same_shell && self.activates(&path.real, &text) => {}
            Ok(text) if same_shell => self.sourced(&text, args.unwrap_or_default(), span),
            Ok(text) => {
                self.given_options = args.is_some_and(any_option);
                self.in_new_shell(&text, span, args.and_then(known));
            }
            Err(_) if self.is_surely_missing(name, &path.real, span) => {}
            Err(reason) => {
                let reason = format!("the script `{name}` cannot be read: {reason}");
                self.unanalysable(&reason, Some(span));
            }
        }
    }

    /// Judges a script by the text that the line has put into it; whether that is all it can be.
    ///
    /// What was there before may run as well, where the command that puts the text does not.
    fn put_script(
        &mut self,
        real: &AbsPath,
        args: Option<&[Field]>,
        same_shell: bool,
        span: Span,
    ) -> bool {
        let Made::Text(texts) = self.made(real) else { return false };
        let is_new = self.world.host().entry(real) == HostEntry::Missing;
        if same_shell && (texts.len() > 1 || !is_new) {
            let reason = format!("can't tell which text `{real}` has");
            self.unanalysable(&reason, Some(span));
        }
        for text in texts {
            match same_shell {
                true => self.sourced(&text, args.unwrap_or_default(), span),
                false => {
                    self.given_options = args.is_some_and(any_option);
                    self.in_new_shell(&text, span, args.and_then(known));
                }
            }
        }
        is_new
    }

    /// A text that this shell itself carries out, with positional parameters if it is given any.
    fn sourced(&mut self, text: &str, args: &[Field], span: Span) {
        if args.is_empty() {
            return self.leaving(|walker| walker.text(text, span));
        }
        let before = std::mem::replace(&mut self.state.positional, known(args));
        let given = std::mem::replace(&mut self.state.given, any_option(args));
        self.leaving(|walker| walker.text(text, span));
        (self.state.positional, self.state.given) = (before, given);
    }

    pub(super) fn read_script(
        &self,
        path: &ringfence_core::path::AbsPath,
    ) -> Result<String, String> {
        let bytes = self.world.host().read(path, MAX_BYTES)?;
        String::from_utf8(bytes).map_err(|_| "it is no text".to_owned())
    }

    /// What a shell or an interpreter reads from its standard input where it is given no file.
    pub(super) fn reads_stdin(
        &mut self,
        base: &str,
        reading: &Reading<'_>,
        stdin: &Stdin,
        span: Span,
    ) {
        let Some(entry) = reading.entry() else { return };
        let put = self.put_stdin(stdin, span);
        let stdin = put.as_ref().unwrap_or(stdin);
        // To nearly every command its input is data.
        let may_run = entry.operands.as_ref().is_some_and(Operands::is_script)
            || matches!(stdin, Stdin::Text(_))
            || (stdin.is_unknown() && (put.is_some() || is_interpreter(entry)));
        if may_run || base == "ssh" {
            let role = entry.operands.as_ref().and_then(|own| own.expected().role(0, 1));
            self.runs_stdin((base, put.is_some()), reading, role, stdin, span);
        }
    }

    /// Returns what a program reads from a file that the line itself has written.
    fn put_stdin(&mut self, stdin: &Stdin, span: Span) -> Option<Stdin> {
        let Stdin::File(file) = stdin else { return None };
        if !self.has_written(0) {
            return None;
        }
        let name = file.as_known()?.to_owned();
        let paths = self.resolve(&name, Follow::Final, span);
        let [path] = paths.as_slice() else { return None };
        match self.made(&path.real) {
            Made::Before => None,
            Made::Text(texts) => match <[String; 1]>::try_from(texts) {
                Ok([text]) => Some(Stdin::Text(text)),
                Err(_) => Some(Stdin::Unknown),
            },
            Made::Built | Made::Unknown => Some(Stdin::Unknown),
        }
    }

    #[cold]
    fn runs_stdin(
        &mut self,
        (base, written): (&str, bool),
        reading: &Reading<'_>,
        role: Option<&WordRole>,
        stdin: &Stdin,
        span: Span,
    ) {
        let runs = |own: &crate::argv::Use<'_>| match own.role {
            // What an option names is read before, as `--init-file` is.
            Some(WordRole::Script) => own.option.is_none(),
            Some(WordRole::Shell | WordRole::Code(_) | WordRole::CodeFile(_)) => true,
            _ => false,
        };
        if base == "ssh"
            && !reading.uses.iter().any(|own| matches!(own.role, Some(WordRole::Command(_))))
        {
            return self.remote_stdin(stdin, span);
        }
        let by_option = role == Some(&WordRole::Script) && reading.has("-s");
        let given = reading.sorts.runs && reading.uses.iter().any(runs)
            || (reading.operands > 0 && !by_option);
        if !given || reading.operands > 0 {
            self.database_code(reading, stdin, written, span);
        }
        let reads = match role {
            Some(WordRole::Script) => true,
            Some(WordRole::CodeFile(_) | WordRole::Code(_)) => {
                stdin.is_unknown() || matches!(stdin, Stdin::Text(_))
            }
            _ => false,
        };
        let harmless = ["--version", "--help", "-V", "-h", "-v"];
        if given || !reads || harmless.iter().any(|name| reading.has(name)) {
            return;
        }
        match (role, stdin) {
            (Some(WordRole::Script), Stdin::Text(text)) => self.shell_text(text, span),
            (Some(WordRole::Script), Stdin::File(file)) => {
                let operands = reading.uses.iter().filter(|own| own.option.is_none());
                let args: Vec<Field> =
                    operands.flat_map(|own| own.fields.iter().cloned()).collect();
                let (ran, file) = (self.ran.len(), file.clone());
                self.script_file(&file, Some(&args), false);
                // What a pipe brings is never taken for nothing.
                if self.ran.get(ran..).unwrap_or_default().iter().any(Ran::is_missing) {
                    let reason = format!("can't tell what `{base}` will read");
                    self.unknown_input(&reason, span);
                }
            }
            (Some(WordRole::Script), _) => {
                let reason = format!("can't tell what `{base}` will read from its standard input");
                self.unknown_starts(&reason, span, DoubtConstruct::Input);
            }
            (Some(WordRole::CodeFile(language) | WordRole::Code(language)), Stdin::Text(text)) => {
                self.code(language, text, span);
            }
            (Some(WordRole::CodeFile(language)), stdin) if stdin.is_unknown() => {
                self.unknown_code(language, span);
            }
            _ => {}
        }
    }
}

impl Walker<'_> {
    /// Whether a file of code is the standard input, or a pipe that the line itself makes.
    pub(super) fn is_stdin(&self, fields: &[Field]) -> bool {
        let name = fields.first().map(Field::prefix).unwrap_or_default();
        matches!(name, "-" | "/dev/stdin") || name.starts_with("/dev/fd/")
    }

    /// Code that is read from the standard input.
    pub(super) fn code_from_stdin(
        &mut self,
        language: &str,
        fields: &[Field],
        stdin: &Stdin,
        span: Span,
    ) {
        // What other machines are to run is as little read from a pipe as from a file.
        if language == "kubernetes" {
            return;
        }
        let is_pipe = fields.first().is_some_and(|field| field.prefix().starts_with("/dev/fd/"));
        match stdin {
            _ if is_pipe => {
                let reason = "can't tell which code the substitution will print";
                self.unknown_input(reason, span);
            }
            Stdin::Text(text) => self.code(language, &text.clone(), span),
            Stdin::Unknown | Stdin::Names(_) => self.unknown_code(language, span),
            Stdin::File(_) | Stdin::Inherited => {}
        }
    }

    /// Code that comes through a pipe from anywhere. That of a file is part of the interpreter's
    /// grant, but nobody has granted what may come from elsewhere.
    fn unknown_code(&mut self, language: &str, span: Span) {
        let reason = format!("can't tell which {language} code it will read from the pipe");
        self.unknown_input(&reason, span);
    }

    /// What the shell of a database reads from its standard input.
    fn database_code(&mut self, reading: &Reading<'_>, stdin: &Stdin, written: bool, span: Span) {
        const COPIERS: [&str; 2] = ["ftp", "sftp"];
        const SHELLS: [&str; 7] = ["sqlite", "psql", "mysql", "duckdb", "gdb", "ed", "lldb"];
        let Some(entry) = reading.entry() else { return };
        let operands = entry.operands.iter().flat_map(|own| own.roles());
        let options = entry.options.iter().flat_map(|option| &option.roles);
        let language = operands.chain(options).find_map(|role| match role {
            WordRole::Code(language) if SHELLS.contains(&&**language) => Some(language.clone()),
            _ => None,
        });
        let copies = COPIERS.contains(&&*entry.name).then(|| "transfer".into());
        match (language.or(copies), stdin) {
            (Some(language), Stdin::Text(text)) => self.code(&language, &text.clone(), span),
            // Data that a program prints is not told from commands; what the line puts is.
            (Some(language), Stdin::Unknown) if written => {
                self.unknown_code(&language, span);
            }
            _ => {}
        }
    }

    /// A shell on another machine reads commands where none are given.
    fn remote_stdin(&mut self, stdin: &Stdin, span: Span) {
        match stdin {
            Stdin::Text(text) => {
                let text = text.clone();
                self.remotely(|walker| walker.shell_text(&text, span));
            }
            Stdin::File(_) | Stdin::Unknown | Stdin::Names(_) => {
                let reason = "can't tell what a shell elsewhere will read from its standard input";
                self.unknown_input(reason, span);
            }
            Stdin::Inherited => {}
        }
    }
}

/// The words, where all of them are known.
pub(super) fn known(words: &[Field]) -> Option<Rc<[String]>> {
    words.iter().map(|word| word.as_known().map(str::to_owned)).collect()
}

/// Whether a program runs code of the language in which the file is that it is given: then it reads
/// code from its standard input where it is given none.
fn is_interpreter(entry: &CatalogueEntry) -> bool {
    let file = entry.operands.as_ref().and_then(|own| own.expected().role(0, 1));
    let Some(WordRole::CodeFile(language)) = file else { return false };
    let mut roles = entry.options.iter().flat_map(|option| &option.roles);
    roles.any(|role| matches!(role, WordRole::Code(own) if own == language))
}
