//! Finds secrets in short options of known programs.

use super::bytes::{Bytes, Span, is_blank, is_quote};
use super::context::behind_user;
use super::value::{self, Extent, is_literal};

/// A short option whose value is a secret.
struct SecretOption {
    /// The programs that have this option.
    programs: &'static [&'static str],
    /// The subcommand that must come first; empty if none is required.
    subcommand: &'static str,
    option: &'static str,
    form: Form,
}

/// How an option takes its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In the same word.
    Attached,
    /// In the next word.
    Separate,
    /// In the same word or the next.
    Both,
    /// In the same word, after a user name and a colon.
    User,
}

const fn short(
    programs: &'static [&'static str],
    option: &'static str,
    form: Form,
) -> SecretOption {
    SecretOption { programs, subcommand: "", option, form }
}

const OPTIONS: [SecretOption; 9] = [
    short(&["sshpass"], "-p", Form::Both),
    short(
        &["mysql", "mysqladmin", "mysqldump", "mysqlimport", "mysqlsh", "mariadb", "mariadb-dump"],
        "-p",
        Form::Attached,
    ),
    short(&["redis-cli"], "-a", Form::Separate),
    short(&["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami"], "-w", Form::Both),
    short(&["zip", "unzip"], "-P", Form::Both),
    short(&["7z", "7za", "7zr", "7zz"], "-p", Form::Attached),
    short(&["mongo", "mongosh", "mongodump", "mongorestore"], "-p", Form::Separate),
    short(&["curl"], "-u", Form::User),
    SecretOption {
        programs: &["docker", "podman", "helm", "az", "oc", "nerdctl", "buildah"],
        subcommand: "login",
        option: "-p",
        form: Form::Separate,
    },
];

/// Finds the secrets of every known command in a text.
pub(super) fn find(bytes: Bytes<'_>) -> Vec<Span> {
    let mut found = Vec::new();
    let mut program = "";
    let mut subcommand = "";
    let mut expected = false;
    for word in words(bytes) {
        let text = bytes.slice(word.span.clone());
        if word.is_first {
            (program, subcommand, expected) = ("", "", false);
        }
        if expected {
            found.push(word.span.clone());
            expected = false;
            continue;
        }
        if let Some(base) = text.rsplit('/').next().filter(|base| is_known(base)) {
            (program, subcommand) = (base, "");
            continue;
        }
        if text == "login" {
            subcommand = text;
        }
        if let Some(secret) = text.strip_prefix("pass:") {
            found.push(word.span.end.saturating_sub(secret.len())..word.span.end);
        }
        let option = OPTIONS.iter().find(|option| {
            option.programs.contains(&program)
                && (option.subcommand.is_empty() || option.subcommand == subcommand)
                && text.starts_with(option.option)
        });
        if let Some(option) = option {
            expected = take(bytes, option, word.span, &mut found);
        }
    }
    found.retain(|span| is_literal(bytes.slice(span.clone())));
    found
}

/// Records the secret in the option's own word. Returns true if the secret is the next word.
fn take(bytes: Bytes<'_>, option: &SecretOption, word: Span, found: &mut Vec<Span>) -> bool {
    let rest = word.start.saturating_add(option.option.len())..word.end;
    let is_attached = matches!(option.form, Form::Attached | Form::Both);
    if rest.is_empty() && is_attached && bytes.at(word.end).is_some_and(is_quote) {
        found.push(value::at(bytes, word.end, Extent::Plain, bytes.before(word.start)).0);
        return false;
    }
    if rest.is_empty() {
        return matches!(option.form, Form::Separate | Form::Both);
    }
    match option.form {
        Form::Attached | Form::Both => found.push(rest),
        Form::User => found.extend(behind_user(bytes, rest)),
        Form::Separate => {}
    }
    false
}

fn is_known(name: &str) -> bool {
    OPTIONS.iter().any(|option| option.programs.contains(&name))
}

/// A word of a line, without its quotation marks.
struct Word {
    span: Span,
    /// Whether the word starts a command.
    is_first: bool,
}

/// Splits a text into words with a simplified shell syntax.
fn words(bytes: Bytes<'_>) -> impl Iterator<Item = Word> {
    let mut at = 0;
    let mut is_first = true;
    std::iter::from_fn(move || {
        loop {
            let byte = bytes.at(at)?;
            if ends_command(byte) {
                is_first = true;
            } else if !is_blank(byte) && !is_quote(byte) {
                break;
            }
            at = at.saturating_add(1);
        }
        let quote = bytes.before(at).filter(|byte| is_quote(*byte));
        let end = bytes.skip(at, |byte| match quote {
            Some(quote) => byte != quote && byte != b'\n' && !is_blank(byte),
            None => !is_blank(byte) && !ends_command(byte) && !is_quote(byte),
        });
        let word = Word { span: at..end, is_first };
        at = end;
        is_first = false;
        Some(word)
    })
}

fn ends_command(byte: u8) -> bool {
    matches!(byte, b'\n' | b';' | b'|' | b'&' | b'(' | b')')
}
