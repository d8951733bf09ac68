use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;

use super::*;

struct Home {
    directory: tempfile::TempDir,
}

impl Home {
    fn new() -> Home {
        Home { directory: tempfile::tempdir().unwrap() }
    }

    fn state(&self) -> PathBuf {
        self.directory.path().join(".local/state/ringfence")
    }

    fn file(&self) -> PathBuf {
        self.state().join("trust.json")
    }

    fn records(&self) -> TrustRecords {
        self.records_of(rustix::process::getuid().as_raw())
    }

    fn records_of(&self, user: u32) -> TrustRecords {
        let home = AbsPath::new(self.directory.path().to_str().unwrap()).unwrap();
        TrustRecords::new(&PolicyLocations::of_user(user, &home).unwrap())
    }

    fn trust(&self, root: &str, digit: &str) {
        self.records().add(trusted(root, digit)).unwrap();
    }

    /// Asserts that every query of the records fails with this reason.
    fn check_bad(&self, reason: &str) {
        let root = path("/p/a");
        for error in [
            self.records().list().unwrap_err(),
            self.records().is_trusted(&root, &hash("1")).unwrap_err(),
            self.records().add(trusted("/p/b", "2")).unwrap_err(),
            self.records().revoke(&root).unwrap_err(),
        ] {
            let text = error.to_string();
            assert!(text.starts_with("no project is trusted"), "{text}");
            assert!(text.contains(reason), "{text}");
        }
    }
}

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn hash(digit: &str) -> Fingerprint {
    Fingerprint::parse(&digit.repeat(64)).unwrap()
}

fn trusted(root: &str, digit: &str) -> TrustRecord {
    TrustRecord {
        root: path(root),
        files: vec!["ringfence.toml".into(), "/srv/base.toml".into()],
        fingerprint: hash(digit),
        since: "2026-11-15".parse().unwrap(),
    }
}

#[test]
fn trust_is_recorded_replaced_and_revoked() {
    let home = Home::new();
    assert_eq!(home.records().list(), Ok(Vec::new()));
    assert_eq!(home.records().revoke(&path("/p/a")), Ok(false));
    home.trust("/p/b", "2");
    home.trust("/p/a", "1");
    assert_eq!(home.records().list(), Ok(vec![trusted("/p/a", "1"), trusted("/p/b", "2")]));
    assert_eq!(home.records().is_trusted(&path("/p/a"), &hash("1")), Ok(true));
    assert_eq!(home.records().is_trusted(&path("/p/a"), &hash("2")), Ok(false));
    assert_eq!(home.records().is_trusted(&path("/p/c"), &hash("1")), Ok(false));
    home.trust("/p/a", "3");
    assert_eq!(home.records().is_trusted(&path("/p/a"), &hash("1")), Ok(false));
    assert_eq!(home.records().is_trusted(&path("/p/a"), &hash("3")), Ok(true));
    assert_eq!(home.records().revoke(&path("/p/a")), Ok(true));
    assert_eq!(home.records().list(), Ok(vec![trusted("/p/b", "2")]));
}

#[test]
fn records_are_for_their_user_alone() {
    let home = Home::new();
    home.trust("/p/a", "1");
    assert_eq!(fs::metadata(home.file()).unwrap().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(home.state()).unwrap().mode() & 0o777, 0o700);
    let names: Vec<_> =
        fs::read_dir(home.state()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["trust.json"], "nothing is left over");
}

#[test]
fn broken_records_trust_nothing() {
    let home = Home::new();
    home.trust("/p/a", "1");
    let good = fs::read_to_string(home.file()).unwrap();
    for (text, reason) in [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "version"),
        ("{\"version\": 2, \"trusted\": []}", "version"),
        ("{\"version\": 1}", "no list"),
        (good.replace("sha256", "sha").as_str(), "malformed"),
        (good.replace("1111", "111").as_str(), "malformed"),
        (good.replace("/p/a", "/p/../p/a").as_str(), "malformed"),
        (good.replace("/p/a", "p/a").as_str(), "malformed"),
        (good.replace("2026", "20xx").as_str(), "malformed"),
        (&format!("{}{good}", " ".repeat(2 << 20)), "too long"),
    ] {
        fs::write(home.file(), text).unwrap();
        home.check_bad(reason);
    }
    fs::write(home.file(), good).unwrap();
    assert_eq!(home.records().is_trusted(&path("/p/a"), &hash("1")), Ok(true));
}

#[test]
fn records_that_others_could_write_trust_nothing() {
    let home = Home::new();
    home.trust("/p/a", "1");
    for mode in [0o620, 0o602, 0o666] {
        fs::set_permissions(home.file(), Permissions::from_mode(mode)).unwrap();
        home.check_bad("others can write to it");
    }
    fs::set_permissions(home.file(), Permissions::from_mode(0o600)).unwrap();
    for mode in [0o770, 0o707] {
        fs::set_permissions(home.state(), Permissions::from_mode(mode)).unwrap();
        home.check_bad("its directory is unsafe: others can write to it");
    }
    fs::set_permissions(home.state(), Permissions::from_mode(0o700)).unwrap();
    let records = home.records_of(rustix::process::getuid().as_raw() + 1);
    assert!(records.list().unwrap_err().to_string().contains("belongs to the user"));
}

#[test]
fn records_behind_a_link_trust_nothing() {
    let home = Home::new();
    home.trust("/p/a", "1");
    let other = home.directory.path().join("other.json");
    fs::rename(home.file(), &other).unwrap();
    symlink(&other, home.file()).unwrap();
    home.check_bad("symbolic link");
    fs::remove_file(home.file()).unwrap();
    fs::create_dir(home.file()).unwrap();
    home.check_bad("not a regular file");
    fs::remove_dir(home.file()).unwrap();
    let elsewhere = home.directory.path().join("elsewhere");
    fs::rename(home.state(), &elsewhere).unwrap();
    symlink(&elsewhere, home.state()).unwrap();
    home.check_bad("its directory is a symbolic link");
}

#[test]
fn a_process_that_ended_half_way_does_no_harm() {
    let home = Home::new();
    home.trust("/p/a", "1");
    let temporary = home.state().join(format!(".trust.json.{}", std::process::id()));
    fs::write(&temporary, "half").unwrap();
    home.trust("/p/b", "2");
    assert_eq!(home.records().list().unwrap().len(), 2);
    assert!(!temporary.exists());
}

#[test]
fn concurrent_writers_lose_nothing() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let home = &home;
            scope.spawn(move || home.trust(&format!("/p/{number}"), "1"));
        }
    });
    assert_eq!(home.records().list().unwrap().len(), 8);
}
