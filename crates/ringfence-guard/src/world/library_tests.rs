use super::*;

#[test]
fn references_are_seen_from_the_document_that_makes_them() {
    let from = "/etc/ringfence/policy.toml";
    for (reference, path) in [
        ("base.toml", "/etc/ringfence/base.toml"),
        ("./x/base.toml", "/etc/ringfence/x/base.toml"),
        ("../base.toml", "/etc/base.toml"),
        ("/srv/base.toml", "/srv/base.toml"),
    ] {
        assert_eq!(resolve(reference, from).unwrap().as_str(), path);
    }
    for reference in ["", "https://x.example/a.toml", "file:///a.toml", "~/a.toml", "a\0b"] {
        assert!(resolve(reference, from).is_err(), "{reference}");
    }
    assert!(resolve("base.toml", "a document without a place").is_err());
}
