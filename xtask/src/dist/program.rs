//! The program as it is released: static, for musl, so that it runs on every Linux of its
//! processor, whatever C library is there.

use std::path::{Path, PathBuf};

use super::training;
use crate::Failure;
use crate::step::{Step, install_package, works};

/// What it is built for.
const TARGET: &str = "x86_64-unknown-linux-musl";

/// The C compiler for it: parts of the cryptography are C and assembly.
const COMPILER: &str = "musl-gcc";

/// Addresses that the program puts right when it starts take a bit each instead of 24 bytes.
const FLAGS: &str = "-C link-arg=-Wl,-z,pack-relative-relocs";

/// Builds it; its file. What is missing for that is installed, where it can be.
///
/// It is built twice: what the first one does in a round of everyday work is counted, and the second
/// one is laid out by those counts.
pub(crate) fn build(root: &Path, target: &Path) -> Result<PathBuf, Failure> {
    if !works("rustup", &["target", "add", TARGET]) {
        return Err(Failure(format!(
            "the target {TARGET} cannot be installed\n\
             hint: `rustup target add {TARGET}`"
        )));
    }
    if !works(COMPILER, &["--version"]) && !install_package("musl-tools") {
        return Err(Failure(format!(
            "there is no `{COMPILER}`, and it could not be installed\n\
             hint: `apt-get install musl-tools`"
        )));
    }
    let counting = build_with(root, &target.join("counting"), training::COUNTS)?;
    let counts = training::counts(root, target, &counting)?;
    build_with(root, target, &format!("-C profile-use={}", counts.display()))
}

/// Builds it with further flags of the compiler.
fn build_with(root: &Path, target: &Path, flags: &str) -> Result<PathBuf, Failure> {
    let arguments = ["build", "--release", "--locked", "--target", TARGET, "-p", "ringfence-cli"];
    Step::cargo(root, format!("build for {TARGET} ({flags})"), arguments)
        .env("CARGO_TARGET_DIR", target)
        .env("CC_x86_64_unknown_linux_musl", COMPILER)
        .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS", format!("{FLAGS} {flags}"))
        .run()?;
    Ok(target.join(TARGET).join("release/ringfence"))
}
