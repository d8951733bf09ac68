use super::*;

fn finds(path: &str, text: &str) -> usize {
    check(&Tree::of(&[(path, text)])).len()
}

#[test]
fn folders_of_one_machine_are_found() {
    for line in ["see /work/notes.md", "\"/root/.cargo\"", "/home/jdoe/src", "(/Users/jdoe/x)"] {
        assert_eq!(finds("README.md", line), 1, "{line}");
    }
}

#[test]
fn examples_and_parts_of_paths_pass() {
    for line in [
        "/home/u/.ssh/id_rsa",
        "/home/user/x and /Users/ana",
        "~/work/shop",
        "$HOME/work/shop",
        "/srv/work/x",
        "/proc/1/root/etc",
        "/home/*/x",
        "/home/<name>/x",
        "/home/${USER}/x",
    ] {
        assert_eq!(finds("README.md", line), 0, "{line}");
    }
}

#[test]
fn registries_are_found_outside_of_cases() {
    let line = "net:registry.npmjs.org";
    assert_eq!(finds("policies/profiles/node.toml", line), 1);
    assert_eq!(finds("tests/corpus/benign.jsonl", line), 0);
    assert_eq!(finds("crates/ringfence-core/src/net/pattern_tests.rs", line), 0);
}

#[test]
fn a_lock_file_names_one_registry() {
    assert_eq!(finds("Cargo.lock", &format!("source = \"{LOCKED_REGISTRY}\"")), 0);
    assert_eq!(finds("fuzz/Cargo.lock", "source = \"sparse+https://mirror.example/\""), 1);
}
