use super::*;

fn passes(host: &str, origin: Option<&str>) -> bool {
    let mut headers = HeaderMap::new();
    headers.insert(HOST, host.parse().unwrap());
    if let Some(origin) = origin {
        headers.insert(ORIGIN, origin.parse().unwrap());
    }
    check(&"/mcp".parse().unwrap(), &headers, "127.0.0.1:7000".parse().unwrap()).is_ok()
}

#[test]
fn only_this_machine_is_listened_to() {
    for host in ["localhost:7000", "127.0.0.1:7000", "[::1]:7000", "LOCALHOST:7000"] {
        assert!(passes(host, None), "{host}");
    }
    for host in [
        "evil.example:7000",
        "localhost",
        "localhost:7001",
        "127.0.0.1.evil.example:7000",
        ":7000",
        "",
    ] {
        assert!(!passes(host, None), "{host}");
    }
    assert!(
        check(&"/mcp".parse().unwrap(), &HeaderMap::new(), "127.0.0.1:7000".parse().unwrap())
            .is_err()
    );
}

#[test]
fn pages_of_other_sites_are_not_listened_to() {
    for origin in ["http://localhost:6274", "http://127.0.0.1", "https://[::1]:1"] {
        assert!(passes("localhost:7000", Some(origin)), "{origin}");
    }
    for origin in ["http://evil.example", "null", "http://localhost.evil.example", "file://"] {
        assert!(!passes("localhost:7000", Some(origin)), "{origin}");
    }
}

#[test]
fn whoever_asks_by_a_whole_address_means_that_one() {
    let mut headers = HeaderMap::new();
    headers.insert(HOST, "localhost:7000".parse().unwrap());
    let here = "127.0.0.1:7000".parse().unwrap();
    let check = |to: &str| check(&to.parse().unwrap(), &headers, here).is_ok();
    assert!(check("http://localhost:7000/mcp"));
    assert!(!check("http://evil.example:7000/mcp"));
    assert!(!check("http://evil.example@localhost:7000/mcp"));
}

#[test]
fn only_what_is_said_to_be_json_is_read() {
    let is_json = |kinds: &[&str]| {
        let mut headers = HeaderMap::new();
        for kind in kinds {
            headers.append(CONTENT_TYPE, kind.parse().unwrap());
        }
        is_json(&headers)
    };
    for kind in ["application/json", "Application/JSON; charset=utf-8", "application/json ;x"] {
        assert!(is_json(&[kind]), "{kind}");
    }
    for kinds in [
        &[][..],
        &["text/plain"],
        &["application/x-www-form-urlencoded"],
        &["text/plain; application/json"],
        &["application/jsonp"],
        &["text/plain", "application/json"],
    ] {
        assert!(!is_json(kinds), "{kinds:?}");
    }
}
