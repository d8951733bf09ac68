//! What a substitution becomes, where its one command is known to print that and nothing else.

use super::Walker;
use super::directory::Pwd;
use super::printed::{dated, plain};
use crate::ast::{
    AndOr, Command, Descriptor, Item, Redirect, RedirectOp, RedirectTarget, Script, SimpleCommand,
    Stage, Word,
};

/// What a command prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Printed {
    /// This text.
    Text(String),
    /// A small number that is never refused: `make -j $(nproc)`.
    Count,
    /// A number without a sign, or nothing.
    Number,
    /// Numbers, one in each line.
    Numbers,
    /// This path, or nothing where the command fails.
    Path(String),
    /// The name of a branch, or nothing: no blanks, no pattern, and no option.
    Name,
    /// A text with marks in place of what is not known of it.
    Marked(String),
    /// Options for a compiler.
    Flags,
}

impl Walker<'_> {
    /// What the script of a substitution prints.
    pub(super) fn prints(&self, script: &Script) -> Option<Printed> {
        let only = only_command(script)?;
        if only.words.is_empty() {
            return self.printed_of_file(only);
        }
        let words: Vec<_> = only.words.iter().map(Word::as_static).collect::<Option<_>>()?;
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        let (name, args) = words.split_first()?;
        // A function of this name prints what it likes.
        if self.limited || !only.assignments.is_empty() || self.state.functions.get(name).is_some()
        {
            return None;
        }
        if let [redirect] = only.redirects.as_slice() {
            let counts = matches!((*name, args), ("wc", ["-l" | "-c" | "-w"]));
            return (counts && is_input(redirect)).then_some(Printed::Number);
        }
        if !only.redirects.is_empty() {
            return None;
        }
        match (*name, args) {
            ("nproc", []) => Some(Printed::Count),
            ("id", ["-u" | "-g"]) | ("date", ["+%s" | "+%Y" | "+%Y%m%d" | "+%Y%m%d%H%M%S"]) => {
                Some(Printed::Number)
            }
            ("seq", [_, ..]) if args.iter().all(|word| is_integer(word)) => Some(Printed::Numbers),
            ("pwd", [] | ["-L"]) => self.pwd_name().map(Printed::Text),
            ("mktemp", args) => self.made_name(args).map(Printed::Path),
            ("git", ["branch", "--show-current"])
            | (
                "git",
                ["rev-parse", "--abbrev-ref", "HEAD"] | ["symbolic-ref", "--short", "HEAD"],
            ) => self.branch_is_plain().then_some(Printed::Name),
            ("git", ["rev-parse", "--show-toplevel"]) => self.tree_around().map(Printed::Path),
            ("git", ["rev-list", "--count", rev]) if !rev.starts_with('-') => Some(Printed::Number),
            ("grep", ["-c", text, file]) if !text.starts_with('-') && !file.starts_with('-') => {
                Some(Printed::Number)
            }
            ("git", args) => self.git_prints_plain(args).then(plain),
            ("uname", [] | ["-s" | "-m" | "-r"]) => Some(plain()),
            ("cat", [file]) if !file.starts_with('-') => self.file_is_plain(file).then(plain),
            ("date", args) => dated(args).map(Printed::Marked),
            ("pkg-config" | "pkgconf", args) => {
                self.flags_are_known(args).then_some(Printed::Flags)
            }
            ("pwd", ["-P"]) if self.state.pwd == Pwd::Same => self.pwd_name().map(Printed::Text),
            _ => None,
        }
    }
}

impl Walker<'_> {
    /// A name that `mktemp` makes, the signs that it chooses left as they are in the template.
    #[cold]
    fn made_name(&self, args: &[&str]) -> Option<String> {
        let (mut base, mut template, mut suffix) = (None, None, "");
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match *arg {
                "-d" | "-q" | "-dq" | "-qd" | "--directory" | "--quiet" => {}
                "-t" | "-dt" | "-td" => base = base.or(Some(self.temporary()?)),
                "-p" => base = Some((*args.next()?).to_owned()),
                text if text.starts_with("--tmpdir=") => base = Some(text.get(9..)?.to_owned()),
                text if text.starts_with("--suffix=") => suffix = text.get(9..)?,
                text if text.starts_with('-') || template.is_some() => return None,
                text => template = Some(text),
            }
        }
        let base = match (base, template) {
            (None, Some(_)) => None,
            (base, _) => Some(base.filter(|own| !own.is_empty()).or_else(|| self.temporary())?),
        };
        let template = template.unwrap_or("tmp.XXXXXXXXXX");
        let own = template.rsplit('/').next().is_some_and(|last| last.contains("XXX"));
        let leads = base.is_some() && template.contains('/');
        (own && !leads && !suffix.contains('/')).then(|| match base {
            Some(base) => format!("{}/{template}{suffix}", base.trim_end_matches('/')),
            None => format!("{template}{suffix}"),
        })
    }

    /// The directory for temporary files.
    fn temporary(&self) -> Option<String> {
        let given = match self.state.variables.get("TMPDIR") {
            Some(own) => Some(own.value.clone()?),
            None if self.given.iter().any(|name| name == "TMPDIR") => return None,
            None => self.world.host().env("TMPDIR"),
        };
        Some(given.filter(|own| !own.is_empty()).unwrap_or_else(|| "/tmp".to_owned()))
    }
}

/// The one simple command of a script.
fn only_command(script: &Script) -> Option<&SimpleCommand> {
    let [Item { list: AndOr { first, rest, .. }, .. }] = script.items.as_slice() else {
        return None;
    };
    match (first.stages.as_slice(), rest.as_slice()) {
        ([Stage { command: Command::Simple(only), .. }], []) => Some(only),
        _ => None,
    }
}

/// Whether a file is put in place of standard input.
pub(super) fn is_input(redirect: &Redirect) -> bool {
    redirect.op == RedirectOp::Read
        && redirect.descriptor == Descriptor::Implied
        && matches!(redirect.target, RedirectTarget::Word(_))
}

fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
