use super::*;

fn passes(host: &str, origin: Option<&str>) -> bool {
    let mut headers = HeaderMap::new();
    headers.insert(HOST, host.parse().unwrap());
    if let Some(origin) = origin {
        headers.insert(ORIGIN, origin.parse().unwrap());
    }
    check(&headers, "127.0.0.1:7000".parse().unwrap()).is_ok()
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
    assert!(check(&HeaderMap::new(), "127.0.0.1:7000".parse().unwrap()).is_err());
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
