use super::*;

/// A crate with this text after its name.
fn findings(name: &str, rest: &str) -> Vec<String> {
    let text = format!("[package]\nname = \"{name}\"\n{rest}");
    let tree = Tree::of(&[(&format!("crates/{name}/Cargo.toml"), &text)]);
    check(&tree).iter().map(ToString::to_string).collect()
}

#[track_caller]
fn passes(name: &str, rest: &str) {
    assert_eq!(findings(name, rest), Vec::<String>::new());
}

#[test]
fn arrows_and_what_lies_below_them_pass() {
    passes("ringfence-core", "[dependencies]\nurl = \"2\"\n");
    passes("ringfence-guard", "[dependencies]\nringfence-shell.workspace = true\n");
    passes("ringfence-guard", "[dependencies]\nringfence-core.workspace = true\n");
    passes("ringfence-daemon", "[dependencies]\nringfence-sandbox.workspace = true\n");
    passes("ringfence", "[dependencies]\nringfence-analysis.workspace = true\n");
    passes("ringfence-cli", "[dependencies]\nringfence.workspace = true\n");
}

#[test]
fn dev_dependencies_are_free() {
    passes("ringfence-core", "[dev-dependencies]\nringfence-cli.workspace = true\n");
}

#[test]
fn an_arrow_upwards_is_found_with_its_line() {
    assert_eq!(
        findings("ringfence-core", "[dependencies]\nringfence-guard.workspace = true\n"),
        ["crates/ringfence-core/Cargo.toml:4: \
          no arrow from `ringfence-core` to `ringfence-guard` in the design"]
    );
}

#[test]
fn the_facade_does_not_depend_on_the_command_line() {
    let found = findings("ringfence", "[dependencies]\nringfence-cli.workspace = true\n");
    assert_eq!(found.len(), 1, "{found:?}");
    passes("ringfence-cli", "[dependencies]\nringfence-core.workspace = true\n");
}

#[test]
fn build_platform_and_renamed_dependencies_count() {
    for rest in [
        "[build-dependencies]\nringfence-shell.workspace = true\n",
        "[target.'cfg(unix)'.dependencies]\nringfence-shell.workspace = true\n",
        "[dependencies]\nshell = { package = \"ringfence-shell\", path = \"../x\" }\n",
        "[dependencies.ringfence-shell]\npath = \"../x\"\n",
    ] {
        assert_eq!(findings("ringfence-manifest", rest).len(), 1, "{rest}");
    }
}

#[test]
fn unknown_crates_and_other_folders_are_found() {
    assert_eq!(
        findings("ringfence-magic", ""),
        ["crates/ringfence-magic/Cargo.toml: crate `ringfence-magic` is not in the design"]
    );
    let tree = Tree::of(&[("crates/x/Cargo.toml", "[package]\nname = \"ringfence-core\"\n")]);
    assert_eq!(check(&tree).len(), 1);
}

#[test]
fn every_arrow_of_the_table_ends_at_a_crate_of_the_table() {
    for (name, targets) in &ARROWS {
        for target in *targets {
            assert!(ARROWS.iter().any(|(name, _)| name == target), "{name} -> {target}");
        }
    }
}
