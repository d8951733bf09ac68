use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use super::*;
use crate::skip::skip;

fn abs(path: &Path) -> AbsPath {
    AbsPath::new(path.to_str().unwrap()).unwrap()
}

fn host(tmp: &str) -> RealHost {
    RealHost::with_environment(vec![
        ("TMPDIR".into(), tmp.into()),
        ("HOME".into(), "/tmp/evil".into()),
        ("XDG_CONFIG_HOME".into(), "/tmp/evil".into()),
    ])
}

fn at(host: &RealHost, cwd: &AbsPath) -> Surroundings {
    Surroundings::at(host, cwd.clone(), RootFrom::WorkingDirectory).unwrap()
}

#[test]
fn the_environment_has_no_say_in_who_and_where_we_are() {
    let surroundings = Surroundings::here(&host("/tmp")).unwrap();
    let places = surroundings.places().unwrap();
    assert_eq!(surroundings.user.uid, rustix::process::getuid().as_raw());
    assert_eq!(places.user_dir, surroundings.user.home.join(".config/ringfence").unwrap());
    assert_eq!(places.state_dir, surroundings.user.home.join(".local/state/ringfence").unwrap());
    assert_eq!(places.organisation_dir.as_str(), "/etc/ringfence");
    assert_eq!(surroundings.context.home, surroundings.user.home);
    assert!(surroundings.context.today > "2026-01-01".parse().unwrap());
    assert_eq!(abs(&std::env::current_dir().unwrap()), surroundings.context.cwd);
}

#[test]
fn a_home_directory_is_no_root_and_a_note_says_so() {
    let host = host("/tmp");
    let home = host.user().unwrap().home.clone();
    let surroundings = at(&host, &real_path(&home));
    assert_eq!(surroundings.context.root, None);
    assert!(surroundings.no_root.is_some());
    assert!(surroundings.notes.iter().any(|note| note.contains("home directory")));
}

#[test]
fn a_project_that_an_agent_names_is_taken_where_it_really_lies() {
    let dir = tempfile::tempdir().unwrap();
    let real = fs::canonicalize(dir.path()).unwrap();
    fs::create_dir_all(real.join("project/sub")).unwrap();
    symlink("project", real.join("link")).unwrap();
    symlink("/", real.join("all")).unwrap();
    let host = host("/tmp");
    let from = |name: &str| {
        let project = abs(&real.join(name));
        Surroundings::at(&host, abs(&real), RootFrom::Project(&project)).unwrap()
    };
    assert_eq!(from("link").context.root, Some(abs(&real.join("project"))));
    assert_eq!(from("project/sub").context.root, Some(abs(&real.join("project/sub"))));
    assert_eq!(from("all").no_root, Some(NoRoot::Everything));
}

#[test]
fn a_directory_for_temporary_files_counts_only_apart_from_everything_else() {
    // `/dev/shm` is writable and outside `/tmp`, where tests usually run.
    let Ok(dir) = tempfile::tempdir_in("/dev/shm") else {
        return skip("nothing can be written in /dev/shm");
    };
    let scratch = abs(&fs::canonicalize(dir.path()).unwrap());
    let own = scratch.join("own").unwrap();
    let project = scratch.join("project").unwrap();
    for directory in [&own, &project] {
        fs::create_dir(directory.as_str()).unwrap();
    }
    symlink(own.as_str(), scratch.join("link").unwrap().as_str()).unwrap();
    fs::write(scratch.join("file").unwrap().as_str(), "").unwrap();
    let tmp = |value: &str| {
        let surroundings = at(&host(value), &project);
        let own: Vec<String> = surroundings.context.tmp.iter().map(AbsPath::to_string).collect();
        (own.join(" "), surroundings.notes.is_empty())
    };
    let usual = "/tmp /var/tmp".to_owned();
    assert_eq!(tmp(own.as_str()), (format!("{usual} {own}"), true));
    assert_eq!(tmp(scratch.join("link").unwrap().as_str()), (format!("{usual} {own}"), true));
    assert_eq!(tmp("/tmp/x"), (usual.clone(), true));
    let home = host("").user().unwrap().home.clone();
    for value in [
        "relative",
        "",
        "/",
        "/etc",
        "/usr/share",
        "/proc",
        "/nonexistent",
        home.as_str(),
        home.join(".ssh").unwrap().as_str(),
        scratch.as_str(),
        project.as_str(),
        project.join("x").unwrap().as_str(),
        scratch.join("file").unwrap().as_str(),
    ] {
        let (directories, silent) = tmp(value);
        assert_eq!(directories, usual, "{value}");
        assert!(!silent, "{value}");
    }
}

#[test]
fn a_clock_before_1970_decides_nothing() {
    let wrong = UNIX_EPOCH.checked_sub(Duration::from_secs(1)).unwrap();
    assert_eq!(today(wrong), Err(SurroundingsError::Clock));
    let day = UNIX_EPOCH.checked_add(Duration::from_secs(20_772 * 86_400 + 86_399)).unwrap();
    assert_eq!(today(day), Ok("2026-11-15".parse().unwrap()));
}
