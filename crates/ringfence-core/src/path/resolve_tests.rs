use super::*;
use crate::host::MemoryHost;
use crate::path::{EntryKind, PathRules};

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// Returns the default host with these symbolic links.
fn host_with(links: &[(&str, &str)]) -> MemoryHost {
    let mut host = MemoryHost::new();
    for (link, target) in links {
        host.add_link(&path(link), target);
    }
    host
}

fn resolve_in(host: &MemoryHost, text: &str) -> Result<FilePath, BadPath> {
    resolve(host, text, &path("/home/u/proj"), &path("/home/u"))
}

fn check(host: &MemoryHost, text: &str, asked: &str, real: &str) {
    let file = resolve_in(host, text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((file.asked.as_str(), file.real.as_str()), (asked, real), "{text}");
}

fn check_fault(host: &MemoryHost, text: &str, is_expected: impl Fn(&PathFault) -> bool) {
    let error = resolve_in(host, text).unwrap_err();
    assert!(is_expected(error.fault()), "{text}: {error}");
}

#[test]
fn paths_without_links_are_normalised() {
    let host = MemoryHost::new();
    for (text, expected) in [
        ("/home/u/proj/../.ssh/id_rsa", "/home/u/.ssh/id_rsa"),
        ("/home/u/proj/src/../src/../../.ssh/id_rsa", "/home/u/.ssh/id_rsa"),
        ("/home/u/proj/./src/lib.rs", "/home/u/proj/src/lib.rs"),
        ("/home/u/proj/a..b.txt", "/home/u/proj/a..b.txt"),
        ("src/deep/new/dir/file.rs", "/home/u/proj/src/deep/new/dir/file.rs"),
        ("../.bashrc", "/home/u/.bashrc"),
        ("~/proj/src/main.rs", "/home/u/proj/src/main.rs"),
        ("~u/.ssh/id_rsa", "/home/u/.ssh/id_rsa"),
        ("$HOME/.ssh/id_rsa", "/home/u/.ssh/id_rsa"),
        ("file:///home/u/proj/..%2f.ssh/id_rsa", "/home/u/.ssh/id_rsa"),
        ("/home/u/proj/tmp/x.log/../../src/main.rs", "/home/u/proj/src/main.rs"),
        (".", "/home/u/proj"),
        ("../../../../../../..", "/"),
        ("//home//u/", "/home/u"),
    ] {
        check(&host, text, expected, expected);
    }
    let climbing = format!("/home/u/proj{}/etc/passwd", "/..".repeat(1300));
    check(&host, &climbing, "/etc/passwd", "/etc/passwd");
}

#[test]
fn links_are_followed_at_every_position() {
    let host = host_with(&[
        ("/tmp/innocent.txt", "/home/u/.ssh/id_rsa"),
        ("/home/u/proj/d", "/home/u/.ssh"),
        ("/home/u/proj/rel", "../.ssh/id_rsa"),
        ("/home/u/proj/one", "two"),
        ("/home/u/proj/two", "./sub/../three"),
        ("/home/u/proj/three", "/tmp/four/"),
        ("/tmp/four", "../home/u/other"),
        ("/home/u/proj/up", ".."),
        ("/home/u/proj/slash", "/"),
        ("/home/u/proj/gone", "/nowhere/at/all"),
    ]);
    for (text, asked, real) in [
        ("/tmp/innocent.txt", "/tmp/innocent.txt", "/home/u/.ssh/id_rsa"),
        ("d/x", "/home/u/proj/d/x", "/home/u/.ssh/x"),
        ("rel", "/home/u/proj/rel", "/home/u/.ssh/id_rsa"),
        ("one/x", "/home/u/proj/one/x", "/home/u/other/x"),
        ("up/.bashrc", "/home/u/proj/up/.bashrc", "/home/u/.bashrc"),
        ("slash/etc/passwd", "/home/u/proj/slash/etc/passwd", "/etc/passwd"),
        ("gone/x", "/home/u/proj/gone/x", "/nowhere/at/all/x"),
        ("/bin/sh", "/bin/sh", "/usr/bin/sh"),
        ("/lib64/x", "/lib64/x", "/usr/lib64/x"),
        ("missing/../d/x", "/home/u/proj/d/x", "/home/u/.ssh/x"),
    ] {
        check(&host, text, asked, real);
    }
}

#[test]
fn parent_of_a_link_is_refused_if_readings_differ() {
    let mut host = host_with(&[
        ("/home/u/proj/d", "/tmp/far"),
        ("/home/u/proj/near", "src"),
        ("/home/u/proj/secret", "/home/u/.ssh/id_rsa"),
    ]);
    host.add_dir(&path("/tmp/far"));
    // The kernel opens /tmp/secret. Tools that normalise the text first open the link beside `d`.
    check_fault(&host, "d/../secret", |fault| {
        let expected = (path("/tmp/secret"), path("/home/u/.ssh/id_rsa"));
        *fault == PathFault::Disputed(Box::new(expected))
    });
    check_fault(&host, "/home/u/proj/d/../.bashrc", |fault| {
        matches!(fault, PathFault::Disputed(_))
    });
    check(&host, "near/../x", "/home/u/proj/x", "/home/u/proj/x");
    check(&host, "/bin/../lib/x", "/lib/x", "/usr/lib/x");
}

#[test]
fn loops_and_long_chains_are_refused() {
    let host =
        host_with(&[("/a", "b"), ("/b", "/a"), ("/self", "self"), ("/in", "in/x"), ("/e", "")]);
    for text in ["/a", "/b/x", "/self", "/in", "/a/.."] {
        check_fault(&host, text, |fault| *fault == PathFault::Links);
    }
    check_fault(&host, "/e", |fault| *fault == PathFault::EmptyLink(path("/e")));
    let mut host = MemoryHost::new();
    for number in 0..41 {
        host.add_link(&path(&format!("/l{number}")), &format!("l{}", number + 1));
    }
    check(&host, "/l1", "/l1", "/l41");
    check_fault(&host, "/l0", |fault| *fault == PathFault::Links);
}

#[test]
fn a_final_link_is_followed_only_for_operations_on_its_target() {
    let host = host_with(&[("/home/u/proj/l", "/home/u/.ssh"), ("/home/u/proj/d", "/tmp")]);
    let parent = |text| {
        let (cwd, home) = (path("/home/u/proj"), path("/home/u"));
        let file = resolve_as(&host, text, &cwd, &home, Follow::Parent).unwrap();
        (file.real.to_string(), file.kind)
    };
    assert_eq!(parent("l"), ("/home/u/proj/l".to_owned(), Some(EntryKind::Link)));
    assert_eq!(parent("d/l"), ("/tmp/l".to_owned(), None));
    assert_eq!(parent("l/"), ("/home/u/.ssh".to_owned(), None));
    assert_eq!(parent("l/."), ("/home/u/.ssh".to_owned(), None));
    assert_eq!(parent("l/x"), ("/home/u/.ssh/x".to_owned(), None));
    assert_eq!(parent("."), ("/home/u/proj".to_owned(), Some(EntryKind::Dir)));
}

#[test]
fn known_proc_links_are_resolved() {
    let host = host_with(&[("/home/u/proj/p", "/proc/self/root"), ("/proc/mounts", "self/mounts")]);
    for (text, real) in [
        ("/proc/self/root/home/u/.ssh/id_rsa", "/home/u/.ssh/id_rsa"),
        ("/proc/self/root/proc/self/root/etc/passwd", "/etc/passwd"),
        ("/proc/thread-self/root/etc/passwd", "/etc/passwd"),
        ("/proc/self/task/123/root/etc/passwd", "/etc/passwd"),
        ("/proc/self/cwd/src/x", "/home/u/proj/src/x"),
        ("/proc/thread-self/cwd/x", "/home/u/proj/x"),
        ("p/home/u/.ssh/id_rsa", "/home/u/.ssh/id_rsa"),
        ("/proc/self/environ", "/proc/self/environ"),
        ("/proc/1/environ", "/proc/1/environ"),
        ("/proc/thread-self/environ", "/proc/self/task/self/environ"),
        ("/proc/mounts", "/proc/self/mounts"),
        ("/proc/cpuinfo", "/proc/cpuinfo"),
        ("/proc/self/fd/1", "/dev/stdout"),
        ("/dev/stdin", "/dev/stdin"),
        ("/dev/fd/3", "/dev/fd/3"),
        ("/dev/fd", "/dev/fd"),
        ("/dev/null", "/dev/null"),
        ("/proc/self/fd", "/proc/self/fd"),
        ("/proc/self/root", "/"),
    ] {
        assert_eq!(resolve_in(&host, text).unwrap().real.as_str(), real, "{text}");
    }
}

#[test]
fn unknown_proc_links_are_refused() {
    let host =
        host_with(&[("/home/u/proj/e", "/proc/self/exe"), ("/home/u/proj/f", "/dev/fd/3/x")]);
    for text in [
        "/proc/1/root/etc/passwd",
        "/proc/1/cwd/x",
        "/proc/4242/root",
        "/proc/self/exe",
        "/proc/self/fd/3",
        "/proc/self/fd/3/../x",
        "/proc/self/fd/0/x",
        "/proc/1/fd/1",
        "/proc/self/task/9/fd/5",
        "/proc/self/task/9/exe",
        "/proc/self/map_files/0-1",
        "/dev/fd/3/x",
        "/dev/stdin/x",
        "/proc/thread-self/fd/7",
        "e",
        "f",
    ] {
        check_fault(&host, text, |fault| matches!(fault, PathFault::Process(_)));
    }
    for text in
        ["/proc/self/cwd/../x", "/proc/thread-self/../../root/x", "/dev/fd/../root/etc/passwd"]
    {
        check_fault(&host, text, |fault| matches!(fault, PathFault::Disputed(_)));
    }
}

#[test]
fn texts_that_are_no_path_are_refused() {
    let host = MemoryHost::new();
    check_fault(&host, "", |fault| *fault == PathFault::Empty);
    check_fault(&host, "a\0b", |fault| *fault == PathFault::Nul);
    check_fault(&host, "file:///a%00b", |fault| matches!(fault, PathFault::Url(_)));
    check_fault(&host, &"a/".repeat(3000), |fault| *fault == PathFault::Long);
    check_fault(&host, &"a/".repeat(2045), |fault| *fault == PathFault::Long);
    check_fault(&host, &"a".repeat(256), |fault| *fault == PathFault::LongName);
    let host = host_with(&[("/home/u/proj/l", &"a".repeat(300)), ("/home/u/proj/n", "x\0y")]);
    check_fault(&host, "l", |fault| *fault == PathFault::LongName);
    check_fault(&host, "n", |fault| *fault == PathFault::Nul);
}

#[test]
fn paths_through_unreadable_entries_are_refused() {
    let mut host = MemoryHost::new();
    host.add_unreadable(&path("/root"), "permission denied");
    for text in ["/root", "/root/x", "/root/../etc"] {
        let error = resolve_in(&host, text).unwrap_err();
        let expected = format!("the path `{text}` stops at `/root`: permission denied");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn kind_and_link_count_are_reported() {
    let mut host = MemoryHost::new();
    host.add_file(&path("/home/u/proj/a"), "x");
    host.add_hard_link(&path("/home/u/proj/tmp/hard"), &path("/home/u/.bashrc"));
    host.add_link(&path("/home/u/proj/l"), "tmp/hard");
    let told = |text| {
        let file = resolve_in(&host, text).unwrap();
        (file.kind, file.links)
    };
    assert_eq!(told("a"), (Some(EntryKind::File), 1));
    assert_eq!(told("tmp/hard"), (Some(EntryKind::File), 2));
    assert_eq!(told("~/.bashrc"), (Some(EntryKind::File), 2));
    assert_eq!(told("l"), (Some(EntryKind::File), 2));
    assert_eq!(told("tmp"), (Some(EntryKind::Dir), 0));
    assert_eq!(told("b"), (None, 0));
    assert_eq!(told("/dev/null"), (Some(EntryKind::Other), 0));
    assert_eq!(told("/"), (Some(EntryKind::Dir), 0));
}

#[test]
fn literal_text_is_not_expanded() {
    let host = MemoryHost::new();
    for (text, real) in [
        ("~/x", "/home/u/proj/~/x"),
        ("$HOME", "/home/u/proj/$HOME"),
        ("file:///x", "/home/u/proj/file:/x"),
        (" x ", "/home/u/proj/ x "),
        ("a%2e%2e", "/home/u/proj/a%2e%2e"),
        ("a\\b", "/home/u/proj/a\\b"),
    ] {
        let file = resolve_literal(&host, text, &path("/home/u/proj"), Follow::Final).unwrap();
        assert_eq!(file.real.as_str(), real, "{text}");
    }
}

#[test]
fn macos_and_windows_rules_apply_to_resolution() {
    let mut host = MemoryHost::new();
    host.add_link(&path("/home/u/proj/Link"), "/home/u/.ssh");
    host.set_rules(PathRules::MACOS);
    check(&host, "LINK/x", "/home/u/proj/LINK/x", "/home/u/.ssh/x");
    host.set_rules(PathRules::WINDOWS);
    check(&host, "lInK\\id_rsa.", "/home/u/proj/lInK/id_rsa", "/home/u/.ssh/id_rsa");
    check(&host, ".git.\\hooks\\x ..", "/home/u/proj/.git/hooks/x", "/home/u/proj/.git/hooks/x");
    check(&host, "..\\.ssh\\id_rsa", "/home/u/.ssh/id_rsa", "/home/u/.ssh/id_rsa");
    check_fault(&host, "NUL", |fault| matches!(fault, PathFault::Device(_)));
    check_fault(&host, "a:stream", |fault| matches!(fault, PathFault::WindowsName(_)));
    check_fault(&host, "\\\\?\\C:\\x", |fault| *fault == PathFault::WindowsPrefix);
}

#[path = "resolve_laws.rs"]
mod laws;
