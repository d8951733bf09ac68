//! A home of its own for each test: what a gateway keeps there is nobody else's.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::workloads::machine::write_etc;

/// Puts another user database in place of the host's, then becomes what was asked for.
const MOVE_IN: &str = r#"
    mount --bind "$RF_ETC" /etc || exit 1
    unset RF_ETC
    exec "$@"
"#;

/// A home directory that the user database names.
pub(super) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(super) fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        let own = uid();
        let home = folder.path().join("home");
        fs::create_dir(&home).unwrap();
        let line = format!("someone:x:{own}:{own}::{}:/bin/sh\n", home.display());
        write_etc(&folder.path().join("etc"), &line);
        Home { folder }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The pins that gateways have kept here.
    pub(super) fn pins(&self) -> PathBuf {
        self.path().join(".local/state/ringfence/mcp-pins.json")
    }

    /// A program that runs here.
    pub(super) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new("unshare");
        if uid() != 0 {
            command.args(["--user", "--map-current-user", "--keep-caps"]);
        }
        command.args(["--mount", "--propagation", "private", "sh", "-c", MOVE_IN, "sh"]);
        command.arg(program.as_ref());
        command.env("RF_ETC", self.folder.path().join("etc")).env("HOME", self.path());
        command
    }

    /// ringfence, here.
    pub(super) fn ringfence(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_ringfence"))
    }
}

pub(super) fn uid() -> u32 {
    fs::metadata("/proc/self").unwrap().uid()
}
