//! Code inside options: what the little languages were found to do.

use ringfence_core::AccessKind;
use ringfence_core::access::ALL_VARIABLES;
use ringfence_core::program::FileUse;

use super::Walker;
use crate::field::{Field, FieldText, NUMBER, PERHAPS, PLAIN};
use crate::lang::words::split;
use crate::lang::{self, Finding};
use crate::span::Span;

/// Notations of words that name something and run nothing: not known, they are unknown operands.
const OPERANDS: [&str; 12] = [
    "git-object",
    "gh-api",
    "gh-item",
    "ps",
    "kube-kinds",
    "kube-raw",
    "requirement",
    "ffmpeg-input",
    "name-or-file",
    "pytest-operand",
    "libtest-options",
    "address",
];

/// Notations of which the beginning says what is done: what follows is an unknown operand.
const BEGINNINGS: [&str; 22] = [
    "7z-lists",
    "7z-names",
    "aider-message",
    "ansible-vars",
    "bake-set",
    "ctest-overwrite",
    "dnf-setting",
    "dotnet-logger",
    "elsewhere",
    "ffreport",
    "flask-app",
    "gcc-f",
    "git-trace",
    "jest-config",
    "just-argument",
    "just-value",
    "keyed-place",
    "lua-module",
    "m4-define",
    "mocha-node",
    "msbuild-property",
    "toolchain",
];

