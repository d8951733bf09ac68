//! Processes and their ancestors, by PID and start time: a PID alone may mean another process later.

use serde::{Deserialize, Serialize};

/// How many generations are looked through.
const MOST: usize = 64;
/// Shells in which agents start their hooks.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "busybox", "env"];

/// The process of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentProcess {
    /// The PID.
    pub pid: u32,
    /// When the process started, as the kernel counts it.
    pub started: u64,
}

/// The part of `/proc/PID/stat` that is used here.
struct Stat {
    parent: u32,
    started: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in brackets and may contain anything.
    let (_, rest) = text.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let parent = fields.nth(1)?.parse().ok()?;
    let started = fields.nth(17)?.parse().ok()?;
    Some(Stat { parent, started })
}

/// Returns when a process started, as the kernel counts it.
pub fn started(process: u32) -> Option<u64> {
    stat(process).map(|own| own.started)
}

/// Returns the nearest ancestor of a process that is no shell: the agent that started its hook.
pub fn agent_above(process: u32) -> Option<AgentProcess> {
    let mut pid = stat(process)?.parent;
    for _ in 0..MOST {
        if pid <= 1 {
            return None;
        }
        let own = stat(pid)?;
        let file = std::fs::read_link(format!("/proc/{pid}/exe")).ok()?;
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !SHELLS.contains(&name) {
            return Some(AgentProcess { pid, started: own.started });
        }
        pid = own.parent;
    }
    None
}

/// Returns whether an agent is among the ancestors of a process.
pub fn is_below(process: u32, agent: &AgentProcess) -> bool {
    let mut pid = process;
    for _ in 0..MOST {
        let Some(own) = stat(pid) else { return false };
        if pid == agent.pid {
            return own.started == agent.started;
        }
        if own.parent == 0 {
            return false;
        }
        pid = own.parent;
    }
    false
}
