use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::everyone;

fn abs(path: &Path) -> AbsPath {
    AbsPath::new(path.to_str().unwrap()).unwrap()
}

fn host() -> RealHost {
    RealHost::with_environment(Vec::new())
}

fn name(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

#[test]
fn entries_are_seen_without_following_links() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("file"), "x").unwrap();
    fs::hard_link(at("file"), at("twin")).unwrap();
    fs::create_dir(at("dir")).unwrap();
    symlink("dir/../file", at("link")).unwrap();
    symlink("nowhere", at("broken")).unwrap();
    nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    for (name, expected) in [
        ("file", FileEntry::File { links: 2 }),
        ("twin", FileEntry::File { links: 2 }),
        ("dir", FileEntry::Dir),
        ("link", FileEntry::Link("dir/../file".into())),
        ("broken", FileEntry::Link("nowhere".into())),
        ("pipe", FileEntry::Other),
        ("gone", FileEntry::Missing),
        ("file/x", FileEntry::Missing),
        ("broken/x", FileEntry::Missing),
    ] {
        assert_eq!(host().entry(&abs(&at(name))), expected, "{name}");
    }
    assert_eq!(host().entry(&AbsPath::root()), FileEntry::Dir);
    assert_eq!(host().entry(&abs(Path::new("/dev/null"))), FileEntry::Other);
}

#[test]
fn names_that_are_not_utf8_are_unreadable() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(name(b"a\xff.pem")), "x").unwrap();
    symlink(name(b"b\xfe"), dir.path().join("link")).unwrap();
    let mut names = host().list(&abs(dir.path())).unwrap();
    names.sort();
    assert_eq!(names.join(" "), "a\u{fffd}.pem link");
    for name in names {
        let entry = host().entry(&abs(dir.path()).child(&name).unwrap());
        assert!(matches!(entry, FileEntry::Unreadable(_)), "{name}: {entry:?}");
    }
}

#[test]
fn inaccessible_files_are_unreadable() {
    let name = "world::real_host::tests::inaccessible_files_are_unreadable";
    everyone::as_everyone(name, |place, user| {
        // Root can access everything, so only an ordinary user can show this.
        if user == "root" {
            return;
        }
        let closed = place.join("closed");
        fs::create_dir(&closed).unwrap();
        fs::write(closed.join("file"), "x").unwrap();
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
        let entry = host().entry(&abs(&closed.join("file")));
        assert_eq!(host().list(&abs(&closed)), None);
        fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
        assert_eq!(entry, FileEntry::Unreadable("permission denied".to_owned()));
    });
}

#[test]
fn reading_is_limited_to_regular_files_and_follows_no_link() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "abc").unwrap();
    symlink("file", dir.path().join("link")).unwrap();
    assert_eq!(host().read(&abs(&file), 3), Ok(b"abc".to_vec()));
    assert_eq!(host().read(&abs(&file), 2), Err("it is longer than 2 bytes".to_owned()));
    for name in ["link", "gone", "file/x"] {
        assert!(host().read(&abs(&dir.path().join(name)), 9).is_err(), "{name}");
    }
    assert!(host().read(&abs(dir.path()), 9).is_err());
    assert_eq!(host().list(&abs(&file)), None);
    assert_eq!(host().list(&abs(&dir.path().join("gone"))), None);
}

#[test]
fn the_environment_is_the_one_given() {
    let pair = |name: &str, value: OsString| (OsString::from(name), value);
    let environment = vec![
        pair("A", "1".into()),
        pair("EMPTY", "".into()),
        pair("ODD", name(b"/\xff")),
        pair("A", "2".into()),
    ];
    let host = RealHost::with_environment(environment);
    assert_eq!(host.env("A").as_deref(), Some("1"));
    assert_eq!(host.env("EMPTY").as_deref(), Some(""));
    assert_eq!(host.env("ODD").as_deref(), Some(""));
    assert_eq!(host.env("B"), None);
    assert_eq!(host.find_program("sh"), None);
}

#[test]
fn homes_come_from_the_user_database() {
    let environment = vec![("HOME".into(), "/tmp/evil".into()), ("USER".into(), "evil".into())];
    let host = RealHost::with_environment(environment);
    let user = host.user().expect("the tests run as a user of this machine");
    assert_eq!(host.home_of(&user.name), host.users().by_name(&user.name).map(|u| u.home.clone()));
    assert_ne!(user.home.as_str(), "/tmp/evil");
    assert_eq!(host.home_of("no-such-user-here"), None);
    assert_eq!(host.home_of("../etc"), None);
    assert_eq!(host.home_of(""), None);
}

#[test]
fn names_are_not_looked_up() {
    assert_eq!(host().addresses(&HostName::parse("example.com").unwrap()), None);
    let address = host().addresses(&HostName::parse("0x7f.1").unwrap());
    assert_eq!(address, Some(vec!["127.0.0.1".parse().unwrap()]));
    assert_eq!(host().path_rules(), PathRules::LINUX);
}
