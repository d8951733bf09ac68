use super::*;

#[test]
fn what_only_describes_a_project() {
    for filter in [
        ".version = \"1.2.3\"",
        ".version=$v",
        ".private = true | .name = \"x\"",
        ".engines.node = \">=20\"",
    ] {
        assert!(describes(filter), "{filter}");
    }
}

#[test]
fn what_may_do_more() {
    let filters = [
        "",
        ".",
        ".scripts.test = \"rm x\"",
        ".version = \"1\" | .scripts.test = \"rm x\"",
        ".version = (.scripts.test = \"x\")",
        ".version = \"\\(.x)\"",
        ".version, .scripts = 1",
        "del(.scripts)",
        ". += {\"scripts\": {}}",
        ".[\"scripts\"] = 1",
        ".dependencies.x = \"1\"",
        ".version |= . + \"x\"",
    ];
    for filter in filters {
        assert!(!describes(filter), "{filter}");
    }
}

#[test]
fn words_of_jq() {
    let read = |line: &str| filter_and_file(&line.split(' ').collect::<Vec<_>>()).is_some();
    assert!(read(".a=1 f"));
    assert!(read("--arg v 1 -S .a=$v f"));
    assert!(!read(".a=1"));
    assert!(!read(".a=1 f g"));
    assert!(!read("-f x f"));
    assert!(!read("--slurpfile x y .a f"));
}
