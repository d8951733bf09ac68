//! What a substitution becomes, where its one command is known to print that and nothing else.

use super::Walker;
use super::directory::Pwd;
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
    /// One word, or nothing: no revision and no name of a system has a blank in it.
    Word,
    /// A number without a sign.
    Number,
    /// Numbers, one in each line.
    Numbers,
    /// The name of a new file that begins so.
    Name(String),
}

impl Walker<'_> {
    /// What the script of a substitution prints.
    pub(super) fn prints(&self, script: &Script) -> Option<Printed> {
        let only = only_command(script)?;
        let words: Vec<_> = only.words.iter().map(Word::as_static).collect::<Option<_>>()?;
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        let (name, args) = words.split_first()?;
        // A function of this name prints what it likes.
        if !only.assignments.is_empty() || self.state.functions.get(name).is_some() {
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
            ("git", args) if names_revision(args) => Some(Printed::Word),
            ("uname", ["-s" | "-m" | "-r"]) | ("whoami" | "hostname" | "arch", []) => {
                Some(Printed::Word)
            }
            ("date", [format]) if is_unbroken(format) => Some(Printed::Word),
            ("seq", [_, ..]) if args.iter().all(|word| is_integer(word)) => Some(Printed::Numbers),
            ("pwd", [] | ["-L"]) => self.pwd_name().map(Printed::Text),
            ("pwd", ["-P"]) if self.state.pwd == Pwd::Same => self.pwd_name().map(Printed::Text),
            ("mktemp", args) => self.made_name(args).map(Printed::Name),
            _ => None,
        }
    }

    /// What the name begins with that `mktemp` makes.
    fn made_name(&self, args: &[&str]) -> Option<String> {
        let is_flag = |word: &&str| matches!(*word, "-d" | "-q" | "--directory" | "--quiet");
        let rest: Vec<&str> = args.iter().copied().filter(|word| !is_flag(word)).collect();
        let of = |template: &str| {
            let start = template.find("XXX")?;
            let plain = !template.starts_with('-') && !template.contains(char::is_whitespace);
            template.get(..start).filter(|_| plain).map(str::to_owned)
        };
        match rest.as_slice() {
            [] => Some(format!("{}/tmp.", self.temporary()?)),
            ["-t", template] => Some(format!("{}/{}", self.temporary()?, of(template)?)),
            [template] if template.contains('/') => of(template),
            [template] => of(&format!("./{template}")),
            _ => None,
        }
    }

    /// The directory for temporary files, where it is plain to tell.
    fn temporary(&self) -> Option<String> {
        let set = self.state.variables.get("TMPDIR").map(|own| own.value.clone());
        let value = match set {
            Some(value) => value?,
            None => self.world.host().env("TMPDIR").unwrap_or_default().to_string(),
        };
        let plain = value.starts_with('/') && !value.contains(char::is_whitespace);
        match value.is_empty() {
            true => Some("/tmp".to_owned()),
            false => plain.then_some(value),
        }
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
fn is_input(redirect: &Redirect) -> bool {
    redirect.op == RedirectOp::Read
        && redirect.descriptor == Descriptor::Implied
        && matches!(redirect.target, RedirectTarget::Word(_))
}

/// Whether git prints one revision, or one name of it. It repeats words that it does not know.
fn names_revision(args: &[&str]) -> bool {
    let is_plain = |word: &str| !word.starts_with('-') && !word.contains(char::is_whitespace);
    match args {
        ["branch", "--show-current"] => true,
        ["rev-parse", "--short" | "--abbrev-ref" | "--verify", one]
        | ["rev-parse" | "symbolic-ref", one]
        | ["symbolic-ref", "--short", one] => is_plain(one),
        ["merge-base", one, other] => is_plain(one) && is_plain(other),
        ["describe", options @ ..] => options.iter().all(|word| {
            matches!(*word, "--tags" | "--always" | "--dirty" | "--abbrev=0" | "--long")
        }),
        _ => false,
    }
}

/// Whether a format of `date` prints no blank.
fn is_unbroken(format: &str) -> bool {
    let Some(format) = format.strip_prefix('+') else { return false };
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        let known = |next: char| "YmdHMSsFTjyuVGN%".contains(next);
        let fits = match letter {
            '%' => letters.next().is_some_and(known),
            other => !other.is_whitespace(),
        };
        if !fits {
            return false;
        }
    }
    true
}

fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
