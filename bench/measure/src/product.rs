//! The product, built as it is released.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds the product; the file of its command.
pub fn build_product() -> Result<PathBuf, Box<dyn Error>> {
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
    Ok(target.join("release/ringfence"))
}

/// Runs a tool that has to succeed.
pub fn run_tool(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
