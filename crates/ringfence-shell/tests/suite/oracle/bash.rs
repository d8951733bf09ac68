//! The real shell, in an empty directory, with no programs, for a short time.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The user that owns nothing.
const NOBODY: u32 = 65_534;

/// How long a line may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// Many drawn lines never end; under load some others are cut short with them.
    Short,
    /// For lines that are known to end, however busy the machine is.
    Long,
}

/// What a line did.
pub(super) struct Ran {
    /// The arguments of every program that the shell looked for, in order.
    pub(super) programs: Vec<Vec<String>>,
    /// The names of the files that it made.
    pub(super) files: Vec<String>,
}

/// The shell that lines are compared with.
pub(super) struct Bash {
    root: PathBuf,
    next: AtomicUsize,
    as_nobody: bool,
}

impl Bash {
    /// The shell, if the one here is the one that is spoken of.
    pub(super) fn find(name: &str) -> Option<Bash> {
        let version = Command::new("/bin/bash").arg("--version").output().ok()?;
        if !String::from_utf8_lossy(&version.stdout).contains("version 5.2.") {
            return None;
        }
        if !Path::new("/usr/bin/timeout").exists() {
            return None;
        }
        let root = fresh_directory(name);
        let as_nobody = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
        Some(Bash { root, next: AtomicUsize::new(0), as_nobody })
    }

    fn command(&self, patience: Patience, options: &[&str], line: &str) -> Command {
        let mut command = Command::new("/usr/bin/timeout");
        let seconds = match patience {
            Patience::Short => "5",
            Patience::Long => "60",
        };
        command.args(["-s", "KILL", seconds, "/bin/bash", "--norc", "--noprofile"]);
        command.args(options).args(["-c", "--", line]);
        command.env_clear().env("PATH", "/nonexistent").env("HOME", "/h").env("LC_ALL", "C.UTF-8");
        command.stdin(Stdio::null()).stdout(Stdio::null()).current_dir(&self.root);
        if self.as_nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    /// Whether the shell parses the line without complaint.
    pub(super) fn accepts(&self, options: &[&str], line: &str) -> bool {
        let mut all = vec!["-n"];
        all.extend(options);
        let output = self.command(Patience::Long, &all, line).output().unwrap();
        // It ends well after some errors; it warns of here-documents that the end cuts short.
        let complains = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            text.split('\n').any(|line| !line.is_empty() && !line.contains("here-document"))
        };
        output.status.success() && !complains(&output.stderr)
    }

    /// Runs the line; every program answers with the status.
    pub(super) fn run(&self, patience: Patience, line: &str, status: u8) -> Ran {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let place = self.root.join(format!("{number}"));
        let record = self.root.join(format!("{number}.record"));
        for directory in [&place, &record] {
            fs::create_dir(directory).unwrap();
            open_to_all(directory);
        }
        // A file for each program, named by the time, for those of a pipeline write at once.
        let handler = format!(
            "() {{ printf '%s\\0' \"$@\" > \"{}/$EPOCHREALTIME-$BASHPID\"; return {status}; }}",
            record.display()
        );
        let mut command = self.command(patience, &[], line);
        command.current_dir(&place).stderr(Stdio::null());
        command.env("BASH_FUNC_command_not_found_handle%%", handler);
        command.status().unwrap();
        let ran = Ran { programs: read_records(&record), files: names(&place) };
        let _ = fs::remove_dir_all(&place);
        let _ = fs::remove_dir_all(&record);
        ran
    }
}

impl Drop for Bash {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// A directory that nobody else has: numbers of processes come again.
pub(super) fn fresh_directory(name: &str) -> PathBuf {
    let name = |number: usize| format!("ringfence-{name}-{}-{number}", std::process::id());
    let mut paths = (0..1000).map(|number| std::env::temp_dir().join(name(number)));
    let directory = paths.find(|path| fs::create_dir(path).is_ok()).unwrap();
    open_to_all(&directory);
    directory
}

fn open_to_all(directory: &Path) {
    fs::set_permissions(directory, fs::Permissions::from_mode(0o777)).unwrap();
}

/// The names in a directory, in order.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<_> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The records in the order of their names, each argument ended by NUL.
fn read_records(directory: &Path) -> Vec<Vec<String>> {
    let record = |name: &String| {
        let bytes = fs::read(directory.join(name)).unwrap();
        // What a killed shell did not finish is no record.
        let text = String::from_utf8_lossy(bytes.strip_suffix(b"\0")?).into_owned();
        Some(text.split('\0').map(str::to_owned).collect())
    };
    names(directory).iter().filter_map(record).collect()
}
