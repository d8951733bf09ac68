//! The shell line in which Claude Code 2.1.325 runs a command: `source SNAPSHOT … && … && eval
//! 'COMMAND' && pwd -P >| FILE`. A line of any other form is not taken for a wrapper.

use super::{is_plain, single_word};

pub(super) fn inner_command(line: &str) -> Option<String> {
    let rest = line.strip_prefix("source ")?;
    let (snapshot, mut rest) = rest.split_once(' ')?;
    if !is_snapshot(snapshot) {
        return None;
    }
    rest = rest.strip_prefix("2>/dev/null || true && ").or_else(|| rest.strip_prefix("&& "))?;
    while !rest.starts_with("eval ") {
        let (part, after) = rest.split_once(" || true && ")?;
        if !is_setting(part) {
            return None;
        }
        rest = after;
    }
    let (command, rest) = single_word(rest.strip_prefix("eval ")?, &["\"'\"'"])?;
    let rest = ["", " < /dev/null", r" \< /dev/null"]
        .iter()
        .find_map(|input| rest.strip_prefix(input)?.strip_prefix(" && pwd -P >| "))?;
    is_note(rest).then_some(command)
}

/// Returns whether a path is a snapshot such as
/// `HOME/.claude/shell-snapshots/snapshot-bash-1794808263129-a925pk.sh`.
fn is_snapshot(path: &str) -> bool {
    let name = |name: &str| {
        let name = name.strip_prefix("snapshot-").and_then(|rest| rest.strip_suffix(".sh"));
        name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
    };
    path.starts_with('/')
        && is_plain(path)
        && path.rsplit_once("/.claude/shell-snapshots/").is_some_and(|(_, own)| name(own))
}

/// Returns whether this part only sets shell options, or removes an alias and a function.
fn is_setting(part: &str) -> bool {
    let words = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || " _-".contains(c));
    let options = [r"\builtin setopt ", "setopt ", "shopt -u ", r"\builtin shopt -u "];
    if let Some(part) = part.strip_suffix(" 2>/dev/null") {
        return options.iter().any(|start| part.strip_prefix(start).is_some_and(words));
    }
    let forgotten = part
        .strip_prefix(r"{ \builtin unalias -- '")
        .and_then(|rest| rest.strip_suffix("'; } >/dev/null 2>&1"))
        .and_then(|rest| rest.split_once(r"'; \builtin unset -f -- '"));
    forgotten.is_some_and(|(alias, function)| alias == function && words(alias))
}

/// Returns whether a path is the file for the final directory, such as `/tmp/claude-59f1-cwd`.
fn is_note(path: &str) -> bool {
    path.starts_with('/')
        && is_plain(path)
        && path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.starts_with("claude-") && name.ends_with("-cwd"))
}

#[cfg(test)]
#[path = "claude_tests.rs"]
mod tests;
