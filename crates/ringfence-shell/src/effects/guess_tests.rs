use super::{names_program, paths_in, started};

fn paths(text: &str) -> Vec<&str> {
    paths_in(text).collect()
}

#[test]
fn paths_behind_other_characters_are_found() {
    assert_eq!(paths("--extra-opts=@/etc/shadow"), ["/etc/shadow"]);
    assert_eq!(paths("man:/home/u/x"), ["/home/u/x"]);
    assert_eq!(paths("{/home/u/x}"), ["/home/u/x"]);
    assert_eq!(paths("read('~/.ssh/id_rsa')"), ["~/.ssh/id_rsa"]);
    assert_eq!(paths("Include ../../x y"), ["../../x"]);
    assert_eq!(paths("a=/b,c=/d"), ["/b", "/d"]);
}

#[test]
fn what_only_has_slashes_is_no_path() {
    for text in [
        "application/json",
        "s/a/b/",
        "https://x.example/a",
        "a / b",
        "1/2",
        "//div/a",
        "a..b",
        "(.)",
    ] {
        assert_eq!(paths(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn functions_that_start_programs_are_found() {
    for text in ["system(\"x\")", "x; exec 'y'", "(ext:run-shell-command \"x\")", "os.popen(x)"] {
        assert!(started(text).is_some(), "{text}");
    }
    for text in [
        "fix the file system (ext4)",
        "execution(1)",
        "systems(1)",
        "describe exec",
        "the system 'x'",
    ] {
        assert!(started(text).is_none(), "{text}");
    }
}

#[test]
fn options_are_known_by_their_names() {
    assert!(
        ["--rsh", "--pre-exec", "--shell-command", "--addon-python"].into_iter().all(names_program)
    );
    assert!(!["--shells", "-rsh", "--no-shell", "--format"].into_iter().any(names_program));
}
