//! The temporary files of a session that an agent's hook made.
//!
//! The agent's file tools work outside the fence: what they write to `/tmp` is there for the agent's
//! commands, and the reverse. So such a session uses the machine's own `/tmp`, where the policy grants
//! `@tmp`, but for what was there before the agent began, and for names under which other programs keep
//! sockets and keys.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ringfence_core::{Document, Role};
use ringfence_guard::world::PolicyDraft;
use ringfence_manifest::{Format, NoLibrary, Source, read};

/// The directory.
const TMP: &str = "/tmp";
/// With more entries than this, the session has a directory of its own: each would be covered.
const MOST: usize = 400;
/// The ticks of the kernel's clock for processes, in each second, on every architecture of Linux that
/// is supported here.
const TICKS: u64 = 100;
/// Names in `/tmp` under which programs keep sockets, keys and credentials, whenever they are made.
const OF_OTHERS: [&str; 14] = [
    ".ICE-unix",
    ".X11-unix",
    "com.apple.launchd.*",
    "dbus-*",
    "gpg-*",
    "keyring-*",
    "krb5cc*",
    "pulse-*",
    "snap-private-tmp",
    "ssh-*",
    "systemd-private-*",
    "tmux-*",
    "vscode-*",
    "runtime-*",
];

/// Returns the rules for the `/tmp` of a session that belongs to the agent with this PID. `None` if the
/// session keeps a `/tmp` of its own.
pub(super) fn rules(draft: &PolicyDraft, agent: i32) -> Option<Document> {
    if !draft.grants_temporary_files() {
        return None;
    }
    let began = began(agent)?;
    let user = rustix::process::geteuid().as_raw();
    let own = [format!("claude-{user}"), format!("ringfence-{user}")];
    let context = draft.context();
    let used = context.root.iter().chain(&context.tmp).chain([&context.cwd]);
    let used: Vec<&str> = used.filter_map(|path| in_tmp(path.as_str())).collect();
    let mut before = Vec::new();
    for entry in fs::read_dir(TMP).ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name();
        let name = name.to_str()?;
        let is_own = own.iter().any(|own| own == name) && entry.metadata().ok()?.uid() == user;
        // What does not say when it was made is taken for old.
        let made = entry.metadata().and_then(|own| own.created());
        let is_new = made.is_ok_and(|made| made > began);
        if !is_own && !is_new && !used.contains(&name) {
            before.push(one(name));
        }
    }
    if before.len() > MOST {
        return None;
    }
    let [_, ringfence] = &own;
    let denied = before.iter().map(String::as_str).chain(OF_OTHERS);
    let denied: Vec<String> = denied.map(|name| format!("\"fs:rw:{TMP}/{name}/**\"")).collect();
    let text =
        format!("allow = [\"fs:rw:{TMP}/{ringfence}/**\"]\ndeny = [{}]\n", denied.join(", "));
    let source = Source::new("temporary files", Format::Toml, &text).ok()?;
    Some(read(&source, Role::User, &NoLibrary).ok()?.document)
}

/// Returns the name in `/tmp` under which a path lies.
fn in_tmp(path: &str) -> Option<&str> {
    path.strip_prefix(TMP)?.strip_prefix('/')?.split('/').next()
}

/// Returns a pattern for one name. A character that means something in a pattern stands for any: the rule
/// denies no less.
fn one(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    name.chars().map(|c| if plain(c) { c } else { '?' }).collect()
}

/// Returns when a process began.
fn began(pid: i32) -> Option<SystemTime> {
    let started = ringfence_exec::process_line::started(u32::try_from(pid).ok()?)?;
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let boot = stat.lines().find_map(|line| line.strip_prefix("btime "))?;
    let boot: u64 = boot.trim().parse().ok()?;
    // Both are cut to less than a second: what was made in that second is taken for old.
    let seconds = boot.checked_add(started.checked_div(TICKS)?)?.checked_add(1)?;
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

#[cfg(test)]
#[path = "scratch_tests.rs"]
mod tests;
