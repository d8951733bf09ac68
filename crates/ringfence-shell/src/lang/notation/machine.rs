//! Words about this machine: mounts, services, tracing, secrets, and files of odd notations.

use super::shape::{Does, Found, Keys, does, host, is_path, pieces, place};
use super::shape::{key_value, read, run, shell, unknown, write, write_tree};
use crate::lang::Finding;
use crate::lang::words::split;

/// A file, or after a sign a command that is given the output.
pub(super) fn output_or_command(text: &str) -> Found {
    match text.strip_prefix(['|', '!']) {
        Some(line) => vec![shell(line)],
        None if text.is_empty() || text == "-" => Vec::new(),
        None => vec![write(text)],
    }
}

/// A file that is written, or with a bar before it a command line.
pub(super) fn output_or_pipe(text: &str) -> Found {
    match text.strip_prefix('|') {
        Some(line) => vec![shell(line)],
        None => vec![write(text)],
    }
}

/// Properties of a unit of systemd: what is run, and where it may reach.
const PROPERTIES: &Keys = &[
    ("WorkingDirectory", Does::Read),
    ("EnvironmentFile", Does::Read),
    ("PathExists", Does::Read),
    ("PathChanged", Does::Read),
    ("PathModified", Does::Read),
    ("DirectoryNotEmpty", Does::Read),
    ("ListenStream", Does::Listen),
    ("ListenDatagram", Does::Listen),
    ("Description", Does::Nothing),
    ("Documentation", Does::Nothing),
    ("Type", Does::Nothing),
    ("Restart", Does::Nothing),
    ("RestartSec", Does::Nothing),
    ("RemainAfterExit", Does::Nothing),
    ("Slice", Does::Nothing),
    ("Nice", Does::Nothing),
    ("On*", Does::Nothing),
    ("Timeout*", Does::Nothing),
    ("RuntimeMaxSec", Does::Nothing),
    ("AccuracySec", Does::Nothing),
    ("Persistent", Does::Nothing),
    ("Memory*", Does::Nothing),
    ("CPU*", Does::Nothing),
    ("IO*", Does::Nothing),
    ("Tasks*", Does::Nothing),
    ("Limit*", Does::Nothing),
    ("Kill*", Does::Nothing),
    ("Private*", Does::Nothing),
    ("Protect*", Does::Nothing),
    ("Restrict*", Does::Nothing),
    ("NoNewPrivileges", Does::Nothing),
    ("SystemCallFilter", Does::Nothing),
    ("ReadOnlyPaths", Does::Nothing),
    ("InaccessiblePaths", Does::Nothing),
    ("IPAddress*", Does::Nothing),
    ("SyslogIdentifier", Does::Nothing),
];

pub(super) fn systemd(text: &str) -> Found {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    match key {
        _ if key.starts_with("Exec") => {
            // Signs before the command say how it is run.
            let line = value.trim_start_matches(['@', '-', ':', '+', '!', '|', ' ']);
            match split(line).filter(|_| !line.contains(['$', '%', ';'])) {
                Some(words) if words.is_empty() => Vec::new(),
                Some(words) => vec![Finding::Run(words)],
                None => vec![unknown("the words of the command are not plain")],
            }
        }
        "Environment" => pieces(value, &[' '], |own| {
            let name = own.trim_matches('"').split('=').next().unwrap_or(own);
            vec![Finding::SetEnv(name.to_owned())]
        }),
        "StandardOutput" | "StandardError" | "StandardInput" => {
            value.split_once(':').map(|(_, path)| write(path)).into_iter().collect()
        }
        _ => does(PROPERTIES, key).unwrap_or(Does::Unknown).with(key, value),
    }
}