impl Walker<'_> {
    pub(super) fn code_field(&mut self, language: &str, field: &Field) {
        if matches!(language, "subscript" | "arith") {
            return self.evaluated_field(language, field);
        }
        match field.as_known() {
            Some(code) => self.code(language, code, field.span),
            None if OPERANDS.contains(&language) => self.loose_operand(field),
            None if BEGINNINGS.contains(&language) || language == "sbt" && is_begun(field) => {
                self.code(language, &format!("{}x", field.prefix()), field.span);
                self.unknown_operand("can't tell how an operand ends", field.span);
            }
            // Which database it is says where it lies, and starts nothing.
            None if language == "pg-database" => self.unknown_hosts_in(field),
            // No name that a pattern becomes is taken for a file of options, as none is for an option.
            None if language == "argfile" && field.is_flags() => {
                self.unknown_operand("can't tell which option of the compiler it is", field.span);
            }
            None if language == "argfile" && is_name(field) => self.file(FileUse::Read, field),
            None if language == "cmake-define" && names_at_most_places(language, field) => {
                self.unknown_operand("can't tell which place it names", field.span);
            }
            None if matches!(language, "imagemagick-output" | "ffmpeg-output") => {
                self.place_or_path(field, FileUse::WriteTree);
            }
            None if language == "tree-or-list" && is_name(field) => {
                self.file(FileUse::ReadTree, field);
            }
            // Behind a slash nothing says by what an image is made.
            None if language == "imagemagick" && field.prefix().contains('/') => {
                self.file(FileUse::Edit, field);
            }
            None if self.is_code_of_numbers(language, field) => {}
            None => {
                let reason = format!("can't tell which {language} code is in `{}`", field.shown());
                self.unanalysable(&reason, Some(field.span));
            }
        }
    }

    /// Code that is known apart from numbers does the same whichever they are, where it is found to
    /// do so with two that have little in common, and without those that may be nothing.
    #[cold]
    fn is_code_of_numbers(&mut self, language: &str, field: &Field) -> bool {
        let Some(text) = field.numbered() else { return false };
        if text.contains(PLAIN) || !stand_apart(language, text) {
            return self.is_code_around_text(language, text, field.span);
        }
        if !self.spend(text.len().saturating_mul(3)) {
            return false;
        }
        let with =
            |number: &str, perhaps: &str| text.replace(NUMBER, number).replace(PERHAPS, perhaps);
        let (one, others) = (with("1", "1"), [with("27", "27"), with("1", "")]);
        let read = lang::read(language, &one);
        let same = others.iter().all(|other| lang::read(language, other) == read);
        if same {
            self.code(language, &one, field.span);
        }
        same
    }

    /// A word whose name, or all of it, a builtin evaluates.
    fn evaluated_field(&mut self, language: &str, field: &Field) {
        let text = field.prefix().to_owned();
        let name = match (language, text.split_once('=')) {
            ("subscript", Some((name, _))) => name,
            _ if field.as_known().is_some() => text.as_str(),
            _ => {
                let reason = format!("can't tell which name is in `{}`", field.shown());
                return self.unanalysable(&reason, Some(field.span));
            }
        };
        self.code(language, name, field.span);
        if language == "arith" || name.contains('[') {
            self.evaluated_text(&Field::known(name, field.span));
        }
    }

    pub(super) fn code(&mut self, language: &str, code: &str, span: Span) {
        if !self.spend(code.len()) {
            return;
        }
        let Some(findings) = lang::read(language, code) else {
            let reason = format!("`{language}` is no language that is read here");
            return self.unanalysable(&reason, Some(span));
        };
        self.nested(span, |walker| {
            findings.into_iter().for_each(|finding| walker.finding(finding, span));
        });
    }

    fn finding(&mut self, finding: Finding, span: Span) {
        let known = |text: String| Field::known(text, span);
        match finding {
            Finding::Shell(text) => {
                if let Some(first) = text.split_whitespace().next() {
                    self.file_of_program(first, span);
                }
                self.shell_text(&text, span);
            }
            Finding::Run(words) => {
                let argv: Vec<Field> = words.into_iter().map(known).collect();
                self.inner(|walker| walker.spawn(&argv, &[]));
            }
            Finding::RunUnknown(reason) | Finding::Unreadable(reason) => {
                self.unanalysable(&reason, Some(span));
            }
            Finding::Read(text) => self.named_in_code(FileUse::Read, &text, span),
            Finding::ReadTree(text) => self.named_in_code(FileUse::ReadTree, &text, span),
            Finding::Write(text) => self.named_in_code(FileUse::Write, &text, span),
            Finding::WriteTree(text) => self.named_in_code(FileUse::WriteTree, &text, span),
            Finding::Delete(text) => self.named_in_code(FileUse::DeleteTree, &text, span),
            Finding::ReadUnknown(reason) => {
                self.reads_unknown = true;
                self.unknown_operand(&reason, span);
            }
            Finding::MayRun(name) if self.world.objects_to_program(&name) => {
                self.unanalysable(&format!("`{name}` may be run"), Some(span));
            }
            Finding::MayRun(_) => {}
            Finding::Operand(text) => self.loose_operand(&known(text)),
            Finding::Also(words) => {
                let words: Vec<Field> = words.into_iter().map(known).collect();
                if let Some((first, words)) = words.split_first() {
                    self.may_be_run(first.prefix(), words, span);
                }
            }
            Finding::Options(program, text) => self.options_of(program, &text, span),
            Finding::WriteUnknown(reason) => self.ask(&reason, span),
            Finding::Url(text) => self.url(&known(text)),
            Finding::Host(text) => self.host(&known(text)),
            Finding::Listen(text) => self.listen(&known(text)),
            Finding::GetEnv(name) => self.read_variable(&name, span),
            Finding::AllEnv => self.read_variable(ALL_VARIABLES, span),
            Finding::SetEnv(name) => self.add(AccessKind::SetEnv(name.into()), span),
            Finding::HandsOn(name) if self.world.objects_to_variable(&name) => {
                self.add(AccessKind::SetEnv(name.into()), span);
            }
            // What a program's own variables are called matters to nobody else.
            Finding::HandsOn(_) => {}
            Finding::Code(language, code) => self.code(language, &code, span),
            Finding::CodeFile("shell", path) => self.script_file(&known(path), None, false),
            Finding::CodeFile(language, path) => {
                self.named_in_code(FileUse::Read, &path, span);
                self.code_file(language, &path, span);
            }
        }
    }

    /// Words that a variable adds to those of a program.
    fn options_of(&mut self, program: &str, text: &str, span: Span) {
        let sub = program.split(' ').skip(1).map(str::to_owned);
        let name = program.split(' ').next().unwrap_or(program);
        let words = split(text).map(|words| {
            sub.chain(words).map(|word| Field::known(word, span)).collect::<Vec<Field>>()
        });
        if !words.is_some_and(|words| self.as_program(name, &words, span, false)) {
            let reason = format!("can't tell what `{text}` means to `{program}`");
            self.unanalysable(&reason, Some(span));
        }
    }

    /// A file as code names it. Many programs expand `~` themselves, where no shell has done it;
    /// since others do not, both paths count.
    pub(super) fn named_in_code(&mut self, usage: FileUse, text: &str, span: Span) {
        if let Some(rest) = text.strip_prefix('~') {
            let (user, below) = rest.split_once('/').unwrap_or((rest, ""));
            let home = match user {
                "" => Some(self.world.home().clone()),
                user => self.world.host().home_of(user),
            };
            match home {
                Some(home) => self.file_named(usage, &format!("{home}/{below}"), span),
                None => self.unknown_operand("can't tell whose home directory it is", span),
            }
        }
        self.file_named(usage, text, span);
    }
}

