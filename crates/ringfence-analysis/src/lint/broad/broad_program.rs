//! L102, L103: grants of programs that run whatever they are told.

use ringfence_core::pattern::{CommandAlternative, Ending, Pattern, Token};

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};
use crate::programs::{self, Group, Runs};

pub(in crate::lint) const BROAD_PROGRAM: Code = Code {
    code: "L102",
    name: "broad-program",
    severity: Severity::Warning,
    summary: "the rule allows a program that can run anything",
    explanation: "Shells, interpreters and package runners do whatever their arguments say: a \
                  grant of any arguments is a grant of any program, and behind a hook alone it \
                  makes rules on files and network advisory. Name what is run \
                  (`cmd:python:-m:pytest:*`), or say that it is meant with \
                  `[security] dangerously_grant`. A wrapper such as `env` needs no grant at all.",
    example: r#"allow = ["cmd:python:*"]"#,
    fixed: r#"allow = ["cmd:python:-m:pytest:*"]"#,
};

pub(in crate::lint) const PRIVILEGED_PROGRAM: Code = Code {
    code: "L103",
    name: "privileged-program",
    severity: Severity::Warning,
    summary: "the rule allows any command with the rights of another user",
    explanation: "With `sudo`, `doas` and their kin every command runs with rights that no other \
                  rule holds back. Name the one command that needs them, or say that it is meant \
                  with `[security] dangerously_grant`.",
    example: r#"allow = ["cmd:sudo:*"]
danger = ["cmd:sudo:*"]"#,
    fixed: r#"allow = ["cmd:sudo:systemctl:restart:shop:"]
danger = ["cmd:sudo:systemctl:restart:shop:"]"#,
};

pub(in crate::lint) fn broad_program<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let broad = broad(entry).into_iter().filter(|broad| broad.group.runs != Runs::Privileged);
    let broad = most_severe(broad.collect())?;
    let own = &entry.rule.pattern;
    let (name, reason) = (&broad.name, broad.group.reason);
    let message = match broad.group.runs {
        Runs::Commands | Runs::Wrapped => format!("`{own}` says little: `{name}` {reason}"),
        _ => format!("`{own}` allows anything: `{name}` {reason}"),
    };
    let remedy = match broad.group.runs {
        Runs::Wrapped => format!("leave it out, unless `{name}` alone is meant"),
        Runs::Commands => format!("name the command that follows: `cmd:{name}:grep:*`"),
        Runs::Packages => format!("name the packages: `cmd:{name}:eslint:*`"),
        Runs::Shell => format!("name the scripts: `cmd:{name}:scripts/check.sh:*`"),
        Runs::Code | Runs::Privileged => format!(
            "name what it runs, or list `{}` under `[security] dangerously_grant`",
            programs::family(name)
        ),
    };
    let finding = Finding::new(&BROAD_PROGRAM, entry, message, remedy);
    Some(finding.with_severity(severity(broad.group)))
}

pub(in crate::lint) fn privileged_program<'a>(
    _: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    let mut broad = broad(entry).into_iter();
    let broad = broad.find(|broad| broad.group.runs == Runs::Privileged)?;
    let own = &entry.rule.pattern;
    let message = format!("`{own}` {}", broad.group.reason);
    let remedy = format!(
        "name the command: `cmd:{0}:systemctl:restart:shop`, or list `{0}` under `[security] \
         dangerously_grant`",
        broad.name
    );
    Some(Finding::new(&PRIVILEGED_PROGRAM, entry, message, remedy))
}

/// A program that is granted with any arguments.
struct Broad {
    name: String,
    group: &'static Group,
}

/// The programs of an allow rule that run whatever they are told, and were not meant to.
fn broad(entry: &Entry<'_>) -> Vec<Broad> {
    if !entry.is_open_grant() {
        return Vec::new();
    }
    let mut found = match &entry.rule.pattern {
        Pattern::Shell => named("sh").into_iter().collect(),
        Pattern::Command(command) => {
            command.alternatives().iter().filter_map(broad_alternative).collect()
        }
        _ => Vec::new(),
    };
    let meant = &entry.document.settings.dangerously_grant;
    found.retain(|broad| {
        !meant.contains(&broad.name) && !meant.contains(programs::family(&broad.name))
    });
    found
}

fn broad_alternative(alternative: &CommandAlternative) -> Option<Broad> {
    let (program, words) = alternative.tokens.split_first()?;
    let broad = match program {
        Token::Literal(word) => named(installed(word)?)?,
        Token::Glob(glob) if !glob.is_any() => {
            let names = programs::groups().iter().flat_map(Group::names);
            named(names.into_iter().find(|name| glob.matches(name))?)?
        }
        Token::Glob(_) | Token::Run => return None,
    };
    let takes_any = match words {
        [] => true,
        [Token::Literal(option)] => broad.group.takes_code(option),
        [Token::Run, ..] => true,
        _ => false,
    };
    (takes_any && alternative.ending == Ending::Open).then_some(broad)
}

/// The name of a program that is not the project's own.
fn installed(word: &str) -> Option<&str> {
    match word.rsplit_once('/') {
        None => Some(word),
        Some((directory, name)) => directory.starts_with('/').then_some(name),
    }
}

fn named(name: &str) -> Option<Broad> {
    programs::group_of(name).map(|group| Broad { name: name.to_owned(), group })
}

/// What is judged by its own rules anyway is worth knowing, not worrying about.
fn severity(group: &Group) -> Severity {
    match group.runs {
        Runs::Commands | Runs::Wrapped => Severity::Info,
        Runs::Shell | Runs::Code | Runs::Packages | Runs::Privileged => Severity::Warning,
    }
}

/// The first of the most severe.
fn most_severe(broad: Vec<Broad>) -> Option<Broad> {
    let mut rest = broad.into_iter();
    let first = rest.next()?;
    Some(rest.fold(
        first,
        |worst, next| {
            if severity(next.group) > severity(worst.group) { next } else { worst }
        },
    ))
}
