use std::error::Error;
use std::process::Stdio;

use super::*;

type Tested = Result<(), Box<dyn Error>>;

fn git(root: &Path, arguments: &[&str]) -> io::Result<()> {
    let status =
        Command::new("git").args(arguments).current_dir(root).stdout(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("git: {status}"))) }
}

#[test]
fn tracked_and_new_files_are_listed_and_ignored_ones_are_not() -> Tested {
    let root = tempfile::tempdir()?;
    git(root.path(), &["init", "--quiet"])?;
    fs::write(root.path().join(".gitignore"), "*.log\n")?;
    fs::write(root.path().join("tracked.rs"), "fn a() {}\n")?;
    fs::write(root.path().join("deleted.rs"), "")?;
    git(root.path(), &["add", "."])?;
    fs::remove_file(root.path().join("deleted.rs"))?;
    fs::create_dir(root.path().join("folder"))?;
    fs::write(root.path().join("folder/new.bin"), [0xff, 0xfe])?;
    fs::write(root.path().join("ignored.log"), "")?;

    let tree = Tree::scan(root.path()).map_err(|Failure(message)| message)?;

    let listed: Vec<_> =
        tree.files().iter().map(|file| (file.path.as_str(), file.text.as_deref())).collect();
    let expected = [
        (".gitignore", Some("*.log\n")),
        ("folder/new.bin", None),
        ("tracked.rs", Some("fn a() {}\n")),
    ];
    assert_eq!(listed, expected);
    assert_eq!(tree.rust().collect::<Vec<_>>(), [("tracked.rs", "fn a() {}\n")]);
    Ok(())
}

#[test]
fn a_folder_without_git_is_a_failure() -> Tested {
    let root = tempfile::tempdir()?;
    assert!(Tree::scan(root.path()).is_err());
    Ok(())
}
