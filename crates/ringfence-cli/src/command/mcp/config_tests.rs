use super::*;

#[test]
fn servers_are_listed_by_name() {
    let listed =
        parse("[servers.b]\ncommand = [\"y\"]\n[servers.a]\ncommand = [\"x\", \"1\"]\n").unwrap();
    let own = |name: &str, words: &[&str]| Listed {
        name: name.to_owned(),
        words: words.iter().map(OsString::from).collect(),
    };
    assert_eq!(listed, [own("a", &["x", "1"]), own("b", &["y"])]);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (text, reason) in [
        ("", "servers"),
        ("[servers]\n", "lists no server"),
        ("[servers.a]\n", "command"),
        ("[servers.a]\ncommand = []\n", "has no command"),
        ("[servers.a__b]\ncommand = [\"x\"]\n", "no name"),
        ("[servers.a_]\ncommand = [\"x\"]\n", "ends with"),
        ("[servers.a]\ncommand = [\"x\"]\nportt = 1\n", "portt"),
    ] {
        let failure = parse(text).unwrap_err();
        assert!(failure.message.contains(reason), "{text}: {failure}");
    }
}
