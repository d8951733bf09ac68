use super::*;

fn takes(url: &str) -> bool {
    let is_writable = |path: &Path| path.starts_with("/project");
    let place = ConfigLocation {
        git_dir: Path::new("/project/.git"),
        is_own: false,
        is_writable: &is_writable,
    };
    place.takes_url(url)
}

#[test]
fn addresses_of_other_machines_are_taken() {
    for url in [
        "https://example.com/x.git",
        "http://example.com:80/x",
        "ssh://git@example.com/x",
        "git@example.com:a/b.git",
        "git://example.com/x",
        "ssh://[::1]/x",
        "host:x",
        "/srv/x.git",
        "file:///srv/x.git",
        "../x.git",
        "../../x",
    ] {
        assert!(takes(url), "{url}");
    }
}

#[test]
fn helpers_options_and_directories_of_the_run_are_not() {
    for url in [
        "",
        "-x",
        "ext::sh -c x",
        "any::x",
        "ext:://x",
        "foo://x",
        "EXT::x",
        "HTTPS://x/y",
        "./build/cache",
        "build/cache",
        "build",
        ".",
        "/project/x",
        "/project",
        "file:///project/x",
        "file://x",
        "../project/x",
        "a/../../project/x",
        "./-x",
        "ssh://-oProxyCommand=x/y",
        "/srv/../project/x",
        "../nothing/../project/x",
    ] {
        assert!(!takes(url), "{url}");
    }
}

#[test]
fn a_directory_is_known_behind_links() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("project/.git")).unwrap();
    fs::create_dir_all(root.join("project/build")).unwrap();
    std::os::unix::fs::symlink("project/build", root.join("out")).unwrap();
    std::os::unix::fs::symlink("nowhere", root.join("lost")).unwrap();
    let project = root.join("project");
    let is_writable = |path: &Path| path.starts_with(&project);
    let git_dir = project.join(".git");
    let place = ConfigLocation { git_dir: &git_dir, is_own: false, is_writable: &is_writable };
    for (name, is_taken) in
        [("out", false), ("out/x", false), ("lost", false), ("lost/x", false), ("new", true)]
    {
        assert_eq!(place.takes_url(root.join(name).to_str().unwrap()), is_taken, "{name}");
        assert_eq!(place.takes_url(&format!("../{name}")), is_taken, "{name}");
    }
}

#[test]
fn the_name_of_a_remote_is_not_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::create_dir(root.join("build")).unwrap();
    let (is_writable, git_dir) = (|path: &Path| path.starts_with(&root), root.join(".git"));
    let place = ConfigLocation { git_dir: &git_dir, is_own: false, is_writable: &is_writable };
    assert!(
        place.takes_remote("origin", true)
            && place.takes_remote("origin", false)
            && place.takes_remote(".", false)
    );
    assert!(place.takes_remote("build", true) && !place.takes_remote("build", false));
    assert!(!place.takes_remote("build/x", false) && !place.takes_remote("ext::x", false));
}

#[test]
fn a_working_tree_lies_where_the_run_writes_and_not_in_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let git_dir = root.join("project/.git/modules/s");
    fs::create_dir_all(&git_dir).unwrap();
    fs::create_dir(root.join("project/s")).unwrap();
    std::os::unix::fs::symlink("../..", root.join("project/link")).unwrap();
    let project = root.join("project");
    let is_writable = |path: &Path| path.starts_with(&project);
    let place = ConfigLocation { git_dir: &git_dir, is_own: false, is_writable: &is_writable };
    assert!(place.takes_working_tree("../../../s"));
    for value in [
        "/",
        "../../../../",
        "../../hooks",
        "../../..",
        "../../../link",
        "../../../s/../..",
        "../../../.git",
        "../../../.GIT/x",
    ] {
        assert_eq!(place.takes_working_tree(value), value == "../../..", "{value}");
    }
}
