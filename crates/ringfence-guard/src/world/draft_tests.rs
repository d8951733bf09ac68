use std::fs;

use ringfence_core::Date;
use ringfence_core::host::MemoryHost;

use super::super::users::User;
use super::*;

/// A project whose policy extends another file.
struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Project {
        let project = Project(tempfile::tempdir().unwrap());
        project.write("named.toml", "extends = [\"more.toml\"]\nallow = [\"fs:r:@root/**\"]\n");
        project.write("more.toml", "deny = [\"fs:r:**/*.key\"]\n");
        project
    }

    fn path(&self, name: &str) -> AbsPath {
        let top = self.0.path().canonicalize().unwrap();
        AbsPath::new(top.to_str().unwrap()).unwrap().join(name).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn surroundings(&self, day: u32) -> Surroundings {
        let (home, root) = (self.path("home"), self.path("."));
        let today = Date::from_unix_days(day);
        let context = Context::new(Some(root.clone()), home.clone(), root, today);
        let user = User { name: "u".into(), uid: 1000, home };
        Surroundings { user, context, no_root: None, notes: Vec::new() }
    }

    fn draft(&self, day: u32, named: &[&str]) -> PolicyDraft {
        let here = self.surroundings(day);
        let mut places = here.places().unwrap();
        places.organisation_dir = self.path("etc");
        let named: Vec<AbsPath> = named.iter().map(|name| self.path(name)).collect();
        PolicyDraft::read(here, &places, &named).unwrap()
    }

    fn packed(&self, day: u32, named: &[&str]) -> Vec<u8> {
        let mut to = ByteWriter::new();
        self.draft(day, named).pack(&mut to);
        to.finish()
    }
}

#[test]
fn the_packed_bytes_contain_every_input() {
    let project = Project::new();
    let before = project.packed(1, &["named.toml"]);
    assert_eq!(project.packed(1, &["named.toml"]), before);
    assert_ne!(project.packed(2, &["named.toml"]), before, "another day");
    assert_ne!(project.packed(1, &["more.toml"]), before, "another policy");
    assert_ne!(project.packed(1, &["named.toml", "more.toml"]), before, "a ceiling");
    assert_ne!(
        project.packed(1, &["more.toml", "named.toml"]),
        project.packed(1, &["named.toml", "more.toml"])
    );
    assert_ne!(project.packed(1, &[]), before, "none named");
    project.write("more.toml", "deny = [\"fs:r:**/*.kex\"]\n");
    assert_ne!(project.packed(1, &["named.toml"]), before, "what it extends changed");
    project.write("more.toml", "deny = [\"fs:r:**/*.key\"]\n");
    assert_eq!(project.packed(1, &["named.toml"]), before);
    project.write("named.toml", "extends = [\"more.toml\"]\nallow = [\"fs:r:@root/*\"]\n");
    assert_ne!(project.packed(1, &["named.toml"]), before, "it changed itself");
}

#[test]
fn trust_in_a_project_file_changes_the_packed_bytes() {
    let project = Project::new();
    let none = project.packed(1, &[]);
    project.write("ringfence.toml", "deny = [\"cmd:x\"]\n");
    let untrusted = project.draft(1, &[]);
    assert_ne!(project.packed(1, &[]), none);
    assert!(!untrusted.found.documents.iter().any(|own| own.role == ringfence_core::Role::Project));
}

#[test]
fn classes_without_a_stance_use_the_workspace_rules() {
    let project = Project::new();
    let built = project.draft(1, &["named.toml"]).build(&MemoryHost::new()).unwrap();
    assert!(built.notes().any(|note| note.contains("no document mentions running programs")));
    let policy = built.policy;
    assert!(policy.rules().any(|(_, rule)| rule.pattern.to_string() == "fs:r:**/*.key"));
    assert!(policy.rules().any(|(role, _)| role == ringfence_core::Role::BuiltIn));
}

#[test]
fn the_files_of_a_policy_are_kept_under_every_name() {
    let project = Project::new();
    std::os::unix::fs::symlink("named.toml", project.0.path().join("link.toml")).unwrap();
    let BuiltPolicy { policy, .. } =
        project.draft(1, &["link.toml"]).build(&MemoryHost::new()).unwrap();
    for name in ["link.toml", "named.toml", "more.toml"] {
        let kept = format!("fs:w:{}", project.path(name));
        let is_kept =
            |role, pattern: String| role == ringfence_core::Role::BuiltIn && pattern == kept;
        let mut rules = policy.rules();
        assert!(rules.any(|(role, rule)| is_kept(role, rule.pattern.to_string())), "{kept}");
    }
}
