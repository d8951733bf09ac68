use super::*;

#[test]
fn links_of_others_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).join(".git");
    for name in ["file", "link", "directory", "none"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    fs::write(path("file"), "gitdir: ../x").unwrap();
    std::os::unix::fs::symlink("nowhere", path("link")).unwrap();
    fs::create_dir(path("directory")).unwrap();
    let repositories = Repositories::default();
    for deed in [Deed::Write, Deed::Delete, Deed::About] {
        assert!(!repositories.is_plain(deed, &path("file")));
        assert!(!repositories.is_plain(deed, &path("link")));
        assert!(repositories.is_plain(deed, &path("directory")));
        assert!(repositories.is_plain(deed, &path("none")));
        assert!(!repositories.is_plain(deed, &path("directory").join("config")));
    }
}

#[test]
fn a_repository_of_its_own_can_be_removed_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join(".git");
    let repositories = Repositories::default();
    repositories.note(&[(Deed::MakeDirectory, repository.clone())]);
    fs::create_dir(&repository).unwrap();
    repositories.settle();
    let config = repository.join("config");
    assert!(repositories.is_plain(Deed::Delete, &config));
    assert!(!repositories.is_plain(Deed::Write, &config));
    assert!(!repositories.is_plain(Deed::Delete, &folder.path().join("other/.git/config")));
}

#[test]
fn a_run_can_change_and_remove_what_it_created() {
    let folder = tempfile::tempdir().unwrap();
    let [own, other] = ["own", "other"].map(|name| folder.path().join(name).join(".git"));
    for path in [&own, &other] {
        fs::create_dir(path.parent().unwrap()).unwrap();
    }
    fs::write(&other, "gitdir: x").unwrap();
    let repositories = Repositories::default();
    repositories.note(&[(Deed::Write, own.clone()), (Deed::Write, other.clone())]);
    fs::write(&own, "gitdir: x").unwrap();
    repositories.settle();
    assert!(repositories.is_plain(Deed::Delete, &own));
    assert!(!repositories.is_plain(Deed::Delete, &other));
}

/// If the run creates and removes a name, a later file with this name is not claimed.
#[test]
fn a_name_is_not_claimed_for_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".git");
    let repositories = Repositories::default();
    repositories.note(&[(Deed::MakeDirectory, path.clone())]);
    fs::create_dir(&path).unwrap();
    repositories.settle();
    assert!(repositories.has_made(&path));
    // The run removes it.
    repositories.note(&[(Deed::Delete, path.clone())]);
    fs::remove_dir(&path).unwrap();
    repositories.settle();
    fs::write(&path, "gitdir: x").unwrap();
    assert!(!repositories.has_made(&path) && !repositories.is_plain(Deed::Write, &path));
    // A process outside replaces what the run created.
    fs::remove_file(&path).unwrap();
    repositories.note(&[(Deed::MakeDirectory, path.clone())]);
    fs::create_dir(&path).unwrap();
    repositories.settle();
    assert!(repositories.has_made(&path.join("config")));
    fs::rename(&path, folder.path().join("old")).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(!repositories.has_made(&path.join("config")));
}
