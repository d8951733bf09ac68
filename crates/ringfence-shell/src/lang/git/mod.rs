//! Keys and values of git's configuration, as `git -c` and `git config` take them.
//!
//! Most keys are settings. Those that name programs, files or hosts stand in [`keys`]; a key that
//! only looks as if it named a program is not known.

mod file;
mod keys;

use super::Finding;
use super::place;
use super::words::split;
pub(super) use file::read_file;
use keys::Role;

/// Reads `KEY=VALUE`, or `KEY` alone, which is true.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let (key, value) = match code.split_once('=') {
        Some((key, value)) => (key, Some(value)),
        None => (code, None),
    };
    judge(key, value).unwrap_or_else(|| vec![super::unreadable("it is no key of git's")])
}

/// Reads `KEY=VALUE` where the key was a word of its own, so that it may hold an `=` itself.
pub(super) fn read_set(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut readable = false;
    let places = code.match_indices('=').take(64);
    for (at, _) in places {
        let (key, value) = (code.get(..at), code.get(at.saturating_add(1)..));
        if let (Some(key), Some(value)) = (key, value)
            && let Some(more) = judge(key, Some(value))
        {
            readable = true;
            found.extend(more);
        }
    }
    if !code.contains('=') {
        return read(code);
    }
    if !readable || code.match_indices('=').nth(64).is_some() {
        found.push(super::unreadable("it is no key of git's"));
    }
    found
}

/// What the key and value do; `None` if it is no key.
fn judge(key: &str, value: Option<&str>) -> Option<Vec<Finding>> {
    let (section, rest) = key.split_once('.')?;
    let (subsection, name) = rest.rsplit_once('.').unwrap_or(("", rest));
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    if !plain(section) || !plain(name) || key.contains('\n') {
        return None;
    }
    let (section, name) = (section.to_ascii_lowercase(), name.to_ascii_lowercase());
    let Some(role) = keys::role(&section, &name) else {
        let reason = format!("git's `{section}.{name}` may name a program");
        return Some(vec![Finding::RunUnknown(reason)]);
    };
    Some(apply(role, subsection, value.unwrap_or("true")))
}

fn apply(role: Role, subsection: &str, value: &str) -> Vec<Finding> {
    let text = value.to_owned();
    match role {
        Role::Inert => Vec::new(),
        // Whatever its role, an empty value takes an earlier one back.
        _ if value.is_empty() && role != Role::PlaceInKey => Vec::new(),
        Role::Shell => vec![Finding::Shell(text)],
        Role::ShellOrBool if is_bool(value) => Vec::new(),
        Role::ShellOrBool => vec![Finding::Shell(text)],
        Role::Program => vec![Finding::Run(vec![text])],
        Role::Alias => alias(value),
        Role::Helper => vec![Finding::Shell(helper(value))],
        Role::ShellAfterBang => value
            .strip_prefix('!')
            .map(|line| Finding::Shell(line.to_owned()))
            .into_iter()
            .collect(),
        Role::GitProxy => {
            let program = value.split(" for ").next().unwrap_or(value).trim();
            vec![Finding::Run(vec![program.to_owned()])]
        }
        Role::Transport => vec![Finding::Run(vec![format!("git-remote-{value}")])],
        Role::MailServer if value.starts_with(['/', '~']) => vec![Finding::Shell(text)],
        Role::MailServer | Role::Host => vec![Finding::Host(text)],
        // No hooks at all is the usual reason to set it.
        Role::Hooks if value == "/dev/null" => Vec::new(),
        Role::Hooks => vec![
            Finding::Read(text),
            Finding::RunUnknown("git runs hooks from that directory".to_owned()),
        ],
        Role::Read => vec![Finding::Read(text)],
        Role::Write => vec![Finding::Write(text)],
        Role::ReadWrite => vec![Finding::Read(text.clone()), Finding::Write(text)],
        Role::ReadIfPath => if_path(value, Finding::Read(text)),
        Role::ReadUnlessHash if value.starts_with("sha256//") => Vec::new(),
        Role::ReadUnlessHash => vec![Finding::Read(text)],
        Role::Url => vec![Finding::Url(place::with_scheme(value))],
        Role::Resolve => resolve(value),
        Role::Place => place::git(value, place::Use::Read),
        Role::PlaceWrite => place::git(value, place::Use::Write),
        Role::PlaceIfPath if value.contains([':', '/']) => place::git(value, place::Use::Read),
        Role::PlaceIfPath => Vec::new(),
        Role::PlaceInKey => place::git(subsection, place::Use::Read),
        Role::Config => vec![Finding::CodeFile("git-config-file", text)],
        Role::Protocol => protocol(subsection, value),
    }
}

fn is_bool(value: &str) -> bool {
    ["true", "false", "yes", "no", "on", "off", "1", "0"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(value))
}

fn if_path(value: &str, finding: Finding) -> Vec<Finding> {
    if value.starts_with(['/', '~', '.']) || value.contains('/') {
        vec![finding]
    } else {
        Vec::new()
    }
}

fn alias(value: &str) -> Vec<Finding> {
    if let Some(line) = value.strip_prefix('!') {
        return vec![Finding::Shell(line.to_owned())];
    }
    match split(value) {
        Some(words) => {
            vec![Finding::Run(std::iter::once("git".to_owned()).chain(words).collect())]
        }
        None => vec![Finding::RunUnknown("the words of a git alias are not plain".to_owned())],
    }
}

/// git hands the helper to a shell: after `!` as it is, a path as it is, else with its prefix.
fn helper(value: &str) -> String {
    match value.strip_prefix('!') {
        Some(line) => line.to_owned(),
        None if value.starts_with('/') => value.to_owned(),
        None => format!("git credential-{value}"),
    }
}

fn resolve(value: &str) -> Vec<Finding> {
    let parts: Vec<&str> = value.trim_start_matches(['+', '-']).splitn(3, ':').collect();
    match parts.as_slice() {
        [_, port, addresses] => {
            addresses.split(',').map(|address| Finding::Host(format!("{address}:{port}"))).collect()
        }
        _ => vec![super::unreadable("a host, a port and an address were expected")],
    }
}

fn protocol(name: &str, value: &str) -> Vec<Finding> {
    let runs =
        name.is_empty() || name.eq_ignore_ascii_case("ext") || name.eq_ignore_ascii_case("fd");
    if runs && value != "never" {
        let reason = "it lets git run commands that stand in URLs";
        return vec![Finding::RunUnknown(reason.to_owned())];
    }
    Vec::new()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
