use std::fs;

use super::*;

#[test]
fn a_git_link_may_lead_only_to_submodule_and_worktree_directories() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for name in [".git/modules/s", ".git/worktrees/w", "evil", "s", "deep/s"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    std::os::unix::fs::symlink("../../evil", root.join(".git/modules/l")).unwrap();
    let at = root.join("s/.git");
    let absolute = format!("gitdir: {}/.git/worktrees/w\n", root.display());
    for text in ["gitdir: ../.git/modules/s\n", "gitdir: ../.git/modules/new/modules/x", &absolute]
    {
        assert!(is_plain_file(&at, text.as_bytes()), "{text}");
    }
    for text in [
        "",
        "gitdir: ",
        "gitdir: ../evil\n",
        "gitdir: ../.git",
        "gitdir: ../.git/modules",
        "gitdir: ../.git/hooks/x",
        "gitdir: ../.git/modules/l",
        "gitdir: ../.git/modules/l/x",
        "gitdir: ../.git/modules/../../evil",
        "gitdir:../.git/modules/s",
        "gitdir: ../.git/modules/s\n\n",
        "gitdir: ../.git/modules/s\r\n",
        "gitdir:  ../.git/modules/s",
        "gitdir: ../.git/modules/s\0x",
        "GITDIR: ../.git/modules/s",
        "gitdir: ../.git/modules/s\nx",
        "gitdir: ../evil/.git",
    ] {
        assert!(!is_plain_file(&at, text.as_bytes()), "{text:?}");
    }
}

#[test]
fn a_worktree_finds_its_repository_two_directories_above() {
    let at = Path::new("/p/.git/worktrees/w/commondir");
    assert!(is_plain_common(at, b"../..\n") && is_plain_common(at, b"../.."));
    assert!(
        !is_plain_common(at, b"../../../evil\n")
            && !is_plain_common(at, b"../..\n\n")
            && !is_plain_common(at, b"")
    );
    assert!(!is_plain_common(Path::new("/p/.git/commondir"), b"../..\n"));
    assert!(!is_plain_common(Path::new("/p/worktrees/w/commondir"), b"../..\n"));
}
