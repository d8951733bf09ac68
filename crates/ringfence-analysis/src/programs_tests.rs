use super::*;

#[test]
fn programs_are_known_with_and_without_a_version() {
    for (name, runs) in [
        ("bash", Some(Runs::Shell)),
        ("python", Some(Runs::Code)),
        ("python3.12", Some(Runs::Code)),
        ("npx", Some(Runs::Packages)),
        ("run0", Some(Runs::Privileged)),
        ("env", Some(Runs::Wrapped)),
        ("cargo", None),
        ("pythonic", None),
        ("", None),
    ] {
        assert_eq!(group_of(name).map(|group| group.runs), runs, "{name}");
    }
}

#[test]
fn every_name_stands_in_one_group() {
    let mut names: Vec<&str> = groups().iter().flat_map(|group| group.names()).copied().collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(is_shell("zsh") && !is_shell("busybox") && !is_shell("python"));
}
