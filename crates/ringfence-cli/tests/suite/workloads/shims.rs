//! Programs that `PATH` finds as a script, which starts the real one: pyenv and its kin.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::machine::{Machine, as_everyone};

/// As pyenv writes it.
const SHIM: &str = r#"#!/usr/bin/env bash
set -e
[ -n "$PYENV_DEBUG" ] && set -x

program="${0##*/}"

export PYENV_ROOT="HERE"
exec "HERE/libexec/pyenv" exec "$program" "$@"
"#;

/// What it starts: finds the version, and becomes the program.
const PYENV: &str = r#"#!/usr/bin/env bash
set -e
shift
version="$(cat "$PYENV_ROOT/version")"
program="$1"; shift
export PYENV_VERSION="$version" PATH="$PYENV_ROOT/versions/$version/bin:$PATH"
exec "$PYENV_ROOT/versions/$version/bin/$program" "$@"
"#;

/// Makes a pyenv, and grants reading it; the words before a command that has its shims in `PATH`.
fn settle(machine: &Machine) -> Vec<String> {
    let root = machine.policy().parent().unwrap().join("pyenv");
    let text = |own: &str| own.replace("HERE", root.to_str().unwrap());
    script(&root.join("shims/python3"), &text(SHIM));
    script(&root.join("libexec/pyenv"), PYENV);
    fs::write(root.join("version"), "3.0\n").unwrap();
    fs::create_dir_all(root.join("versions/3.0/bin")).unwrap();
    fs::copy("/usr/bin/python3", root.join("versions/3.0/bin/python3")).unwrap();
    let policy = format!("{POLICY}allow = [\"fs:r:{}/**\"]\n", root.display());
    fs::write(machine.policy(), policy).unwrap();
    let path = format!("PATH={}/shims:/usr/local/bin:/usr/bin:/bin", root.display());
    ["/usr/bin/env".to_owned(), path].to_vec()
}

fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

const POLICY: &str = "schema = 1\nextends = [\"@workspace\", \"@python\"]\ndefault = \"deny\"\n";

#[test]
fn a_shim_becomes_the_program_that_it_stands_for() {
    as_everyone(POLICY, |machine: &Machine| {
        let before = settle(machine);
        machine.write("own.py", "import sys; print(sys.executable.split('/')[-4:])\n");
        for words in [&["python3", "own.py"][..], &["bash", "-c", "python3 own.py; true"]] {
            let output = machine.run(&[before.clone(), machine.inside(words)].concat());
            let (said, complained) = (super::super::stdout(&output), super::super::stderr(&output));
            assert_eq!(said, "['versions', '3.0', 'bin', 'python3']\n", "{complained}");
            assert!(!complained.contains("refused"), "{complained}");
        }
    });
}

#[test]
fn an_environment_that_was_made_by_a_shim_is_used() {
    as_everyone(POLICY, |machine: &Machine| {
        let before = settle(machine);
        let line = "python3 -m venv --without-pip .venv && \
                    .venv/bin/python -c 'import sys; print(sys.prefix.split(\"/\")[-1])'";
        let output = machine.run(&[before.clone(), machine.inside(&["bash", "-c", line])].concat());
        let complained = super::super::stderr(&output);
        assert_eq!(super::super::stdout(&output), ".venv\n", "{complained}");
        assert!(!complained.contains("refused"), "{complained}");
        // A link of the project's to anything else is nobody's python.
        let line = "ln -s /usr/bin/id .venv/bin/python9; .venv/bin/python9";
        let output = machine.run(&[before, machine.inside(&["bash", "-c", line])].concat());
        assert_eq!(super::super::stdout(&output), "");
    });
}

#[test]
fn what_a_shim_is_started_with_is_judged() {
    as_everyone(POLICY, |machine: &Machine| {
        let before = settle(machine);
        machine.write("own.py", "print('ran')\n");
        let line = ["bash", "-c", "LD_PRELOAD=x.so python3 own.py"];
        let output = machine.run(&[before.clone(), machine.inside(&line)].concat());
        let complained = super::super::stderr(&output);
        assert_eq!(super::super::stdout(&output), "", "{complained}");
        assert!(complained.contains("LD_PRELOAD"), "{complained}");
    });
}

/// As rustup does: the program of a toolchain by the name that it was told.
const RUSTUP: &str = "#!/bin/bash\nexec HERE/toolchains/own/bin/${0##*/} \"$@\"\n";

/// As cargo does: other programs of rustup's for some of its subcommands.
const CARGO: &str = "#!/bin/bash\necho cargo $1\n\
    case $1 in clippy) exec HERE/bin/cargo-clippy \"$@\" ;; esac\n";

/// A rule asks about `cargo add`, which another one allows, and about rustup, which is not meant here.
#[test]
fn what_rustup_stands_for_is_not_asked_about() {
    let policy = "schema = 1\nextends = [\"@workspace\", \"@rust\"]\ndefault = \"deny\"\n";
    as_everyone(policy, |machine: &Machine| {
        let root = machine.policy().parent().unwrap().join("rustup");
        let text = |own: &str| own.replace("HERE", root.to_str().unwrap());
        script(&root.join("bin/rustup"), &text(RUSTUP));
        script(&root.join("toolchains/own/bin/cargo"), &text(CARGO));
        script(&root.join("toolchains/own/bin/cargo-clippy"), "#!/bin/bash\necho clippy\n");
        for name in ["cargo", "cargo-clippy"] {
            std::os::unix::fs::symlink("rustup", root.join("bin").join(name)).unwrap();
        }
        // What may be written beside it is made when it is needed, so that the directory of both may
        // be written as far as the kernel knows.
        let (here, beside) = (root.display(), root.with_file_name("made-later"));
        let policy =
            format!("{policy}allow = [\"fs:r:{here}/**\", \"fs:rw:{}/**\"]\n", beside.display());
        fs::write(machine.policy(), policy).unwrap();
        let path = format!("PATH={}/bin:/usr/bin:/bin", root.display());
        let inside = |line: &str| {
            let before = vec!["/usr/bin/env".to_owned(), path.clone()];
            let output = machine.run(&[before, machine.inside(&["bash", "-c", line])].concat());
            (super::super::stdout(&output), super::super::stderr(&output))
        };
        let (said, complained) = inside("cargo add x; cargo clippy; true");
        assert_eq!(said, "cargo add\ncargo clippy\nclippy\n", "{complained}");
        assert!(!complained.contains("refused"), "{complained}");
        let (said, complained) = inside("cargo publish; cargo build; true");
        assert_eq!(said, "cargo build\n", "{complained}");
    });
}
