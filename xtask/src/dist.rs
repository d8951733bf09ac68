//! `cargo xtask dist`: what a person without Rust installs.
//!
//! The program is static, for musl: it runs on every Linux of its processor, whatever C library is
//! there. Completions and man pages come from the definition of the command line.

mod package;
mod startup;

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Step, cargo_output};
use crate::{Failure, Outcome};
use package::Package;

/// What the program is built for.
const TARGET: &str = "x86_64-unknown-linux-musl";

/// Builds everything.
pub(crate) fn run(root: &Path) -> Outcome {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
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

/// The program, built for musl; the toolchain's part for it is installed where it is missing.
fn build(root: &Path, target: &Path) -> Result<PathBuf, Failure> {
    let installed =
        Command::new("rustup").args(["target", "add", TARGET]).current_dir(root).status();
    if !installed.is_ok_and(|status| status.success()) {
        return Err(Failure(format!(
            "the target {TARGET} cannot be installed\n\
             hint: `rustup target add {TARGET}`"
        )));
    }
    let arguments = ["build", "--release", "--locked", "--target", TARGET, "-p", "ringfence-cli"];
    Step::cargo(root, format!("build for {TARGET}"), arguments).run()?;
    Ok(target.join(TARGET).join("release/ringfence"))
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
