use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::*;

fn program(path: &Path, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn check(path: &str, name: &str, expected: Option<&Path>) {
    let found = SearchPath::new(Some(OsStr::new(path))).find(name);
    let expected = expected.map(|path| path.to_str().unwrap());
    assert_eq!(found.as_ref().map(AbsPath::as_str), expected, "{name} in {path}");
}

#[test]
fn the_first_executable_file_is_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    program(&a.join("plain"), 0o644);
    program(&b.join("plain"), 0o755);
    program(&b.join("git"), 0o755);
    fs::create_dir_all(a.join("git")).unwrap();
    symlink(b.join("git"), a.join("link")).unwrap();
    symlink("nowhere", a.join("broken")).unwrap();
    let path = format!("{}:/nonexistent:{}", a.display(), b.display());
    check(&path, "plain", Some(&b.join("plain")));
    check(&path, "git", Some(&b.join("git")));
    check(&path, "link", Some(&a.join("link")));
    for name in ["broken", "gone", "", ".", "..", "./git", "b/git", "a\0", &"x".repeat(300)] {
        check(&path, name, None);
    }
}

#[test]
fn the_search_path_ends_before_an_uncertain_entry() {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("bin");
    program(&bin.join("git"), 0o755);
    let bin_text = bin.to_str().unwrap();
    check(&format!("{bin_text}:.:"), "git", Some(&bin.join("git")));
    for path in [format!(":{bin_text}"), format!(".:{bin_text}"), format!("bin:{bin_text}")] {
        check(&path, "git", None);
    }
    let odd = [b"/\xff:".as_slice(), bin_text.as_bytes()].concat();
    assert_eq!(SearchPath::new(Some(OsStr::from_bytes(&odd))).find("git"), None);
    assert_eq!(SearchPath::new(None).find("git"), None);
}

#[test]
fn a_climb_behind_a_link_goes_as_the_kernel_goes() {
    let dir = tempfile::tempdir().unwrap();
    let real = fs::canonicalize(dir.path()).unwrap();
    program(&real.join("far/bin/git"), 0o755);
    program(&real.join("bin/git"), 0o755);
    fs::create_dir_all(real.join("far/deep")).unwrap();
    symlink("far/deep", real.join("link")).unwrap();
    let path = format!("{}/link/../bin", real.display());
    check(&path, "git", Some(&real.join("far/bin/git")));
}
