//! Granted directories of the home directory that are not there yet.

use super::*;

/// What is made, and the trees in the home directory.
fn check(files: &[&str], policy: &str, lists: bool, made: &[&str], trees: &[&str]) {
    let plan = make(&host(files), documents(policy), lists).files;
    let shown: Vec<&str> = plan.made.iter().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(shown, made, "{policy}");
    let of_home = plan.trees.iter().filter(|own| own.path.starts_with("/home/u"));
    let of_home = of_home.filter(|own| !own.path.starts_with("/home/u/proj"));
    let shown: Vec<String> =
        of_home.map(|own| format!("{} {}", own.rights, own.path.display())).collect();
    assert_eq!(shown, trees, "{policy}");
}

const CACHE: &str = r#"allow = ["fs:rw:~/.cache/tool/**"]"#;

#[test]
fn a_granted_directory_is_made() {
    let (made, trees) = (["/home/u/.cache/tool"], ["rwdx- /home/u/.cache/tool"]);
    check(&["/home/u/proj/", "/home/u/.cache/"], CACHE, false, &made, &trees);
    check(&["/home/u/proj/"], CACHE, false, &made, &trees);
    check(&["/home/u/proj/", "/home/u/.cache/tool/x"], CACHE, false, &made, &trees);
}

#[test]
fn nothing_is_made_behind_a_link_or_in_place_of_a_file() {
    check(&["/home/u/proj/", "/home/u/.cache"], CACHE, false, &[], &[]);
    let file = ["r--x- /home/u/.cache/tool"];
    check(&["/home/u/proj/", "/home/u/.cache/tool"], CACHE, false, &[], &file);
    let mut host = host(&["/home/u/proj/", "/srv/"]);
    host.add_link(&path("/home/u/.cache"), "/srv");
    let plan = make(&host, documents(CACHE), false).files;
    assert!(plan.made.iter().all(|own| !own.starts_with("/home/u")), "{:?}", plan.made);
    assert!(plan.made.is_empty(), "the home directory alone is looked at: {:?}", plan.made);
}

#[test]
fn nothing_is_made_for_who_only_reads_asks_or_has_some_names() {
    for rule in [
        r#"allow = ["fs:r:~/.cache/tool/**"]"#,
        r#"ask = ["fs:rw:~/.cache/tool/**"]"#,
        r#"allow = ["fs:rw:~/.cache/tool/*.json"]"#,
        r#"allow = ["fs:d:~/.cache/tool/**"]"#,
    ] {
        check(&["/home/u/proj/"], rule, false, &[], &[]);
    }
}

#[test]
fn nothing_is_made_that_a_rule_stands_against() {
    for deny in ["fs:w:~/.cache", "fs:w:~/.cache/tool", "fs:w:~/.cache/**", "fs:rw:**/tool/**"] {
        let policy = format!("{CACHE}\ndeny = [\"{deny}\"]");
        check(&["/home/u/proj/"], &policy, false, &[], &[]);
    }
    check(&["/home/u/proj/"], r#"allow = ["fs:rw:~/.ssh/**"]"#, true, &[], &[]);
}

#[test]
fn in_the_project_and_elsewhere_nothing_is_made() {
    let policy = r#"allow = ["fs:rw:@root/vendor/**", "fs:rw:/srv/data/**", "fs:rw:~/**"]"#;
    check(&["/home/u/proj/", "/srv/"], policy, false, &[], &["rwdx- /home/u"]);
}

#[test]
fn what_the_run_can_make_by_itself_is_left_to_it() {
    let policy = r#"allow = ["fs:rw:~/work/**", "fs:rw:~/work/out/**"]"#;
    check(
        &["/home/u/proj/", "/home/u/work/"],
        policy,
        false,
        &["/home/u/work"],
        &["rwdx- /home/u/work"],
    );
}

#[test]
fn what_others_put_there_is_hidden() {
    let policy = format!("{CACHE}\ndeny = [\"fs:r:**/.env\"]");
    let plan = make(&host(&["/home/u/proj/"]), documents(&policy), false).files;
    assert_eq!(plan.judged, Judged::Hiding, "{plan:?}");
}
