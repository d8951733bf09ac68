use super::*;

#[test]
fn servers_are_listed_by_name() {
    let listed =
        parse("[servers.b]\ncommand = [\"y\"]\n[servers.a]\ncommand = [\"x\", \"1\"]\n").unwrap();
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
        let failure = parse(text).unwrap_err();
        assert!(failure.message.contains(reason), "{text}: {failure}");
    }
}

#[test]
fn headers_take_what_variables_say() {
    let value = |name: &str| (name == "TOKEN").then(|| "t${o}k".to_owned());
    assert_eq!(filled("Bearer ${TOKEN}!", value).unwrap(), "Bearer t${o}k!");
    assert_eq!(filled("plain $x {y}", value).unwrap(), "plain $x {y}");
    assert!(filled("${OTHER}", value).unwrap_err().contains("`OTHER`"));
    assert!(filled("${TOKEN", value).unwrap_err().contains("closed"));
}
