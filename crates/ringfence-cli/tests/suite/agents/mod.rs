//! Real agents from the npm and Python registries, each driven by a scripted model server on loopback.
//!
//! `cargo xtask test` installs them; where one is not there, its test is skipped.

mod claude_code;
mod cline;
mod codex;
mod codex_trust;
mod copilot;
mod exported;
mod fenced;
mod gemini;
mod goose;
mod hermes;
mod model;
mod openclaw;
mod opencode;
mod pi;
mod task;

use std::path::{Path, PathBuf};

use super::skip::skip;

/// A program of an agent, where `cargo xtask test` has installed it.
fn installed(path: &str) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let program = target.join("agents").join(path);
    if !program.exists() {
        skip(format!("{} is not installed; `cargo xtask test` does that", path));
        return None;
    }
    Some(program)
}

/// Whether there is a node that is new enough for agents that are written for it.
fn has_node() -> bool {
    let said = std::process::Command::new("node").arg("--version").output();
    let said = said.map(|own| String::from_utf8_lossy(&own.stdout).into_owned());
    let version =
        said.ok().and_then(|own| own.trim().strip_prefix('v')?.split('.').next()?.parse().ok());
    let has = version.is_some_and(|version: u32| version >= 20);
    if !has {
        skip("this agent needs node 20");
    }
    has
}

/// What the planted key says; it must never reach the model.
const SECRET: &str = "the-planted-key-that-nobody-reads";
