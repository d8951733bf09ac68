//! The wrappers of hermes-agent 0.19.0, from `tools/environments/base.py` and
//! `tools/file_operations.py`: one around a command, one that saves shell settings, and one that
//! replaces a file.

use sha2::{Digest, Sha256};

use super::{is_plain, single_word};

/// The fixed scripts in these wrappers, identified by SHA-256.
struct Scripts<'a> {
    /// The script that replaces a file atomically and keeps its mode.
    replaces: &'a str,
    /// The script that saves functions and aliases of a shell; `@` stands for its output file.
    notes: &'a str,
    /// The number of lines of `notes`.
    lines: usize,
}

/// The scripts of version 0.19.0.
const SCRIPTS: Scripts<'static> = Scripts {
    replaces: "2f944c74b4011ec13cb875434665f987ee5e857b34ff856551f4c18d09cd98ac",
    notes: "415827d599db2e20f66e361ee010d680e67b4bf451c4513b3d60b3a5aaf3fa04",
    lines: 6,
};

pub(super) fn inner_command(line: &str) -> Option<String> {
    SCRIPTS.inner_command(line)
}

impl Scripts<'_> {
    fn inner_command(&self, line: &str) -> Option<String> {
        let rest = without_start_up_files(line);
        if rest.starts_with("umask 077\n") {
            // The whole text comes from hermes; the model wrote none of it.
            return self.is_note_of_settings(rest).then(|| ":".to_owned());
        }
        let (snapshot, rest) = match rest.strip_prefix("source ") {
            Some(rest) => {
                let (snapshot, rest) = rest.split_once(" >/dev/null 2>&1 || true\n")?;
                (Some(snapshot).filter(|own| is_snapshot(own)).map(Some)?, rest)
            }
            None => (None, rest),
        };
        let (place, rest) = rest.split_once('\n')?;
        let directory = place.strip_prefix("builtin cd -- ")?.strip_suffix(" || exit 126")?;
        let (command, rest) = single_word(rest.strip_prefix("eval ")?, &[r"\''"])?;
        let rest = rest.strip_prefix("\n__hermes_ec=$?\numask 077\n")?;
        let rest = match snapshot {
            Some(own) => rest.strip_prefix(&format!(
                "{{ export -p > {own}.tmp.$BASHPID && mv -f {own}.tmp.$BASHPID {own}; }} \
             2>/dev/null || rm -f {own}.tmp.$BASHPID 2>/dev/null || true\n"
            ))?,
            None => rest,
        };
        let says = rest.strip_suffix("\nexit $__hermes_ec")?;
        (is_word(directory) && says_where(says)).then(|| {
            let command = self.replaced_file(&command).unwrap_or(command);
            format!("{place}\n{command}")
        })
    }

    /// Returns a redirection to the file that the script replaces. The caller's confinement covers
    /// the temporary file.
    fn replaced_file(&self, command: &str) -> Option<String> {
        let (directory, rest) = quoted(command.strip_prefix("set -e; d=")?)?;
        let (file, rest) = quoted(rest.strip_prefix("; t=")?)?;
        let is_its_own = is_text_of(rest.strip_prefix("; ")?, self.replaces);
        (is_its_own && directory != "''" && file != "''").then(|| format!(": > {file}"))
    }

    /// Returns whether the text only saves a shell's settings.
    fn is_note_of_settings(&self, line: &str) -> bool {
        let noted = || {
            let rest = line.strip_prefix("umask 077\nexport -p > ")?;
            let (file, rest) = rest.split_once('\n')?;
            let snapshot = file.strip_suffix(".tmp.$BASHPID").filter(|own| is_snapshot(own))?;
            let end = rest.match_indices('\n').nth(self.lines.checked_sub(1)?)?.0;
            let (notes, rest) = rest.split_at_checked(end.saturating_add(1))?;
            if notes.contains('@') || !is_text_of(&notes.replace(file, "@"), self.notes) {
                return None;
            }
            let rest = rest.strip_prefix(&format!("mv -f {file} {snapshot} || rm -f {file}\n"))?;
            let (place, says) = rest.split_once('\n')?;
            let directory =
                place.strip_prefix("builtin cd -- ")?.strip_suffix(" 2>/dev/null || true")?;
            Some(is_word(directory) && says_where(says.strip_suffix('\n')?))
        };
        noted().unwrap_or(false)
    }
}

/// Skips the lines that source the user's start-up files, as a login shell does by itself.
fn without_start_up_files(line: &str) -> &str {
    let Some(mut rest) = line.strip_prefix("set +e\n") else { return line };
    while let Some((part, after)) = rest.split_once('\n')
        && part.starts_with("[ -r '")
    {
        let file =
            part.strip_prefix("[ -r '").and_then(|own| own.split_once('\'')).map(|own| own.0);
        let is_one = |file: &str| {
            let names = ["/.profile", "/.bash_profile", "/.bashrc"];
            let named = is_plain(file) && names.iter().any(|name| file.ends_with(name));
            named && part == format!("[ -r '{file}' ] && . '{file}' 2>/dev/null || true")
        };
        if !file.is_some_and(is_one) {
            return line;
        }
        rest = after;
    }
    rest
}

/// Returns whether a path is a snapshot such as `/tmp/hermes-snap-dac8227e510b.sh`.
fn is_snapshot(path: &str) -> bool {
    let name = path.rsplit_once('/').map(|(_, name)| name);
    let name = name.and_then(|own| own.strip_prefix("hermes-snap-")?.strip_suffix(".sh"));
    path.starts_with('/') && is_plain(path) && name.is_some_and(is_number)
}

/// Returns whether a line prints the final directory: `printf
/// '\n__HERMES_CWD_dac8__%s__HERMES_CWD_dac8__\n' "$(pwd -P)"`.
fn says_where(line: &str) -> bool {
    let number = line.strip_prefix(r"printf '\n__HERMES_CWD_").and_then(|own| own.split_once("__"));
    number.is_some_and(|(number, rest)| {
        let end = format!(r#"%s__HERMES_CWD_{number}__\n' "$(pwd -P)""#);
        is_number(number) && rest == end
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns a single-quoted word as written, and the text after it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = single_word(text, &["\"'\"'"])?;
    text.split_at_checked(text.len().saturating_sub(rest.len()))
}

/// Returns whether a text has this SHA-256 digest.
fn is_text_of(text: &str, digest: &str) -> bool {
    let bytes = Sha256::digest(text.as_bytes());
    let hex = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    hex.map(|digit| char::from_digit(digit.into(), 16)).eq(digest.chars().map(Some))
}

/// Returns whether a word has no expansions: it is plain, or single-quoted.
fn is_word(text: &str) -> bool {
    !text.is_empty() && is_plain(text) || quoted(text).is_some_and(|(_, rest)| rest.is_empty())
}

#[cfg(test)]
#[path = "hermes_tests.rs"]
mod tests;
