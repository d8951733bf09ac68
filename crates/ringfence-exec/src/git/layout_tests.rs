use super::*;

fn change(deeds: Vec<(Deed, PathBuf)>) -> Change {
    Change { pid: 1, deeds, links: Vec::new(), also: Vec::new() }
}

/// Creates files and directories, and returns what a change makes sensitive.
fn sensitive(there: &[&str], deeds: &[(Deed, &str)]) -> Vec<(GitFileKind, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    for name in there {
        let path = folder.path().join(name);
        match name.ends_with('/') {
            true => fs::create_dir_all(path).unwrap(),
            false => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
        }
    }
    let deeds = deeds.iter().map(|(deed, path)| (*deed, folder.path().join(path))).collect();
    let change = change(deeds);
    let (found, _) = StateAfter::of(&change).sensitive();
    let inside =
        |own: SensitiveFile| (own.kind, own.path.strip_prefix(folder.path()).unwrap().to_owned());
    found.into_iter().map(inside).collect()
}

#[test]
fn a_directory_becomes_a_repository_with_the_last_of_its_marks() {
    let config = vec![(GitFileKind::Config, PathBuf::from("d/config"))];
    assert_eq!(
        sensitive(&["d/HEAD", "d/config", "d/refs/"], &[(Deed::MakeDirectory, "d/objects")]),
        config
    );
    assert_eq!(
        sensitive(&["d/HEAD", "d/config", "d/objects/"], &[(Deed::Write, "d/refs")]),
        config
    );
    assert_eq!(
        sensitive(&["d/config", "d/objects/", "d/refs/"], &[(Deed::Write, "d/HEAD")]),
        config
    );
    assert_eq!(sensitive(&["d/config", "d/refs/"], &[(Deed::Write, "d/HEAD")]), []);
    assert_eq!(
        sensitive(&["d/HEAD", "d/objects/", "d/refs/"], &[(Deed::Write, "d/config")]),
        config
    );
    assert_eq!(sensitive(&["d/HEAD", "d/refs/"], &[(Deed::Write, "d/config")]), []);
    let both = [(GitFileKind::CommonDir, PathBuf::from("d/commondir")), config[0].clone()];
    let found = sensitive(&["d/HEAD", "d/config"], &[(Deed::Write, "d/commondir")]);
    assert!(both.iter().all(|own| found.contains(own)), "{found:?}");
}

#[test]
fn hooks_are_found_and_samples_are_ignored() {
    let there = ["d/HEAD", "d/refs/", "d/hooks/update.sample", "d/hooks/update", "d/remotes/x"];
    let found = sensitive(&there, &[(Deed::MakeDirectory, "d/objects")]);
    let hooks =
        ["d/hooks/update", "d/remotes/x"].map(|path| (GitFileKind::Never, PathBuf::from(path)));
    assert_eq!(found, hooks);
    let there = ["d/HEAD", "d/refs/", "d/objects/", "d/hooks/"];
    assert_eq!(sensitive(&there, &[(Deed::Write, "d/hooks/update")]), hooks[..1]);
    assert_eq!(sensitive(&there, &[(Deed::Write, "d/hooks/update.sample")]), []);
    assert_eq!(sensitive(&there, &[(Deed::MakeDirectory, "d/hooks")]), []);
}

#[test]
fn a_moved_repository_is_read_where_it_lies() {
    let names = ["", "/HEAD", "/config", "/objects", "/refs"];
    let deeds = names.iter().flat_map(|name| {
        let (from, to) =
            (PathBuf::from(format!("/x/a{name}")), PathBuf::from(format!("/x/b{name}")));
        [(Deed::Read, from.clone()), (Deed::Delete, from), (Deed::Write, to)]
    });
    let change = change(deeds.collect());
    let (found, becoming) = StateAfter::of(&change).sensitive();
    assert!(found.iter().all(|own| own.source.as_deref() == Some(Path::new("/x/a/config"))));
    assert!(
        found.iter().all(|own| own.alias() == Path::new("/x/b/.git/config")) && !found.is_empty()
    );
    assert_eq!(becoming, [Path::new("/x/b")]);
}
