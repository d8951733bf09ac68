use super::*;

fn users(text: &[u8]) -> Users {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    Users::read(file.path())
}

#[test]
fn lines_of_the_database_are_read_and_odd_ones_passed_over() {
    let users = users(
        b"root:x:0:0:root:/root:/bin/bash\n\
          # comment\n\
          +::::::\n\
          -eve::::::\n\
          short:x:7\n\
          nan:x:many:0::/home/nan:/bin/sh\n\
          relative:x:8:8::home/relative:/bin/sh\n\
          bad\xff:x:9:9::/home/bad:/bin/sh\n\
          ana:x:1000:1000:Ana,,,:/home/./ana/:/bin/zsh\n\
          admin:x:0:0::/root:/bin/sh\n\
          last:x:1001:1001::/home/last:/bin/sh",
    );
    let names: Vec<&str> = users.0.iter().map(|user| &*user.name).collect();
    assert_eq!(names, ["root", "ana", "admin", "last"]);
    assert_eq!(users.by_uid(0).map(|user| &*user.name), Some("root"));
    assert_eq!(users.by_name("ana").map(|user| user.home.as_str()), Some("/home/ana"));
    assert_eq!(users.by_name("eve"), None);
    let homes: Vec<String> = users.homes().iter().map(ToString::to_string).collect();
    assert_eq!(homes, ["/home/ana", "/home/last", "/root"]);
}

#[test]
fn a_database_that_cannot_be_read_has_no_users() {
    assert!(Users::read(Path::new("/nonexistent/passwd")).0.is_empty());
    assert!(Users::read(Path::new("/")).0.is_empty());
}

#[test]
fn the_file_and_the_systems_lookup_agree_on_this_machine() {
    let users = Users::read(Path::new("/etc/passwd"));
    let uid = rustix::process::getuid().as_raw();
    if let Some(user) = users.by_uid(uid) {
        assert_eq!(look_up_uid(uid).as_ref(), Some(user));
        assert_eq!(look_up_name(&user.name).as_ref(), users.by_name(&user.name));
    }
}

#[test]
fn malformed_user_names_are_not_looked_up() {
    for name in ["", "a/b", "a\0b", "a:b", "a b", &"a".repeat(300), "no-such-user-here"] {
        assert_eq!(look_up_name(name), None, "{name}");
    }
}
