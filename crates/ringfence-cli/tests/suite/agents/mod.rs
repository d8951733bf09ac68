//! Real agents from the npm registry, each driven by a scripted model server on loopback.
//!
//! `cargo xtask test` installs them; where one is not there, its test says that it was skipped.

mod claude_code;
mod codex;
mod codex_trust;
mod gemini;
mod model;
mod opencode;
mod task;

use std::path::{Path, PathBuf};

/// A program of an agent, where `cargo xtask test` has installed it.
fn installed(path: &str) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let program = target.join("agents").join(path);
    if !program.exists() {
        eprintln!("skipped: {} is not installed; `cargo xtask test` does that", program.display());
        return None;
    }
    Some(program)
}

/// What the planted key says; it must never reach the model.
const SECRET: &str = "the-planted-key-that-nobody-reads";