/// Whether what is set names a place at most, whatever its value is: with any of its kinds it does.
fn names_at_most_places(language: &str, field: &Field) -> bool {
    let prefix = field.prefix();
    let is_place = |own: &Finding| {
        matches!(own, Finding::Operand(_) | Finding::Read(_) | Finding::Url(_) | Finding::Host(_))
    };
    let names_place = |value: &str| {
        let found = lang::read(language, &format!("{prefix}{value}"));
        found.is_some_and(|found| found.iter().all(is_place))
    };
    // Files that cmake's own variables name are code.
    prefix.contains('=')
        && !prefix.starts_with("CMAKE")
        && ["", "x", "/x", "x;y", "https://x.example/"].into_iter().all(names_place)
}

/// Whether each number in a code is a number by itself and not a part of a name, a delimiter or a text:
/// `5p`, `NR==5`, `.[5]`. Other languages have too many places where a digit is something else.
fn stand_apart(language: &str, text: &str) -> bool {
    let is_mark = |c: char| matches!(c, NUMBER | PERHAPS);
    let begins = |c: char| matches!(c, ',' | ';' | '{' | '(' | '[' | '=' | '<' | '>');
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_' || is_mark(c);
    let (before, after): (Vec<char>, Vec<char>) = match language {
        "sed" | "awk" | "jq" => {
            let around = text.char_indices().filter(|(_, c)| is_mark(*c));
            around
                .map(|(at, c)| {
                    let before = text.get(..at).map(|own| match language {
                        "sed" => own,
                        _ => own.trim_end_matches(' '),
                    });
                    let before = before.and_then(|own| own.chars().next_back());
                    let after = text.get(at.saturating_add(c.len_utf8())..);
                    let after = after.and_then(|own| own.chars().next());
                    (before.unwrap_or(';'), after.unwrap_or(';'))
                })
                .unzip()
        }
        _ => return false,
    };
    // Commands of sed follow an address.
    before.into_iter().all(begins)
        && after.into_iter().all(|c| !goes_on(c) || language == "sed" && c.is_ascii_alphabetic())
}

/// Whether the first word of a command is known, where the rest is not.
fn is_begun(field: &Field) -> bool {
    field.prefix().trim_start().contains(' ')
}

/// Whether a word that is not known is the name of a file, by how it begins or where it comes from.
fn is_name(field: &Field) -> bool {
    match &field.text {
        FieldText::Known(_) => false,
        FieldText::Glob(_) => !field.prefix().starts_with('@'),
        FieldText::Unknown(dynamic) => match dynamic.prefix.chars().next() {
            // All that `find` prints begins so, unless a name has a blank in it.
            Some(first) => first != '@' && (!dynamic.many || dynamic.prefix.ends_with('/')),
            None => dynamic.operand,
        },
    }
}
