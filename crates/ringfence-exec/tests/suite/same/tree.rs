//! The directory tree in which accesses are made, and its state afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::suite::place::{Place, write};

/// Files of a project, and of a project inside it.
const FILES: [&str; 17] = [
    "a.txt",
    ".env",
    ".ENV",
    "src/a.rs",
    "src/b.md",
    "src/.env",
    "src/deep/a.rs",
    "src/deep/secret",
    "secret/key",
    "secret/open",
    "Secret/KEY",
    "out/x.log",
    "out/y.log",
    "ringfence.toml",
    ".git/config",
    ".git/hooks/pre-push",
    "AGENTS.md",
];

/// Names that do not exist.
pub(super) const ABSENT: [&str; 14] = [
    "new.rs",
    "new.txt",
    ".env.local",
    "src/new.rs",
    "src/new.md",
    "src/deep/.env",
    "empty/secret",
    "empty/x.log",
    "out/new.log",
    "out/.env",
    "secret/new",
    "Secret/new",
    ".git/hooks/post-commit",
    ".claude",
];

const DIRECTORIES: [&str; 7] = ["src", "src/deep", "secret", "Secret", "empty", "out", ".git"];

/// Symlinks and their targets.
const LINKS: [(&str, &str); 7] = [
    ("to-a", "a.txt"),
    ("to-secret", "secret"),
    ("to-key", "secret/key"),
    ("out/to-env", "../.env"),
    ("src/up", ".."),
    ("to-notes", "../notes"),
    ("dangling", "nowhere"),
];

/// Hard links.
const HARD: [(&str, &str); 2] = [("out/hard-key", "secret/key"), ("out/hard-a", "a.txt")];

/// Files outside the project.
const OUTSIDE: [&str; 7] = [
    "home/.ssh/id",
    "home/notes/a.md",
    "home/notes/sub/b.md",
    "home/.bashrc",
    "srv/data/a.rs",
    "srv/data/secret/key",
    "srv/data/b.txt",
];

/// The project, and the projects inside it.
pub(super) const PROJECTS: [&str; 3] = ["", "pkg", "lib"];

/// The tree, recreated for each test.
pub(super) struct Tree {
    pub(super) base: PathBuf,
    pub(super) place: Place,
    sockets: Vec<UnixListener>,
}

impl Tree {
    pub(super) fn new(base: &Path) -> Tree {
        let base = base.canonicalize().unwrap();
        let mut tree = Tree { place: Place::new(&base), base, sockets: Vec::new() };
        tree.renew();
        tree
    }

    /// Recreates the tree.
    pub(super) fn renew(&mut self) {
        let mut remove = Command::new("rm");
        let removed = remove.args(["-rf", "--", "home", "srv"]).current_dir(&self.base).status();
        assert!(removed.unwrap().success());
        for path in OUTSIDE {
            write(&self.base.join(path), path);
        }
        for project in PROJECTS {
            self.fill(&self.place.root.join(project));
        }
        self.sockets.drain(..).for_each(|old| close(&old));
        self.sockets = self.socket_paths().iter().map(|path| listen(path)).collect();
    }

    fn fill(&self, root: &Path) {
        let name = root.strip_prefix(&self.base).unwrap().display().to_string();
        for path in FILES {
            write(&root.join(path), format!("{name}/{path}"));
        }
        for path in DIRECTORIES {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        for (link, target) in LINKS {
            symlink(target, root.join(link)).unwrap();
        }
        for (link, target) in HARD {
            fs::hard_link(root.join(target), root.join(link)).unwrap();
        }
        fs::create_dir_all(root.join("bin")).unwrap();
        for (name, text) in [("bin/tool", "#!/bin/sh\nexit 0\n"), ("bin/odd", "#!/bin/cat\n")] {
            fs::write(root.join(name), text).unwrap();
        }
        fs::copy("/usr/bin/true", root.join("bin/true")).unwrap();
        symlink("true", root.join("bin/linked")).unwrap();
        for name in ["bin/tool", "bin/odd", "bin/true"] {
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// Returns the sockets on which a thread listens.
    pub(super) fn socket_paths(&self) -> [PathBuf; 3] {
        let root = &self.place.root;
        [root.join("out/s.sock"), root.join("pkg/out/s.sock"), self.base.join("srv/s.sock")]
    }

    /// Returns every path in the tree.
    pub(super) fn existing(&self) -> Vec<PathBuf> {
        let all = self.snapshot().into_keys().filter(|path| path.components().count() > 1);
        all.map(|path| self.base.join(path)).collect()
    }

    /// Returns every path with its content.
    pub(super) fn snapshot(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        for name in ["home", "srv"] {
            look(&self.base, Path::new(name), &mut found);
        }
        found
    }
}

/// Greets every connection.
fn listen(path: &Path) -> UnixListener {
    let listener = UnixListener::bind(path).unwrap();
    let own = listener.try_clone().unwrap();
    let greeting = path.display().to_string();
    thread::spawn(move || {
        for stream in own.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.write_all(greeting.as_bytes());
        }
    });
    listener
}

/// Wakes the listening thread so that it ends.
fn close(listener: &UnixListener) {
    rustix::net::shutdown(listener, rustix::net::Shutdown::Both).unwrap();
}

/// A modification time that no other file has.
const OLD: i64 = 1_000_000_000;

fn look(base: &Path, path: &Path, found: &mut BTreeMap<PathBuf, String>) {
    let full = base.join(path);
    let about = fs::symlink_metadata(&full).unwrap();
    let kind = about.file_type();
    let what = match () {
        () if kind.is_symlink() => format!("link to {:?}", fs::read_link(&full).unwrap()),
        () if kind.is_dir() => "directory".to_owned(),
        () if kind.is_file() => format!("file {:?}", String::from_utf8_lossy(&content(&full))),
        () if kind.is_fifo() => "pipe".to_owned(),
        () => "socket".to_owned(),
    };
    let old = about.mtime() == OLD;
    let links = if kind.is_file() { about.nlink() } else { 0 };
    found.insert(path.to_owned(), format!("{what} {:o} {links} {old}", about.mode() & 0o7777));
    if kind.is_dir() {
        for entry in fs::read_dir(&full).unwrap() {
            look(base, &path.join(entry.unwrap().file_name()), found);
        }
    }
}

fn content(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    bytes.truncate(200);
    bytes
}
