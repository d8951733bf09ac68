//! The processes that run in a session.

use std::fs;
use std::path::{Path, PathBuf};

/// Lists the processes in the PID namespace of a process, each with its PID as this process sees it and
/// its command line. Those that execute the same file as this process are left out: they are the
/// session's own.
pub fn processes_like(pid: i32) -> Vec<(i32, String)> {
    let namespace = |pid: i32| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
    let Some(own) = namespace(pid) else { return Vec::new() };
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let inside = numbers.filter(|pid| namespace(*pid).as_ref() == Some(&own));
    let mut found: Vec<(i32, String)> = inside.filter_map(named).collect();
    found.sort_unstable();
    found
}

/// Returns a process with its command line; `None` for one of the session's own, and for one that has
/// ended.
fn named(pid: i32) -> Option<(i32, String)> {
    let exe = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    if is_own(&exe) {
        return None;
    }
    let words = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let words: Vec<_> = words.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
    Some((pid, words.join(" ").trim_end().to_owned()))
}

fn is_own(exe: &Path) -> bool {
    let own: Option<PathBuf> = fs::read_link("/proc/self/exe").ok();
    own.as_deref() == Some(exe)
}
