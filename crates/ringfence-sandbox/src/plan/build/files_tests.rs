//! Trees, masks and private directories, case by case.

use std::path::PathBuf;

use std::path::Path;

use super::*;

/// Documents by which every program may be started, so that all that is hidden is covered.
fn free(policy: &str) -> Vec<Document> {
    let mut all = documents(policy);
    all.extend(documents(r#"allow = ["cmd:*"]"#));
    all
}

/// The trees of a policy without what is always there, the masks, and what is judged.
#[track_caller]
fn check(files: &[&str], policy: &str, trees: &[&str], masks: &[&str], judged: Judged) {
    let plan = make(&host(files), free(policy), false).files;
    let is_always = |path: &Path| always().any(|(own, ..)| Path::new(own) == path);
    let shown = plan.trees.iter().filter(|own| !is_always(&own.path));
    let shown: Vec<String> =
        shown.map(|own| format!("{} {}", own.rights, own.path.display())).collect();
    assert_eq!(shown, trees, "{policy}");
    let shown: Vec<&str> = plan.masks.iter().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(shown, masks, "{policy}");
    assert_eq!(plan.judged, judged, "{policy}");
}

#[test]
fn openings_are_judged_where_others_can_put_what_is_denied() {
    let judged = |policy: &str| make(&host(&[]), documents(policy), false).files.judged;
    let denied = |pattern: &str| {
        judged(&format!("allow = [\"fs:r:@root/**\"]\ndeny = [\"fs:r:{pattern}\"]"))
    };
    assert_eq!(denied("**/.env"), Judged::Hiding);
    assert_eq!(denied("@root/keys/**"), Judged::Hiding);
    // Nothing can be put there that is read and denied.
    assert_eq!(denied("~/.ssh/**"), Judged::Nothing);
    assert_eq!(judged("deny = [\"fs:r:**/.env\"]"), Judged::Nothing);
}

#[test]
fn what_came_with_packages_is_not_looked_at_unless_a_rule_speaks_of_it() {
    let passes = |deny: &str| {
        let policy = format!("allow = [\"fs:r:@root/**\"]\ndeny = [\"fs:r:**/.env\", \"{deny}\"]");
        let files = ["/usr/lib/x", "/usr/local/bin/x"];
        let plan = make(&host(&files), documents(&policy), false).files;
        assert!(!plan.passed.iter().any(|own| own.starts_with("/usr/local")), "{plan:?}");
        plan.passed.contains(&PathBuf::from("/usr/lib"))
    };
    assert!(passes("fs:r:**/*.pem"));
    assert!(!passes("fs:r:/usr/lib/private/**"));
}

#[test]
fn a_granted_tree_is_a_tree_and_nothing_is_looked_at() {
    let policy = r#"allow = ["fs:rw:@root/**"]"#;
    check(&["/home/u/proj/a"], policy, &["rwdx- /home/u/proj"], &[], Judged::Nothing);
}

#[test]
fn deleting_is_apart_from_writing() {
    let policy = r#"
        allow = ["fs:rw:@root/**"]
        deny = ["fs:d:@root/**"]
    "#;
    check(&[], policy, &["rw-x- /home/u/proj"], &[], Judged::Changes);
    let policy = r#"allow = ["fs:r:@root/**", "fs:d:@root/**"]"#;
    check(&[], policy, &["r-dx- /home/u/proj"], &[], Judged::Nothing);
}

#[test]
fn what_is_denied_inside_is_masked_as_high_as_it_can_be() {
    let files = ["/home/u/proj/a/.env", "/home/u/proj/keys/x/y", "/home/u/proj/keys/z"];
    let policy = r#"
        allow = ["fs:r:@root/**"]
        deny = ["fs:r:**/.env", "fs:r:@root/keys/**"]
    "#;
    let masks = ["/home/u/proj/a/.env", "/home/u/proj/keys"];
    check(&files, policy, &["r--x- /home/u/proj"], &masks, Judged::Hiding);
}

#[test]
fn nothing_is_looked_for_where_a_rule_leaves_out_the_whole_tree() {
    let files = ["/home/u/proj/vendor/a.pem", "/home/u/proj/own/a.pem", "/srv/a.pem"];
    let policy = r#"
        allow = ["fs:r:@root/**", "fs:r:/srv/**"]
        deny = [{ pattern = "fs:r:**/*.pem", except = ["@root/vendor/**", "/srv/**"] }]
    "#;
    let trees = ["r--x- /home/u/proj", "r--x- /srv"];
    check(&files, policy, &trees, &["/home/u/proj/own/a.pem"], Judged::Hiding);
}

#[test]
fn an_exception_stays_visible() {
    let files = ["/home/u/proj/.env.local", "/home/u/proj/.env.example"];
    let policy = r#"
        allow = ["fs:r:@root/**"]
        deny = [{ pattern = "fs:r:**/.env*", except = ["**/.env.example"] }]
    "#;
    let masks = ["/home/u/proj/.env.local"];
    check(&files, policy, &["r--x- /home/u/proj"], &masks, Judged::Hiding);
}

#[test]
fn a_ceiling_narrows_the_trees() {
    let policy = r#"
        allow = ["fs:rw:**"]
        ceiling = ["fs:r:@root/**", "fs:rw:@root/src/**"]
    "#;
    let trees = ["r--x- /home/u/proj", "rwdx- /home/u/proj/src"];
    check(&["/home/u/proj/src/a"], policy, &trees, &[], Judged::Changes);
}

#[test]
fn files_of_a_shape_are_granted_one_by_one_where_nothing_is_made() {
    let files = ["/home/u/proj/a.md", "/home/u/proj/b.rs", "/home/u/proj/d/c.md"];
    let trees = ["r--x- /home/u/proj/a.md", "r--x- /home/u/proj/d/c.md"];
    check(&files, r#"allow = ["fs:r:@root/**/*.md"]"#, &trees, &[], Judged::Nothing);
}

#[test]
fn files_of_a_shape_that_are_made_inside_are_judged_when_opened() {
    let policy = r#"allow = ["fs:rw:@root/**/*.md"]"#;
    check(&["/home/u/proj/a.md"], policy, &["rwdx- /home/u/proj"], &[], Judged::Openings);
}

#[test]
fn a_file_that_may_be_replaced_is_judged_when_opened() {
    let policy = r#"allow = ["fs:rw:~/.tool.json"]"#;
    check(&["/home/u/.tool.json"], policy, &["rwdx- /home/u"], &[], Judged::Openings);
}

#[test]
fn what_is_asked_about_cannot_be_read() {
    let files = ["/home/u/proj/mail/a", "/home/u/proj/b"];
    let policy = r#"
        allow = ["fs:r:@root/**"]
        ask = ["fs:r:@root/mail/**"]
    "#;
    check(&files, policy, &["r--x- /home/u/proj"], &["/home/u/proj/mail"], Judged::Hiding);
}

#[test]
fn a_link_is_neither_followed_nor_bound_to() {
    let mut host = host(&["/srv/secret/.env", "/home/u/proj/a"]);
    host.add_link(&path("/home/u/proj/out"), "/srv");
    let policy = r#"
        allow = ["fs:r:@root/**", "fs:r:@root/out/**"]
        deny = ["fs:r:**/.env"]
    "#;
    let plan = make(&host, documents(policy), false).files;
    assert!(plan.trees.iter().all(|own| !own.path.starts_with("/srv")));
    assert!(plan.trees.iter().all(|own| own.path != Path::new("/home/u/proj/out")));
    assert_eq!(plan.masks, Vec::<PathBuf>::new());
}

#[test]
fn further_names_of_a_masked_file_are_masked() {
    let mut host = host(&["/home/u/proj/.env", "/home/u/proj/other"]);
    host.add_hard_link(&path("/home/u/proj/sub/plain"), &path("/home/u/proj/.env"));
    let policy = "allow = [\"fs:r:@root/**\"]\ndeny = [\"fs:r:**/.env\"]";
    let plan = make(&host, free(policy), false).files;
    let expected = ["/home/u/proj/.env", "/home/u/proj/sub/plain"].map(PathBuf::from);
    assert_eq!(plan.masks, expected);
    // Where starts are judged, it is judged by its names when it is opened.
    assert_eq!(make(&host, documents(policy), false).files.masks, Vec::<PathBuf>::new());
}

#[test]
fn directories_for_temporary_files_are_private_unless_granted() {
    let private = |policy: &str| {
        let plan = make(&host(&[]), documents(policy), false);
        let shown = plan.files.private.iter().map(|path| path.to_str().unwrap().to_owned());
        shown.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(private(""), "/tmp /var/tmp /dev/shm");
    assert_eq!(private(r#"allow = ["fs:rw:/tmp/**"]"#), "/var/tmp /dev/shm");
    assert_eq!(private(r#"allow = ["fs:rw:@tmp/**"]"#), "/tmp /var/tmp /dev/shm");
    assert_eq!(private(r#"allow = ["fs:r:/**"]"#), "/tmp /var/tmp /dev/shm");
    assert_eq!(private(r#"allow = ["fs:rw:/**"]"#), "");
}

#[test]
fn what_every_rule_leaves_out_is_not_masked_and_not_remembered() {
    let files = ["/opt/tool/test/a.pem", "/opt/tool/own.pem", "/opt/tool/test/.env.pem"];
    let policy = r#"
        allow = ["fs:r:/opt/**"]
        deny = [{ pattern = "fs:r:**/*.pem", except = ["/opt/*/test/**"] }, "fs:r:**/.env*"]
    "#;
    let plan = make(&host(&files), free(policy), false).files;
    let masks: Vec<&str> = plan.masks.iter().filter_map(|path| path.to_str()).collect();
    assert_eq!(masks, ["/opt/tool/own.pem", "/opt/tool/test/.env.pem"]);
}

/// What is covered where every start is judged.
#[track_caller]
fn check_gated(files: &[&str], policy: &str, masks: &[&str]) {
    let plan = make(&host(files), documents(policy), false);
    assert_eq!((plan.exec, plan.files.judged), (ExecPlan::Gated, Judged::Hiding), "{policy}");
    let shown: Vec<&str> = plan.files.masks.iter().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(shown, masks, "{policy}");
}

#[test]
fn where_starts_are_judged_only_what_a_rule_names_by_its_path_is_covered() {
    let files =
        ["/home/u/proj/.env", "/home/u/proj/keys/x", "/home/u/proj/a/b", "/home/u/proj/m/x"];
    let policy = r#"
        allow = ["fs:r:@root/**"]
        ask = ["fs:r:@root/m/**"]
        deny = ["fs:r:**/.env", "fs:r:@root/keys/**", "fs:r:@root/a/b", "fs:r:@root/a/**/c"]
    "#;
    check_gated(&files, policy, &["/home/u/proj/a/b", "/home/u/proj/keys"]);
}

#[test]
fn what_lies_where_openings_pass_is_covered_however_it_is_granted() {
    let files = ["/usr/lib/x/.env", "/usr/local/x/.env", "/etc/x/.env", "/srv/x/.env"];
    let deny = "deny = [\"fs:r:**/.env\"]";
    let policy = format!("allow = [\"fs:r:@root/**\", \"fs:r:@system/**\"]\n{deny}");
    check_gated(&files, &policy, &["/etc/x/.env", "/usr/lib/x/.env", "/usr/local/x/.env"]);
    // The tree that is read is not looked through, but what passes inside of it is.
    let policy = format!("allow = [\"fs:r:/**\"]\n{deny}");
    let plan = make(&host(&files), documents(&policy), false).files;
    assert_eq!(plan.masks, [PathBuf::from("/usr/lib/x/.env")]);
    let passes = |path: &str| plan.passed.iter().any(|own| Path::new(path).starts_with(own));
    assert!(passes("/usr/lib/x/.env"));
    assert!(!files[1..].iter().any(|path| passes(path)), "{:?}", plan.passed);
}

#[test]
fn no_directory_of_the_project_is_listed_where_starts_are_judged() {
    let host = host(&["/home/u/proj/a/.env", "/home/u/proj/keys/x", "/usr/lib/x"]);
    let listed = Listing(&host, RefCell::default());
    let text = "allow = [\"fs:rw:@root/**\"]\ndeny = [\"fs:r:**/.env\", \"fs:r:@root/*/keys/**\"]";
    let context = context();
    let policy = Policy::compile(documents(text), Vec::new(), &context, &host).unwrap();
    Plan::make(&Wanted { lister: &listed, ..wanted(&policy, &context, &host) });
    let all = listed.1.into_inner();
    assert!(all.iter().any(|own| own.starts_with("/usr")), "{all:?}");
    assert!(!all.iter().any(|own| own.starts_with("/home")), "{all:?}");
}

/// Writes down which directories are listed.
struct Listing<'a>(&'a MemoryHost, RefCell<Vec<PathBuf>>);

impl Lister for Listing<'_> {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        self.1.borrow_mut().push(directory.to_owned());
        Lister::list(self.0, directory)
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        self.0.shared(path)
    }

    fn mounts(&self) -> Option<crate::plan::Mounts> {
        Lister::mounts(self.0)
    }

    fn counts_processes(&self) -> bool {
        true
    }
}
