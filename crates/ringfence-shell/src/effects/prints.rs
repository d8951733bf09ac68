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
    /// A number without a sign, or nothing.
    Number,
    /// Numbers, one in each line.
    Numbers,
}

impl Walker<'_> {
    /// What the script of a substitution prints.
    pub(super) fn prints(&self, script: &Script) -> Option<Printed> {
        let only = only_command(script)?;
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
            ("pwd", ["-P"]) if self.state.pwd == Pwd::Same => self.pwd_name().map(Printed::Text),
            _ => None,
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

fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
