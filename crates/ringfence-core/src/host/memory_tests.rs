use super::*;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

#[test]
fn the_default_host_has_the_usual_files_and_variables() {
    let host = MemoryHost::new();
    assert_eq!(host.entry(&path("/home/u/proj")), FileEntry::Dir);
    assert_eq!(host.entry(&path("/home/u/.ssh")), FileEntry::Missing);
    assert_eq!(host.entry(&path("/bin")), FileEntry::Link("usr/bin".into()));
    assert_eq!(host.entry(&path("/dev/null")), FileEntry::Other);
    assert_eq!(host.home_of("u"), Some(path("/home/u")));
    assert_eq!(host.home_of("v"), None);
    assert_eq!(host.env("HOME").as_deref(), Some("/home/u"));
    assert_eq!(host.path_rules(), PathRules::LINUX);
}

#[test]
fn entries_added_through_links_lie_at_the_target_in_any_order() {
    let (link, file) = (path("/home/u/proj/d"), path("/home/u/proj/d/x"));
    let mut link_first = MemoryHost::new();
    link_first.add_link(&link, "/home/u/.ssh");
    link_first.add_file(&file, "key");
    let mut file_first = MemoryHost::new();
    file_first.add_file(&file, "key");
    file_first.add_link(&link, "/home/u/.ssh");
    for host in [link_first, file_first] {
        assert_eq!(host.entry(&link), FileEntry::Link("/home/u/.ssh".into()));
        assert_eq!(host.entry(&file), FileEntry::Missing);
        assert_eq!(host.entry(&path("/home/u/.ssh/x")), FileEntry::File { links: 1 });
        assert_eq!(host.read(&path("/home/u/.ssh/x"), 10), Ok(b"key".to_vec()));
    }
}

#[test]
fn a_file_at_a_link_lies_at_its_target() {
    let mut host = MemoryHost::new();
    host.add_file(&path("/tmp/l"), "a");
    host.add_link(&path("/tmp/l"), "t");
    assert_eq!(host.entry(&path("/tmp/l")), FileEntry::Link("t".into()));
    assert_eq!(host.read(&path("/tmp/t"), 1), Ok(b"a".to_vec()));
}

#[test]
fn hard_links_are_counted_and_share_their_content() {
    let mut host = MemoryHost::new();
    host.add_file(&path("/a"), "x");
    host.add_hard_link(&path("/b"), &path("/a"));
    host.add_hard_link(&path("/c"), &path("/b"));
    for name in ["/a", "/b", "/c"] {
        assert_eq!(host.entry(&path(name)), FileEntry::File { links: 3 }, "{name}");
        assert_eq!(host.read(&path(name), 1), Ok(b"x".to_vec()), "{name}");
    }
}

#[test]
fn reading_is_limited() {
    let mut host = MemoryHost::new();
    host.add_file(&path("/a"), "xyz");
    assert_eq!(host.read(&path("/a"), 3), Ok(b"xyz".to_vec()));
    assert!(host.read(&path("/a"), 2).is_err());
    assert!(host.read(&path("/b"), 2).is_err());
    assert!(host.read(&path("/home"), 2).is_err());
}

#[test]
fn directories_list_their_own_names() {
    let mut host = MemoryHost::bare();
    for file in ["/d/B", "/d/a/x", "/d-e/y", "/d/c"] {
        host.add_file(&path(file), "");
    }
    let list = |host: &MemoryHost, text| {
        let mut names = host.list(&path(text))?;
        names.sort();
        Some(names.join(" "))
    };
    assert_eq!(list(&host, "/d").as_deref(), Some("B a c"));
    assert_eq!(list(&host, "/").as_deref(), Some("d d-e"));
    assert_eq!(list(&host, "/d/c"), None);
    assert_eq!(list(&host, "/gone"), None);
    host.set_rules(PathRules::MACOS);
    assert_eq!(list(&host, "/D").as_deref(), Some("B a c"));
    assert_eq!(host.entry(&path("/D/b")), FileEntry::File { links: 1 });
}

#[test]
fn programs_are_found_as_the_shell_finds_them() {
    let mut host = MemoryHost::new();
    host.add_file(&path("/usr/local/bin/node"), "");
    host.add_file(&path("/bin/tool"), "");
    host.add_file(&path("/tmp/g/git"), "");
    host.add_dir(&path("/usr/local/bin/dir"));
    for (name, file) in [
        ("node", "/usr/local/bin/node"),
        ("tool", "/usr/bin/tool"),
        ("git", "/usr/bin/git"),
        ("dir", "/usr/bin/dir"),
    ] {
        assert_eq!(host.find_program(name), Some(path(file)), "{name}");
    }
    for name in ["", ".", "..", "./git", "/usr/bin/git", "a\0"] {
        assert_eq!(host.find_program(name), None, "{name}");
    }
}

#[test]
fn host_names_resolve_through_aliases() {
    let mut host = MemoryHost::new();
    for (name, answer) in [
        ("x.github.com", "CNAME internal.corp"),
        ("x.github.com", "10.0.0.5"),
        ("internal.corp", "a ::ffff:10.0.0.6"),
        ("loop.example", "CNAME loop.example."),
        ("Meta.example", "cname metadata.google.internal"),
        ("local.example", "localhost"),
    ] {
        host.add_answer(name, answer).unwrap();
    }
    let addresses = |name: &str| {
        let addresses = host.addresses(&HostName::parse(name).unwrap())?;
        Some(addresses.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(addresses("x.github.com").as_deref(), Some("10.0.0.5 ::ffff:10.0.0.6"));
    assert_eq!(addresses("loop.example").as_deref(), Some(""));
    assert_eq!(addresses("meta.example.").as_deref(), Some("169.254.169.254"));
    assert_eq!(addresses("local.example").as_deref(), Some("127.0.0.1"));
    assert_eq!(addresses("other.example"), None);
    assert_eq!(addresses("0x7f.1").as_deref(), Some("127.0.0.1"));
    assert!(host.add_answer("x", "not a host").is_err());
    assert!(host.add_answer("a b", "1.1.1.1").is_err());
}

#[test]
fn registries_have_default_hosts_unless_set() {
    let mut host = MemoryHost::new();
    assert_eq!(host.registry_hosts("npm"), [Box::from("registry.npmjs.org")]);
    host.set_registry("npm", vec!["npm.acme.example".into()]);
    assert_eq!(host.registry_hosts("npm"), [Box::from("npm.acme.example")]);
    assert!(host.registry_hosts("nowhere").is_empty());
    for registry in ["npm", "pypi", "crates", "go", "maven", "debian"] {
        for name in host.registry_hosts(registry) {
            assert!(HostName::parse(&name).is_ok(), "{name}");
        }
    }
}
