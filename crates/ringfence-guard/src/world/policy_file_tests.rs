use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use super::super::locations::POLICY_FILES;
use super::*;

struct Directory {
    _directory: tempfile::TempDir,
    path: AbsPath,
}

impl Directory {
    fn new() -> Directory {
        let directory = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(directory.path()).unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o700)).unwrap();
        Directory { path: AbsPath::new(real.to_str().unwrap()).unwrap(), _directory: directory }
    }

    fn write(&self, name: &str, mode: u32) -> AbsPath {
        let path = self.path.join(name).unwrap();
        fs::write(path.as_str(), "deny = [\"sh\"]\n").unwrap();
        fs::set_permissions(path.as_str(), Permissions::from_mode(mode)).unwrap();
        path
    }
}

fn uid() -> u32 {
    rustix::process::getuid().as_raw()
}

/// Asserts that the file is accepted under this requirement, or refused with this reason.
fn check(path: &AbsPath, care: FileRequirement<'_>, expected: Result<(), &str>) {
    match (read(path, ToString::to_string, care), expected) {
        (Ok(_), Ok(())) => {}
        (Err(error), Err(reason)) => assert!(error.to_string().contains(reason), "{error}"),
        (result, expected) => panic!("{path} {care:?}: {result:?}, expected {expected:?}"),
    }
}

#[test]
fn a_policy_must_belong_to_those_who_answer_for_it() {
    let directory = Directory::new();
    let file = directory.write("policy.toml", 0o644);
    check(&file, FileRequirement::Organisation(uid()), Ok(()));
    check(&file, FileRequirement::User(uid()), Ok(()));
    check(&file, FileRequirement::Organisation(uid() + 1), Err("belongs to the user"));
    if uid() != 0 {
        check(&file, FileRequirement::User(uid() + 1), Err("belongs to the user"));
    }
    for (mode, organisation, user) in [
        (0o664, Err("its group can write to it"), Ok(())),
        (0o666, Err("everybody can write to it"), Err("everybody can write to it")),
        (0o602, Err("everybody can write to it"), Err("everybody can write to it")),
    ] {
        let file = directory.write("policy.toml", mode);
        check(&file, FileRequirement::Organisation(uid()), organisation);
        check(&file, FileRequirement::User(uid()), user);
        check(&file, FileRequirement::Named, Ok(()));
    }
}

#[test]
fn its_directory_must_be_as_safe_as_the_policy() {
    let directory = Directory::new();
    let file = directory.write("policy.toml", 0o644);
    for (mode, organisation, user) in [
        (0o770, Err("its directory is unsafe: its group"), Ok(())),
        (
            0o777,
            Err("its directory is unsafe: everybody"),
            Err("its directory is unsafe: everybody"),
        ),
    ] {
        fs::set_permissions(directory.path.as_str(), Permissions::from_mode(mode)).unwrap();
        check(&file, FileRequirement::Organisation(uid()), organisation);
        check(&file, FileRequirement::User(uid()), user);
    }
    // For a symlink, the directory of the target counts.
    let home = Directory::new();
    symlink(file.as_str(), home.path.join("policy.toml").unwrap().as_str()).unwrap();
    check(
        &home.path.join("policy.toml").unwrap(),
        FileRequirement::User(uid()),
        Err("its directory is unsafe"),
    );
}

#[test]
fn a_file_must_resolve_into_the_required_directory() {
    let (root, other) = (Directory::new(), Directory::new());
    let file = root.write("a.toml", 0o666);
    let outside = other.write("b.toml", 0o644);
    symlink("a.toml", root.path.join("inner.toml").unwrap().as_str()).unwrap();
    symlink(outside.as_str(), root.path.join("outer.toml").unwrap().as_str()).unwrap();
    let care = FileRequirement::Within(&root.path);
    check(&file, care, Ok(()));
    check(&root.path.join("inner.toml").unwrap(), care, Ok(()));
    check(&root.path.join("outer.toml").unwrap(), care, Err("leads out of"));
    check(&outside, care, Err("leads out of"));
}

#[test]
fn only_files_in_a_known_format_are_read() {
    let directory = Directory::new();
    let at = |name: &str| directory.path.join(name).unwrap();
    fs::create_dir(at("dir.toml").as_str()).unwrap();
    symlink("nowhere.toml", at("broken.toml").as_str()).unwrap();
    nix::unistd::mkfifo(at("pipe.toml").as_str(), nix::sys::stat::Mode::S_IRWXU).unwrap();
    fs::write(at("bytes.toml").as_str(), b"\xff").unwrap();
    for (name, reason) in [
        ("gone.toml", "there is no such file"),
        ("broken.toml", "there is no such file"),
        ("dir.toml", "not a regular file"),
        ("pipe.toml", "not a regular file"),
        ("policy.txt", "does not end in"),
        ("policy", "does not end in"),
        ("bytes.toml", "UTF-8"),
    ] {
        check(&at(name), FileRequirement::Named, Err(reason));
    }
}

#[test]
fn a_policy_too_long_is_refused_before_it_is_read() {
    let directory = Directory::new();
    let path = directory.write("policy.json", 0o644);
    let file = fs::File::options().write(true).open(path.as_str()).unwrap();
    file.set_len(100 * 1024 * 1024).unwrap();
    check(&path, FileRequirement::Named, Err("longer than 16 MiB"));
}

#[test]
fn two_policy_files_in_one_directory_are_an_error() {
    let directory = Directory::new();
    assert_eq!(find(&directory.path, &POLICY_FILES), Ok(None));
    assert_eq!(find(&directory.path.join("gone").unwrap(), &POLICY_FILES), Ok(None));
    let yaml = directory.write("policy.yaml", 0o644);
    assert_eq!(find(&directory.path, &POLICY_FILES), Ok(Some(yaml)));
    symlink("nowhere", directory.path.join("policy.json").unwrap().as_str()).unwrap();
    let error = find(&directory.path, &POLICY_FILES).unwrap_err();
    assert!(matches!(error, DocumentError::Ambiguous(_)), "{error}");
    assert_eq!(error.hint(), Some("keep one of the two"));
}
