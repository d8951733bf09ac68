use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::super::discovery::Documents;
use super::*;

struct Home {
    directory: tempfile::TempDir,
}

impl Home {
    fn new() -> Home {
        let home = Home { directory: tempfile::tempdir().unwrap() };
        fs::create_dir(home.directory.path().join("project")).unwrap();
        home
    }

    fn places(&self) -> PolicyLocations {
        let home = AbsPath::new(self.directory.path().to_str().unwrap()).unwrap();
        let root = home.child("project").unwrap();
        let places = PolicyLocations::of_user(rustix::process::getuid().as_raw(), &home).unwrap();
        PolicyLocations {
            organisation_dir: home.child("none").unwrap(),
            ..places.within(Some(root.clone()), root)
        }
    }

    fn write(&self, path: &AbsPath, text: &str) {
        let path = Path::new(path.as_str());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        for (path, mode) in [(path, 0o600), (path.parent().unwrap(), 0o700)] {
            fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
    }

    fn names(&self) -> Vec<String> {
        let found = Documents::find(&self.places(), &[]).unwrap();
        found.documents.iter().map(|own| format!("{} {}", own.role.as_str(), own.name)).collect()
    }
}

#[test]
fn answers_are_no_policy() {
    let home = Home::new();
    let files = home.places().answer_files();
    let (everywhere, here) = (files.everywhere.unwrap(), files.here.unwrap());
    assert_eq!(home.names(), ["user @workspace"]);
    home.write(&everywhere, "allow = [\"cmd:id:*\"]\ndeny = [\"cmd:nc:*\"]\n");
    home.write(&here, "allow = [\"net:a.example\"]\ndanger = [\"cmd:rm:*:-rf\"]\n");
    let name = here.file_name();
    assert!(name.starts_with("project-") && name.ends_with(".toml"), "{name}");
    let here_name = format!("answers answers {name}");
    assert_eq!(home.names(), ["answers user allowed.toml", &here_name, "user @workspace"]);
    let elsewhere = PolicyLocations { root: None, ..home.places() };
    let found = Documents::find(&elsewhere, &[]).unwrap();
    assert_eq!(found.documents.len(), 2, "answers for one project are for that project alone");
}

#[test]
fn answers_that_would_do_more_than_add_are_refused() {
    let home = Home::new();
    let everywhere = home.places().answer_files().everywhere.unwrap();
    for text in [
        "default = \"ask\"\n",
        "extends = [\"@workspace\"]\n",
        "ask = [\"cmd:id\"]\n",
        "ceiling = [\"net:a.example\"]\n",
        "[sandbox]\nunlisted_programs = \"run\"\n",
        "[security]\nunanalysable = \"allow\"\n",
        "[agents.x]\ndeny = [\"cmd:id\"]\n",
        "danger_list = [\"cmd:id\"]\n",
        "allow = [\n",
    ] {
        home.write(&everywhere, text);
        assert!(Documents::find(&home.places(), &[]).is_err(), "{text}");
    }
    home.write(&everywhere, "allow = []\n");
    assert!(Documents::find(&home.places(), &[]).is_ok());
    let path = Path::new(everywhere.as_str());
    fs::set_permissions(path, Permissions::from_mode(0o666)).unwrap();
    assert!(Documents::find(&home.places(), &[]).is_err(), "others could write it");
}
