use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;

fn check(path: &Path, expected: bool) {
    let uid = rustix::process::getuid().as_raw();
    let directory = AbsPath::new(path.to_str().unwrap()).unwrap();
    assert_eq!(may_write(uid, &directory), expected, "{directory}");
}

#[test]
fn an_owner_may_write_whatever_the_permissions_say() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::set_permissions(&inner, Permissions::from_mode(0o500)).unwrap();
    check(dir.path(), true);
    check(&inner, true);
    check(&inner.join("to/be/made"), true);
}

#[test]
fn the_systems_programs_are_not_the_users_to_write() {
    for path in ["/usr/bin", "/usr/lib", "/etc"] {
        check(Path::new(path), false);
    }
    let is_root = rustix::process::getuid().is_root();
    check(Path::new("/"), is_root);
    check(Path::new("/nonexistent/bin"), is_root);
}

#[test]
fn in_a_sticky_directory_files_of_others_cannot_be_replaced() {
    check(Path::new("/tmp"), true);
    let tmp = rustix::fs::stat("/tmp").unwrap();
    let path = AbsPath::new("/tmp").unwrap();
    let roots = rustix::fs::stat("/usr").unwrap();
    let somebody = 54_321;
    assert!(!may_change(somebody, &path, &tmp, Some(&roots)));
}
