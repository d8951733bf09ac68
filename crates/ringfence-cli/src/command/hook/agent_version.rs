//! Whether the agent that called is one that runs a rewritten call.
//!
//! An agent that does not know how runs the original, without a fence. So each must show that it is at
//! least of the version whose code was read; what cannot be told counts as older.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use ringfence_exec::process_line::AgentProcess;
use ringfence_guard::strict_json;
use ringfence_guard::world::{Links, open_file};
use ringfence_hooks::Agent;
use serde_json::Value;

/// A version: major, minor, patch.
type Version = [u64; 3];

const CODEX: Version = [0, 166, 0];
const GEMINI: Version = [0, 61, 0];
const COPILOT: Version = [1, 0, 102];
/// The longest first line of a record of Codex.
const LONGEST: u64 = 1 << 20;
/// How far above its program a package's description is looked for.
const ABOVE: usize = 4;

/// Returns whether an agent runs what its hook puts in the place of a call. `text` is its event.
pub(super) fn runs_rewritten_calls(agent: Agent, owner: &AgentProcess, text: &str) -> bool {
    let Ok(event) = strict_json::read(text) else { return false };
    match agent {
        // Older than the first version with `updatedInput` (2.0.10), events have no such key (2.0.43).
        Agent::ClaudeCode => event.get("tool_use_id").is_some_and(Value::is_string),
        Agent::Codex => codex(&event).is_some_and(|own| own >= CODEX),
        Agent::Gemini => package(owner, "@google/gemini-cli").is_some_and(|own| own >= GEMINI),
        Agent::Copilot => package(owner, "@github/copilot").is_some_and(|own| own >= COPILOT),
        // Said by the plugin itself: one that an older ringfence has written does not.
        Agent::Opencode => event.get("rewrites") == Some(&Value::Bool(true)),
        _ => false,
    }
}

/// The version in the record of a session.
fn codex(event: &Value) -> Option<Version> {
    let record = event.get("transcript_path")?.as_str()?;
    let file = BufReader::new(open_file(Path::new(record), Links::Followed).ok()?);
    let mut first = String::new();
    file.take(LONGEST).read_line(&mut first).ok()?;
    let meta = strict_json::read(&first).ok()?;
    version(meta.pointer("/payload/cli_version")?.as_str()?)
}

/// The version of the package that an agent's program belongs to.
fn package(owner: &AgentProcess, name: &str) -> Option<Version> {
    let words = fs::read(format!("/proc/{}/cmdline", owner.pid)).ok()?;
    let script =
        words.split(|byte| *byte == 0).nth(1).and_then(|own| std::str::from_utf8(own).ok());
    let program = fs::read_link(format!("/proc/{}/exe", owner.pid)).ok();
    let files = program.into_iter().chain(script.map(PathBuf::from));
    files.filter(|file| file.is_absolute()).find_map(|file| {
        let file = file.canonicalize().ok()?;
        file.ancestors().skip(1).take(ABOVE).find_map(|directory| {
            let text = fs::read_to_string(directory.join("package.json")).ok()?;
            let own = serde_json::from_str::<Value>(&text).ok()?;
            let is_it = own.get("name")?.as_str()?.starts_with(name);
            is_it.then(|| version(own.get("version")?.as_str()?)).flatten()
        })
    })
}

/// Reads `1.2.3`. A version with more behind it (`-preview`) is read as its number.
fn version(text: &str) -> Option<Version> {
    let number = |own: Option<&str>| own?.parse().ok();
    let plain = text.split(['-', '+']).next()?;
    let mut parts = plain.split('.');
    let version = [number(parts.next())?, number(parts.next())?, number(parts.next())?];
    parts.next().is_none().then_some(version)
}

#[cfg(test)]
#[path = "agent_version_tests.rs"]
mod tests;
