//! `cargo xtask dist`: what a person without Rust installs.
//!
//! Completions and man pages come from the definition of the command line.

mod package;
mod program;
mod startup;
mod training;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Step, cargo_output, target_dir};
use crate::{Failure, Outcome};
use package::Package;
pub(crate) use program::build;
pub(crate) use training::serve;

/// Builds everything.
pub(crate) fn run(root: &Path) -> Outcome {
    let target = PathBuf::from(target_dir(root));
    let version = version(root)?;
    let dist = target.join("dist");
    failing("clear", &dist, remove(&dist))?;
    failing("make", &dist, fs::create_dir_all(&dist))?;
    let program = build(root, &target)?;
    let name = format!("ringfence-{version}-x86_64-linux");
    let folder = dist.join(&name);
    failing("make", &folder, fs::create_dir_all(&folder))?;
    failing("copy", &program, fs::copy(&program, folder.join("ringfence")).map(drop))?;
    let arguments =
        ["run", "--quiet", "--locked", "-p", "ringfence-cli", "--example", "pages", "--"];
    let arguments = arguments.map(OsStr::new).into_iter().chain([folder.as_os_str()]);
    Step::cargo(root, "completions and man pages", arguments).run()?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        failing("copy", file, fs::copy(root.join(file), folder.join(file)).map(drop))?;
    }
    let archive = format!("{name}.tar.gz");
    tool(&dist, "tar", &["--owner=0", "--group=0", "-czf", &archive, &name])?;
    let package = Package { version: &version, from: &folder, compression: "xz" };
    let deb = package.build(&dist)?;
    println!("\n== install and run {deb}");
    let said = package.try_out(&dist.join(&deb))?;
    println!("{said}");
    sums(&dist, &[&archive, &deb])?;
    println!("\n== {}", dist.display());
    println!("{}", tool(&dist, "cat", &["SHA256SUMS"])?.trim_end());
    startup::report(&folder.join("ringfence"))
}

/// The version of the command.
fn version(root: &Path) -> Result<String, Failure> {
    let id = cargo_output(root, &["pkgid", "--locked", "-p", "ringfence-cli"])?;
    let version = id.trim().rsplit(['#', '@']).next().filter(|version| !version.is_empty());
    version.map(str::to_owned).ok_or_else(|| Failure(format!("no version in `{}`", id.trim())))
}

fn sums(dist: &Path, files: &[&str]) -> Outcome {
    let text = tool(dist, "sha256sum", files)?;
    failing("write", "SHA256SUMS", fs::write(dist.join("SHA256SUMS"), text))
}

fn remove(folder: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Says what could not be done to which file.
fn failing(verb: &str, file: impl AsRef<Path>, result: std::io::Result<()>) -> Outcome {
    result.map_err(|error| Failure(format!("cannot {verb} {}: {error}", file.as_ref().display())))
}

/// What a program prints, run in a directory.
fn tool(directory: &Path, program: &str, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .map_err(|error| Failure(format!("`{program}` could not start: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure(format!("`{program} {}`: {}", arguments.join(" "), said.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
#[path = "dist_tests.rs"]
mod tests;
