use super::*;

#[test]
fn versions_and_tags_are_cut_off() {
    let cut = [
        ("eslint@9", "eslint"),
        ("eslint@latest", "eslint"),
        ("a@^1.2.x", "a"),
        ("@s/p@1.0.0-rc.1", "@s/p"),
    ];
    for (word, name) in cut {
        assert_eq!(without_version(word), Some(name), "{word}");
    }
}

#[test]
fn other_places_are_no_versions() {
    let whole = [
        "eslint",
        "@s/p",
        "eslint@",
        "@1",
        "eslint@npm:evil",
        "eslint@github:evil/x",
        "eslint@https://evil.example/x.tgz",
        "eslint@file:../x",
        "evil/x@1",
        "a@b@1",
        "./x@1",
        "../x@1",
    ];
    for word in whole {
        assert_eq!(without_version(word), None, "{word}");
    }
}
