//! What is masked where something is mounted twice.

use std::path::{Path, PathBuf};

use super::*;
use crate::plan::Mounts;

/// A described host on which something is mounted.
struct Mounted<'a>(&'a MemoryHost, &'a str);

impl Lister for Mounted<'_> {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        Lister::list(self.0, directory)
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        self.0.shared(path)
    }

    fn mounts(&self) -> Option<Mounts> {
        let root = "1 0 8:1 / / rw - ext4 a rw\n";
        Mounts::parse(format!("{root}2 1 8:1 {} rw - ext4 a rw\n", self.1).as_bytes())
    }

    fn counts_processes(&self) -> bool {
        true
    }
}

#[track_caller]
fn check(files: &[&str], mount: &str, policy: &str, masks: &[&str]) {
    let (host, context) = (host(files), context());
    // Every program may be started, so that all that is hidden is covered.
    let mut documents = documents(policy);
    documents.extend(super::documents(r#"allow = ["cmd:*"]"#));
    let policy = Policy::compile(documents, Vec::new(), &context, &host).unwrap();
    let lister = Mounted(&host, mount);
    let plan =
        make_and_remember(Wanted { lister: &lister, ..wanted(&policy, &context, &host) }).files;
    assert_eq!(plan.masks, masks.iter().map(PathBuf::from).collect::<Vec<_>>());
}

#[test]
fn what_a_rule_names_is_masked_by_its_other_name_too() {
    let files = ["/home/u/.ssh/id", "/srv/u/.ssh/id", "/home/u/proj/a"];
    let policy = r#"allow = ["fs:r:@root/**", "fs:r:/srv/**"]
        deny = ["fs:r:~/.ssh/**"]"#;
    check(&files, "/home/u /srv/u", policy, &["/srv/u/.ssh"]);
}

#[test]
fn what_can_be_read_by_the_file_alone_is_masked() {
    // Landlock grants the project where it lies, too.
    let files = ["/home/u/proj/keys/a", "/pool/proj/keys/a"];
    let policy = r#"allow = ["fs:r:@root/**"]
        deny = ["fs:r:@root/keys/**"]"#;
    check(&files, "/home/u/proj /pool/proj", policy, &["/home/u/proj/keys", "/pool/proj/keys"]);
    let other = r#"allow = ["fs:r:@root/**"]
        deny = ["fs:r:/pool/**/keys/**"]"#;
    check(&files, "/home/u/proj /pool/proj", other, &["/home/u/proj/keys", "/pool/proj/keys"]);
}

#[test]
fn what_may_be_read_by_its_own_name_is_hidden_by_no_other() {
    let files = ["/home/u/proj/certs/a.pem", "/pool/proj/certs/a.pem"];
    let policy = r#"allow = ["fs:r:@root/**"]
        deny = [{ pattern = "fs:r:**/*.pem", except = ["@root/certs/**"] }]"#;
    check(&files, "/home/u/proj /pool/proj", policy, &[]);
}

#[test]
fn a_single_file() {
    let files = ["/home/u/proj/.env", "/srv/settings"];
    let policy = r#"allow = ["fs:r:/srv/**"]
        deny = ["fs:r:**/.env"]"#;
    check(&files, "/home/u/proj/.env /srv/settings", policy, &["/srv/settings"]);
    let alone = r#"allow = ["fs:r:/srv/settings"]
        deny = ["fs:r:**/.env"]"#;
    check(
        &files,
        "/home/u/proj/.env /srv/settings",
        alone,
        &["/home/u/proj/.env", "/srv/settings"],
    );
}

#[test]
fn start_up_files_that_are_found_empty() {
    let files = ["/home/u/.bashrc", "/srv/u/.bashrc"];
    check(&files, "/home/u /srv/u", r#"allow = ["fs:r:@root/**"]"#, &["/srv/u/.bashrc"]);
}
