use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use super::*;

#[test]
fn servers_are_listed_by_name() {
    let listed =
        parse("[servers.b]\ncommand = [\"y\"]\n[servers.a]\ncommand = [\"x\", \"1\"]\n", &|_| None)
            .unwrap();
    let own = |listed: &Listed| match &listed.place {
        Place::Here(words) => (listed.name.clone(), words.clone()),
        Place::There(..) => panic!("{listed:?}"),
    };
    let wanted = |name: &str, words: &[&str]| {
        (name.to_owned(), words.iter().map(OsString::from).collect::<Vec<_>>())
    };
    let listed: Vec<_> = listed.iter().map(own).collect();
    assert_eq!(listed, [wanted("a", &["x", "1"]), wanted("b", &["y"])]);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (text, reason) in [
        ("", "servers"),
        ("[servers]\n", "lists no server"),
        ("[servers.a]\n", "command"),
        ("[servers.a]\ncommand = []\n", "no `command`"),
        ("[servers.a]\nurl = \"ftp://a.example\"\n", "http"),
        ("[servers.a]\nurl = \"http://a.example\"\ncommand = [\"x\"]\n", "and a `url`"),
        ("[servers.a]\ncommand = [\"x\"]\nheaders = { A = \"b\" }\n", "`headers`"),
        ("[servers.a]\nurl = \"http://a.example\"\nheaders = { Host = \"b\" }\n", "gateway's own"),
        (
            "[servers.a]\nurl = \"http://a.example\"\nheaders = { A = \"${RF_NOT_SET}\" }\n",
            "`RF_NOT_SET` is not set",
        ),
        ("[servers.a__b]\ncommand = [\"x\"]\n", "no name"),
        ("[servers.a_]\ncommand = [\"x\"]\n", "ends with"),
        ("[servers.a]\ncommand = [\"x\"]\nportt = 1\n", "portt"),
    ] {
        let failure = parse(text, &|_| None).unwrap_err();
        assert!(failure.message.contains(reason), "{text}: {failure}");
    }
}

#[test]
fn headers_take_what_variables_say() {
    let value = &|name: &str| (name == "TOKEN").then(|| "t${o}k".to_owned());
    assert_eq!(filled("Bearer ${TOKEN}!", value).unwrap(), "Bearer t${o}k!");
    assert_eq!(filled("plain $x {y}", value).unwrap(), "plain $x {y}");
    assert!(filled("${OTHER}", value).unwrap_err().contains("`OTHER`"));
    assert!(filled("${TOKEN", value).unwrap_err().contains("closed"));
}

#[test]
fn the_example_of_the_reference_can_be_read() {
    let page = include_str!("../../../../../docs/reference/mcp.md");
    let (_, example) = page.split_once("```text\n[servers.files]").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let token = |name: &str| (name == "SEARCH_TOKEN").then(|| "t0ken".to_owned());
    let listed = parse(&format!("[servers.files]{example}"), &token).unwrap();
    let [files, search] = &listed[..] else { panic!("{listed:?}") };
    assert!(matches!(&files.place, Place::Here(words) if words[0] == "npx"));
    let Place::There(_, head) = &search.place else { panic!("{search:?}") };
    assert_eq!(head["authorization"], "Bearer t0ken");
    assert!(!format!("{listed:?}").contains("t0ken"));
}

#[test]
fn in_a_project_no_link_is_followed() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path().canonicalize().unwrap();
    let (root, text) = (top.join("proj"), "[servers.a]\ncommand = [\"x\"]\n");
    fs::create_dir_all(root.join("sub")).unwrap();
    fs::create_dir_all(top.join("other")).unwrap();
    fs::write(top.join("other/gateway.toml"), text).unwrap();
    fs::write(root.join("sub/gateway.toml"), text).unwrap();
    symlink(top.join("other/gateway.toml"), root.join("link.toml")).unwrap();
    symlink(top.join("other"), root.join("away")).unwrap();
    symlink(&root, top.join("alias")).unwrap();
    let read = |path: PathBuf, root: Option<&Path>| read(&path, root).map(|own| own.len());
    assert_eq!(read(root.join("sub/gateway.toml"), Some(&root)).unwrap(), 1);
    assert_eq!(read(top.join("alias/sub/gateway.toml"), Some(&root)).unwrap(), 1);
    assert_eq!(read(root.join("link.toml"), None).unwrap(), 1);
    assert_eq!(read(top.join("other/gateway.toml"), Some(&root)).unwrap(), 1);
    for path in ["proj/link.toml", "proj/away/gateway.toml", "alias/link.toml"] {
        let failure = read(top.join(path), Some(&root)).unwrap_err();
        assert!(failure.message.contains("link"), "{path}: {failure}");
    }
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(directory.path().join("long"), " ".repeat(1 << 21)).unwrap();
    for path in ["pipe", "long", "", "missing"] {
        let path = directory.path().join(path);
        assert!(read(&path, None).is_err(), "{}", path.display());
        assert!(read(&path, Some(directory.path())).is_err(), "{}", path.display());
    }
}
