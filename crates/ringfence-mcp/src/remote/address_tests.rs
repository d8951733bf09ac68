use super::Address;

fn check(url: &str, expected: Result<(&str, u16, &str, &str, bool), &str>) {
    let read = Address::parse(url);
    let read = read.as_ref().map(|own| {
        let authority = own.authority.to_str().unwrap();
        (own.host.to_string(), own.port, authority, own.path.as_str(), own.secure.is_some())
    });
    match (&read, expected) {
        (Ok((host, port, authority, path, secure)), Ok(wanted)) => {
            assert_eq!((host.as_str(), *port, *authority, *path, *secure), wanted, "{url}");
        }
        (Err(error), Err(part)) => assert!(error.contains(part), "{url}: {error}"),
        _ => panic!("{url}: {read:?}"),
    }
}

#[test]
fn urls_of_servers_are_taken_apart() {
    check("http://127.0.0.1:3001/mcp", Ok(("localhost", 3001, "127.0.0.1:3001", "/mcp", false)));
    check("https://Example.com", Ok(("example.com", 443, "Example.com", "/", true)));
    check("http://a.example?k=v#part", Ok(("a.example", 80, "a.example", "/?k=v", false)));
    check(
        "https://[2001:db8::1]:8443/x",
        Ok(("2001:db8::1", 8443, "[2001:db8::1]:8443", "/x", true)),
    );
}

#[test]
fn other_urls_are_refused() {
    check("ftp://a.example/", Err("is not http"));
    check("file:///etc/passwd", Err("file"));
    check("http://u:p@a.example/", Err("user"));
    check("a.example/mcp", Err(""));
    check("http://a.example/\r\nX: y", Err(""));
}
