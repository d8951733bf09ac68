//! The files that a line finds, on the disk and in the description of the host.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;

/// Where lines start.
pub(super) const START: &str = "/home/u/proj";

/// The variables that lines find.
pub(super) const VARIABLES: [(&str, &str); 6] = [
    ("PATH", "/usr/bin:/bin"),
    ("HOME", "/home/u"),
    ("USER", "u"),
    ("LC_ALL", "C.UTF-8"),
    ("E1", "one two"),
    ("E2", "c2"),
];

/// Directories, those above others first.
pub(super) const DIRECTORIES: [&str; 6] =
    ["/home", "/home/u", "/home/u/proj", "/home/u/proj/sub", "/home/u/proj/sub/deep", "/tmp"];

const FILES: [(&str, &str); 11] = [
    ("/home/u/notes", "private\n"),
    ("/home/u/.env", "c6 env\n"),
    ("/home/u/proj/a", "word1 word2\n"),
    ("/home/u/proj/b", "c2 b\n"),
    ("/home/u/proj/f", "line\n"),
    ("/home/u/proj/list", "c1 z\n-x\n"),
    ("/home/u/proj/s.sh", "c3 sourced \"$1\"\nx=set\ncd sub\n"),
    ("/home/u/proj/run.sh", "#!/o/host/bash\nc4 ran \"$1\"\n"),
    ("/home/u/proj/sub/g", "g\n"),
    ("/home/u/proj/sub/a", "other\n"),
    ("/tmp/t1", "t\n"),
];

const LINKS: [(&str, &str); 3] =
    [("/home/u/proj/link", "sub"), ("/home/u/proj/lf", "a"), ("/home/u/proj/away", "/tmp")];

/// Makes the files below a directory.
pub(super) fn build(place: &Path) {
    let at = |path: &str| place.join(path.trim_start_matches('/'));
    fs::create_dir(place).unwrap();
    for directory in DIRECTORIES {
        fs::create_dir(at(directory)).unwrap();
        open_to_all(&at(directory));
    }
    for (path, text) in FILES {
        fs::write(at(path), text).unwrap();
        open_to_all(&at(path));
    }
    for (path, target) in LINKS {
        symlink(target, at(path)).unwrap();
    }
}

/// The same host as it is described.
pub(super) fn describe() -> MemoryHost {
    let mut host = MemoryHost::bare();
    let path = |text: &str| AbsPath::new(text).unwrap();
    for directory in DIRECTORIES.iter().chain(&["/usr/bin", "/dev", "/o"]) {
        host.add_dir(&path(directory));
    }
    for (file, text) in FILES {
        host.add_file(&path(file), text);
    }
    for (link, target) in LINKS.iter().chain(&[("/bin", "usr/bin")]) {
        host.add_link(&path(link), target);
    }
    host.add_user("u", &path("/home/u"));
    for (name, value) in VARIABLES {
        host.set_env(name, value);
    }
    host
}

pub(super) fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
}
