use super::*;
use crate::host::MemoryHost;

fn expand_in(host: &MemoryHost, text: &str) -> Result<String, PathFault> {
    expand(host, text, &AbsPath::new("/home/u").unwrap())
}

fn check(text: &str, expected: &str) {
    let mut host = MemoryHost::new();
    host.set_env("DATA", "/srv/data");
    assert_eq!(expand_in(&host, text).as_deref(), Ok(expected), "{text}");
}

fn check_refused(text: &str) {
    let mut host = MemoryHost::new();
    host.set_env("DATA", "/srv/data");
    host.set_env("EMPTY", "");
    host.set_env("lower", "/x");
    let read = expand_in(&host, text);
    assert!(read.is_err(), "{text:?} is read as {read:?}");
}

#[test]
fn homes_are_expanded() {
    check("~", "/home/u");
    check("~/", "/home/u/");
    check("~/.ssh/id_rsa", "/home/u/.ssh/id_rsa");
    check("~u/.ssh/id_rsa", "/home/u/.ssh/id_rsa");
    check("~root/x", "/root/x");
    check("~/Documents/../proj/../.bashrc", "/home/u/Documents/../proj/../.bashrc");
    check("./~/x", "./~/x");
    check("a~", "a~");
    check("/~/x", "/~/x");
}

#[test]
fn variables_at_the_start_are_expanded() {
    check("$HOME/.ssh", "/home/u/.ssh");
    check("${HOME}/.ssh", "/home/u/.ssh");
    check("$DATA", "/srv/data");
    check("${DATA}2/x", "/srv/data2/x");
    let mut host = MemoryHost::new();
    host.unset_env("HOME");
    assert_eq!(expand_in(&host, "$HOME/x").as_deref(), Ok("/home/u/x"));
}

#[test]
fn a_dollar_sign_inside_a_name_is_plain() {
    for text in [
        "src/routes/$id.tsx",
        "Outer$Inner.class",
        "a$",
        "a$1",
        "$",
        "$1/x",
        "a$/b",
        "p/$RECYCLE$x/$y",
    ] {
        if text.contains("RECYCLE") {
            check_refused(text);
        } else {
            check(text, text);
        }
    }
}

#[test]
fn expansions_that_could_lead_outside_are_refused() {
    for text in [
        "~nobody/x",
        "~+/x",
        "~-",
        "~1",
        "$UNSET/x",
        "${UNSET}/x",
        "$EMPTY/etc/passwd",
        "${DATA",
        "${}/x",
        "${DATA:-/etc}/x",
        "${!DATA}",
        "/home/u/proj/$DATA/x",
        "/home/u/proj/${x}",
        "a/$UNSET",
        "a/$x/../../b",
        "a/$lower/b",
        "~/../v/x",
        "~u/../../etc",
        "$HOME/..",
        "$DATA/a/../../x",
        "~/$HOME/x",
        "$(id)/x",
        "a/`id`",
        " /etc/passwd",
        "/etc/passwd ",
        "\t~/.ssh",
        "\u{a0}~/.ssh",
        "/x\n",
        " ",
    ] {
        check_refused(text);
    }
}

#[test]
fn file_urls_are_expanded() {
    check("file:///home/u/.ssh/id_rsa", "/home/u/.ssh/id_rsa");
    check("FILE:/etc/passwd", "/etc/passwd");
    check("file:///p/..%2f.ssh", "/p/../.ssh");
    check("./file:x", "./file:x");
    check("file", "file");
    for text in
        ["file:x", "file://host/x", "file:~/x", "file:///a%00", "file:///%252e%252e/x", "file:"]
    {
        check_refused(text);
    }
}

#[test]
fn percent_encoded_climbing_is_refused() {
    for text in ["100%", "a%20b", "@types%2fnode", "a%2e%2eb", "50%25", "%zz/x"] {
        check(text, text);
    }
    for text in [
        "..%2f.ssh/id_rsa",
        "/home/u/proj/%2e%2e/.ssh",
        "/p/%2e./x",
        "a/..%5cb",
        "%252e%252e/x",
        "100%/%2e%2e/x",
        "a%00.txt",
        "%c0%ae%c0%ae/x",
        "%25252e%25252e/x",
        "%2525252525252e/x",
    ] {
        check_refused(text);
    }
}

#[test]
fn windows_variables_are_refused() {
    let mut host = MemoryHost::new();
    host.set_rules(PathRules::WINDOWS);
    assert!(expand_in(&host, "%USERPROFILE%\\.ssh").is_err());
    assert_eq!(expand_in(&host, "~\\x").as_deref(), Ok("/home/u\\x"));
    assert!(expand_in(&host, "~\\..\\x").is_err());
}
