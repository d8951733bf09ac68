use super::head;

#[test]
fn heads_do_not_take_what_is_the_gateways_own() {
    let own = |name: &str, value: &str| head([(name.to_owned(), value.to_owned())]);
    let read = own("Authorization", "Bearer secret").unwrap();
    assert!(read["authorization"].is_sensitive());
    assert!(!format!("{read:?}").contains("secret"));
    for name in ["Host", "mcp-session-id", "Mcp-Name", "content-length", "no name", ""] {
        assert!(own(name, "x").is_err(), "{name}");
    }
    let error = own("X-Key", "secret\r\nHost: y").unwrap_err();
    assert!(error.contains("x-key") && !error.contains("secret"), "{error}");
}
