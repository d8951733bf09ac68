//! Settings of git that run programs.
//!
//! A repository's `config` is a list of settings, most of them harmless, and some that make git
//! run a program of the writer's choice. Whoever may change the project may change the harmless
//! ones: git writes a new file and renames it over the old one, so the two can be compared.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ringfence_guard::world::{Links, open_file};
use ringfence_sandbox::gate::Deed;

/// The longest file of settings that is read.
const LONGEST: u64 = 1 << 20;

/// The content of a file of git's settings that is about to replace another, if it sets nothing
/// anew that runs a program.
pub(crate) fn harmless(deeds: &[(Deed, PathBuf)]) -> Option<Vec<u8>> {
    let [(Deed::Read, _), (Deed::Delete, from), (Deed::Write, to)] = deeds else { return None };
    let is_config = to.file_name()?.to_str()? == "config" && from == &to.with_extension("lock");
    if !is_config {
        return None;
    }
    let (new, old) = (read_or_nothing(from)?, read_or_nothing(to)?);
    let before = running(std::str::from_utf8(&old).ok()?)?;
    let after = running(std::str::from_utf8(&new).ok()?)?;
    after.is_subset(&before).then_some(new)
}

/// Whether git does by this what it does in every new repository, and what runs nothing: it makes a
/// directory for hooks, with none in it yet, and tries on its settings whether permissions hold.
/// Each hook is judged by its own name, and so is whatever takes the place of the directory.
pub(crate) fn is_plain(deeds: &[(Deed, PathBuf)]) -> bool {
    match deeds {
        [(Deed::MakeDirectory, path)] => path.ends_with("hooks") && is_of_repository(path),
        [(Deed::About, path)] => path.ends_with("config") && is_of_repository(path),
        _ => false,
    }
}

/// Whether something lies in a directory that git keeps a repository in, by its name.
fn is_of_repository(path: &Path) -> bool {
    path.iter().any(|part| part.as_encoded_bytes().ends_with(b".git"))
}

/// What a file says, nothing where there is none; none where it cannot be read.
pub(crate) fn read_or_nothing(path: &Path) -> Option<Vec<u8>> {
    match read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Vec::new()),
        content => content.ok(),
    }
}

/// What a file says that is judged by its content. The tree can put a link or a pipe in its place
/// at any moment, and what is read here becomes the content of a file that the tree can read.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_file(path, Links::Refused)?;
    file.take(LONGEST.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(bytes.len()).is_ok_and(|length| length <= LONGEST) {
        true => Ok(bytes),
        false => Err(io::ErrorKind::FileTooLarge.into()),
    }
}

/// The settings that run programs, with their values; none where the text is not understood.
fn running(text: &str) -> Option<BTreeSet<(String, String)>> {
    let mut section = String::new();
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with(';') {
            continue;
        }
        // A value that goes on in the next line is more than this reader wants to know.
        if line.ends_with('\\') {
            return None;
        }
        if line.starts_with('[') {
            section = head(line)?.to_ascii_lowercase();
            continue;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        let name = name.trim().to_ascii_lowercase();
        let value = meant(value.trim())?;
        if is_running(&section, &name, &value) {
            found.insert((format!("{section}.{name}"), value));
        }
    }
    Some(found)
}

/// The section that a line begins; none where anything else stands in the line: git reads a
/// setting that follows in it.
fn head(line: &str) -> Option<&str> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let is_plain = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || b".-".contains(&sign))
    };
    let Some((kind, name)) = inside.split_once([' ', '\t']) else {
        return is_plain(inside).then_some(inside);
    };
    let name = name.trim_start_matches([' ', '\t']).strip_prefix('"')?.strip_suffix('"')?;
    // A quotation mark or a backslash could end it earlier than it seems.
    (is_plain(kind) && !name.contains(['"', '\\'])).then_some(inside)
}

/// A value as git takes it: without quotation marks and what is said about it, its escapes
/// resolved. None where git would not take it.
fn meant(value: &str) -> Option<String> {
    let (mut meant, mut kept, mut is_quoted) = (String::new(), 0, false);
    let mut signs = value.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => is_quoted = !is_quoted,
            '#' | ';' if !is_quoted => break,
            '\\' => meant.push(match signs.next()? {
                'n' => '\n',
                't' => '\t',
                'b' => '\u{8}',
                sign @ ('"' | '\\') => sign,
                _ => return None,
            }),
            sign => meant.push(sign),
        }
        // Blanks at the end count where they are quoted.
        if is_quoted || !matches!(sign, ' ' | '\t') {
            kept = meant.len();
        }
    }
    meant.truncate(kept);
    (!is_quoted).then_some(meant)
}

/// Whether a setting makes git run a program, or read settings from elsewhere.
///
/// What is not known to be harmless is taken to run something: new settings come with every
/// version of git.
fn is_running(section: &str, name: &str, value: &str) -> bool {
    let kind = section.split([' ', '.', '"']).next().unwrap_or_default();
    let is_plain = match kind {
        "user" | "author" | "committer" => matches!(name, "name" | "email" | "signingkey"),
        "branch" => match name {
            // In the place of a name an address may stand.
            "remote" | "pushremote" => is_plain_url(value),
            _ => matches!(name, "merge" | "rebase" | "description"),
        },
        "remote" => match name {
            "url" | "pushurl" => is_plain_url(value),
            "fetch" | "push" | "mirror" | "prune" | "tagopt" | "skipfetchall" => true,
            _ => false,
        },
        "core" => matches!(
            name,
            "repositoryformatversion"
                | "filemode"
                | "bare"
                | "logallrefupdates"
                | "ignorecase"
                | "precomposeunicode"
                | "symlinks"
                | "autocrlf"
                | "eol"
                | "safecrlf"
                | "whitespace"
                | "abbrev"
                | "quotepath"
                | "untrackedcache"
                | "preloadindex"
                | "sparsecheckout"
                | "sparsecheckoutcone"
                | "commitgraph"
                | "longpaths"
        ),
        "submodule" => match name {
            "url" => is_plain_url(value),
            "update" => !value.starts_with('!'),
            _ => matches!(name, "active" | "path" | "branch" | "ignore" | "shallow"),
        },
        "init" => name == "defaultbranch",
        "pull" => matches!(name, "rebase" | "ff"),
        "push" => matches!(name, "default" | "autosetupremote" | "followtags"),
        "fetch" => matches!(name, "prune" | "prunetags" | "parallel" | "writecommitgraph"),
        "merge" => section == "merge" && matches!(name, "ff" | "conflictstyle" | "log" | "stat"),
        "rebase" => matches!(name, "autosquash" | "autostash" | "stat" | "updaterefs"),
        "commit" => matches!(name, "verbose" | "status" | "cleanup"),
        "gc" => section == "gc" && !name.contains("hook"),
        "color" | "advice" | "column" | "status" | "log" | "stash" | "pack" | "index"
        | "feature" | "maintenance" | "rerere" | "blame" | "i18n" | "tag" | "lfs" => {
            kind == section || kind == "color"
        }
        "extensions" => matches!(name, "objectformat" | "worktreeconfig" | "refstorage"),
        _ => false,
    };
    !is_plain
}

/// Whether git goes there by itself, without a helper program that the address names.
fn is_plain_url(url: &str) -> bool {
    let helper = url.split_once("::").is_some();
    !helper && !url.starts_with('-')
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