/// Options of mount: layers and helpers; the rest are switches.
pub(super) fn mount(text: &str) -> Found {
    pieces(text, &[','], |piece| match piece.split_once('=') {
        Some(("helper" | "uhelper", _)) => vec![unknown("mount starts a helper")],
        Some((_, value)) => pieces(value, &[':'], |path| match is_path(path) {
            true => vec![read(path), write_tree(path)],
            false => Vec::new(),
        }),
        None => Vec::new(),
    })
}

/// `HERE[:THERE]`: a path of this machine that a program sees under another name.
pub(super) fn bind(text: &str) -> Found {
    let (here, there) = text.split_once(':').unwrap_or((text, ""));
    let renamed = !there.is_empty() && there.trim_end_matches('!') != here;
    // Once names differ, the paths of the inner command are no longer what they seem.
    let doubt = renamed.then(|| unknown(&format!("`{here}` is reached under another name")));
    [read(here), write_tree(here)].into_iter().chain(doubt).collect()
}

/// Where openssl takes a password from.
pub(super) fn openssl_pass(text: &str) -> Found {
    match text.split_once(':') {
        Some(("file", path)) => vec![read(path)],
        Some(("env", name)) => vec![Finding::GetEnv(name.to_owned())],
        _ => Vec::new(),
    }
}

/// What 7z is to take in: `[r]@LIST`, or a name with wildcards behind `!`.
pub(super) fn sevenzip_names(text: &str) -> Found {
    match text.split_once(['@', '!']) {
        Some((before, rest)) if text.as_bytes().get(before.len()) == Some(&b'!') => {
            super::shape::listed(rest)
        }
        _ => sevenzip_lists(text),
    }
}

/// What 7z is to leave out: a list of names is read.
pub(super) fn sevenzip_lists(text: &str) -> Found {
    text.split_once('@').map(|(_, list)| read(list)).into_iter().collect()
}

/// A tree that is packed, or behind `@` a file with names or another archive.
pub(super) fn tree_or_list(text: &str) -> Found {
    vec![match text.strip_prefix('@') {
        Some(file) => read(file),
        None => Finding::ReadTree(text.to_owned()),
    }]
}

/// The end of the names of files that are written; with a slash it leads elsewhere.
pub(super) fn suffix(text: &str) -> Found {
    match text.contains('/') {
        true => vec![Finding::WriteUnknown("where the parts are written".to_owned())],
        false => Vec::new(),
    }
}

/// Rules of rsync; those that merge read a file of rules.
pub(super) fn rsync_filter(text: &str) -> Found {
    let text = text.trim_start();
    let merges =
        text.starts_with(['.', ':']) || text.starts_with("merge") || text.starts_with("dir-merge");
    match text.split_once([' ', '_']).filter(|_| merges) {
        Some((_, path)) => vec![read(path)],
        None => Vec::new(),
    }
}

/// Hosts between commas, or a file; a file may also be a program that prints hosts.
pub(super) fn ansible_inventory(text: &str) -> Found {
    if text.contains(',') {
        return pieces(text, &[','], |own| vec![host(own)]);
    }
    file_or_program(text)
}

/// Variables of a play: `@FILE`, words `KEY=VALUE`, or an object. Some of ansible's own are programs, and
/// braces are code.
pub(super) fn ansible_vars(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("ansible_host", Does::Host),
        ("ansible_ssh_host", Does::Host),
        ("ansible_user", Does::Nothing),
        ("ansible_port", Does::Nothing),
        ("ansible_become", Does::Nothing),
        ("ansible_become_user", Does::Nothing),
        ("ansible_connection", Does::Nothing),
        ("ansible_python_interpreter", Does::Code("ansible-python")),
        ("ansible_*", Does::Unknown),
    ];
    if let Some(file) = text.strip_prefix('@') {
        return vec![read(file)];
    }
    let object = text.trim_start().starts_with(['{', '[']);
    if text.contains("{{") || text.contains("{%") || object && text.contains("ansible_") {
        return vec![unknown("can't tell what these variables run")];
    }
    match split(text).filter(|_| !object) {
        Some(words) => words.iter().flat_map(|word| key_value(word, KEYS, Does::Nothing)).collect(),
        None => super::shape::strings(text),
    }
}

