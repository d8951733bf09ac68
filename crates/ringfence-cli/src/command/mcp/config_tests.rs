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
