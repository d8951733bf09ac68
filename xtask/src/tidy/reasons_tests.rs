use super::*;

#[track_caller]
fn finds(text: &str, lines: &[usize]) {
    let tree = Tree::of(&[("policies/profiles/a.toml", text)]);
    let found: Vec<_> = check(&tree).iter().map(|at| at.line).collect();
    assert_eq!(found, lines, "{text}");
}

#[test]
fn rules_without_a_reason_are_found() {
    finds("allow = [\n  \"cmd:git:*\",\n]", &[2]);
    finds("deny = [{ pattern = \"fs:r:**\" }]", &[1]);
    finds("[[danger]]\npattern = \"fs:r:**\"\nwhy = \"  \"", &[1]);
    finds("[[rule]]\nwhy = \"x\"\n[[rule]]\npattern = \"y\"", &[3]);
    finds("[a.b]\nentries = [{ pattern = \"x\" }]", &[2]);
}

#[test]
fn rules_with_a_reason_pass() {
    finds("allow = [{ pattern = \"cmd:git:*\", why = \"everyday\" }]", &[]);
    finds("[[danger]]\npattern = \"fs:r:~/.ssh/*\"\nwhy = \"keys\"", &[]);
    finds("name = \"workspace\"\nwords = [\"a\", \"b\"]", &[]);
}

#[test]
fn only_the_built_in_lists_are_read() {
    assert_eq!(check(&Tree::of(&[("tests/cases/a/policy.toml", "allow = [\"sh\"]")])), []);
}

#[test]
fn what_is_not_toml_is_found() {
    finds("name = \"a\"\nallow = [\n", &[2]);
}