/// `[REPOSITORY.]KEY=VALUE` of dnf.
pub(super) fn dnf(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("*pluginpath", Does::Unknown),
        ("*pluginconfpath", Does::Unknown),
        ("*reposdir", Does::Unknown),
        ("*baseurl", Does::Url),
        ("*mirrorlist", Does::Url),
        ("*metalink", Does::Url),
        ("*proxy", Does::Url),
        ("*gpgkey", Does::Place),
        ("*dir", Does::WriteTree),
    ];
    key_value(text, KEYS, Does::PlaceWritten)
}

/// `auto` and kin, or an interpreter of the machines that are managed, this one among them.
pub(super) fn ansible_python(text: &str) -> Found {
    let name = text.rsplit('/').next().unwrap_or(text);
    match name.starts_with("python") || text.starts_with("auto") {
        true => Vec::new(),
        false => vec![run(text)],
    }
}

/// `[LABEL@]SOURCE`
pub(super) fn ansible_vault(text: &str) -> Found {
    match text.split_once('@').map_or(text, |(_, source)| source) {
        "" | "prompt" | "prompt_ask_vault_pass" => Vec::new(),
        source => file_or_program(source),
    }
}

/// A file that is run if it can be: what does not look like plain data may well be a program.
fn file_or_program(path: &str) -> Found {
    let name = path.rsplit('/').next().unwrap_or(path);
    let data = [".yml", ".yaml", ".ini", ".json", ".toml", ".txt", ".cfg"];
    let plain = data.iter().any(|end| name.ends_with(end));
    let inside = !name.trim_start_matches('.').contains('.')
        && !path.starts_with(['/', '~'])
        && !path.contains("..");
    let doubt = || unknown(&format!("`{path}` may be a program, which would be run"));
    std::iter::once(read(path)).chain((!plain && !inside).then(doubt)).collect()
}

/// Settings of w3m that look at nothing but the screen.
pub(super) fn w3m(text: &str) -> Found {
    const KEYS: &Keys = &[
        ("extbrowser*", Does::Shell),
        ("editor", Does::Shell),
        ("mailer", Does::Shell),
        ("*_proxy", Does::Url),
        ("display_*", Does::Nothing),
        ("color", Does::Nothing),
        ("tabstop", Does::Nothing),
        ("indent_incr", Does::Nothing),
        ("use_cookie", Does::Nothing),
        ("accept_cookie", Does::Nothing),
        ("user_agent", Does::Nothing),
        ("auto_image", Does::Nothing),
        ("frame", Does::Nothing),
        ("ssl_verify_server", Does::Nothing),
    ];
    key_value(text, KEYS, Does::Unknown)
}

/// `NAME=VALUE` of a dashboard; commands are programs.
pub(super) fn ctest_overwrite(text: &str) -> Found {
    const KEYS: &Keys = &[("*Command", Does::Shell), ("*Directory", Does::WriteTree)];
    key_value(text, KEYS, Does::Place)
}

/// Tools of ninja.
pub(super) fn ninja(text: &str) -> Found {
    match text {
        "browse" => vec![Finding::Listen("8000".to_owned())],
        "msvc" => vec![unknown("the words behind it are a command")],
        _ => Vec::new(),
    }
}

/// `NAME=VALUE`, or a recipe, which may lie in another directory.
pub(super) fn just(text: &str) -> Found {
    match text.split_once('=') {
        Some((_, value)) => just_value(value),
        None => place(text),
    }
}

/// A value that recipes put into their lines.
pub(super) fn just_value(text: &str) -> Found {
    match text.contains(['`', '$', ';', '|', '&', '\n', '<', '>']) {
        true => vec![unknown("a recipe may run what the value says")],
        false => Vec::new(),
    }
}
