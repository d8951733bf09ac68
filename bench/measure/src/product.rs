//! The product, as it is released or as cargo builds it for this machine.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Who names the program that is measured; `cargo xtask bench` names the released one.
const NAMED: &str = "RINGFENCE_PROGRAM";

/// The file of the command: the one that is named, or else a new build of cargo's.
pub fn build_product() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(program) = env::var_os(NAMED).map(PathBuf::from) {
        eprintln!("program: {}", program.display());
        return Ok(program);
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().nth(2).ok_or("this package lies two levels below the root")?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run_tool(
        Command::new(cargo)
            .args(["build", "--release", "--locked", "--package", "ringfence-cli", "--target-dir"])
            .arg(&target)
            .current_dir(root),
    )?;
    let program = target.join("release/ringfence");
    eprintln!("program: {}", program.display());
    Ok(program)
}

/// Runs a tool that has to succeed.
pub fn run_tool(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
