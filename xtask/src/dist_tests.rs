use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::package::Package;
use super::tool;
use super::training::project::{LINES, Project};
use crate::skips::tests::skip::skip;

#[test]
fn the_package_says_what_it_is() {
    let package = Package { version: "1.2.3", from: "/nowhere".as_ref(), compression: "none" };
    let control = package.control(7);
    assert!(control.starts_with("Package: ringfence\nVersion: 1.2.3\n"), "{control}");
    assert!(control.contains("\nInstalled-Size: 7\n"), "{control}");
    assert!(control.ends_with('\n') && !control.contains("Depends"), "{control}");
}

/// The program of this build, where it has been built.
fn program() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let program = own.parent()?.parent()?.join("ringfence");
    program.exists().then_some(program)
}

/// The package installs into a root of its own, and what it installs runs. The program is that of
/// this build, which is not static; `cargo xtask dist` does the same with the one that is.
#[test]
fn the_package_installs_and_runs() -> Result<(), Box<dyn Error>> {
    let here = tempfile::tempdir()?;
    let (Some(program), Ok(_)) = (program(), tool(here.path(), "dpkg-deb", &["--version"])) else {
        skip("`ringfence` is not built, or there is no dpkg-deb");
        return Ok(());
    };
    let from = here.path().join("release");
    for folder in ["completions", "man"] {
        fs::create_dir_all(from.join(folder))?;
    }
    fs::copy(&program, from.join("ringfence"))?;
    let pages =
        ["completions/ringfence.bash", "completions/_ringfence", "completions/ringfence.fish"];
    for page in pages.into_iter().chain(["man/ringfence.1", "LICENSE-MIT", "LICENSE-APACHE"]) {
        fs::write(from.join(page), page)?;
    }
    let package = Package { version: env!("CARGO_PKG_VERSION"), from: &from, compression: "none" };
    let deb = package.build(here.path()).map_err(|failure| failure.0)?;
    let listed =
        tool(here.path(), "dpkg-deb", &["--contents", &deb]).map_err(|failure| failure.0)?;
    for path in ["./usr/bin/ringfence", "./usr/share/man/man1/ringfence.1.gz"] {
        assert!(listed.contains(path), "{listed}");
    }
    assert!(listed.lines().all(|line| line.contains("root/root")), "{listed}");
    let said = package.try_out(&here.path().join(&deb)).map_err(|failure| failure.0)?;
    assert_eq!(said, format!("ringfence {}", env!("CARGO_PKG_VERSION")));
    Ok(())
}

/// A hook waits for the answer to a question, so training must not ask any.
#[test]
fn what_is_trained_with_is_granted() -> Result<(), Box<dyn Error>> {
    let here = tempfile::tempdir()?;
    let Some(program) = program() else {
        skip("`ringfence` is not built");
        return Ok(());
    };
    let project = Project::open(&here.path().join("project")).map_err(|failure| failure.0)?;
    for line in LINES {
        let mut check = Command::new(&program);
        check.args(["check", "--policy", project.policy(), "--", line]);
        let output = check.current_dir(project.folder()).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "`{line}`: {said}");
    }
    project.close().map_err(|failure| failure.0)?;
    Ok(())
}
