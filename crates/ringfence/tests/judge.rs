//! The judge alone, without any feature of the crate.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

use std::process::Command;

use ringfence::{Call, Decision, Effect, Guard, PolicyError};
use serde_json::json;

const POLICY: &str = r#"
allow = ["cmd:git:*", "cmd:cargo:test:*", "fs:r:@root/**", "fs:w:@root/out/**", "net:docs.rs",
         "mcp:github/get_*"]
ask = ["cmd:git:push:*"]
deny = [{ pattern = "fs:r:**/.env", why = "secrets stay with people" }]

[agents.reviewer]
deny = ["fs:w:**"]
"#;

fn guard(project: &tempfile::TempDir) -> Guard {
    Guard::from_toml(POLICY, project.path()).unwrap()
}

fn decide(call: Call) -> Decision {
    let project = tempfile::tempdir().unwrap();
    guard(&project).check(&call)
}

#[test]
fn calls_of_every_kind_are_decided() {
    for (call, expected) in [
        (Call::bash("git status && cargo test -q"), Effect::Allow),
        (Call::bash("git push"), Effect::Ask),
        (Call::bash("git status; rm -rf ~"), Effect::Deny),
        (Call::argv(["git", "log"]), Effect::Allow),
        (Call::argv(["curl", "https://docs.rs"]), Effect::Deny),
        (Call::read("src/main.rs"), Effect::Allow),
        (Call::read(".env"), Effect::Deny),
        (Call::read("/etc/shadow"), Effect::Deny),
        (Call::write("out/a"), Effect::Allow),
        (Call::write("out/a").by("reviewer"), Effect::Deny),
        (Call::write("src/main.rs"), Effect::Deny),
        (Call::delete("out/a"), Effect::Allow),
        (Call::delete("src/main.rs"), Effect::Deny),
        (Call::fetch("https://docs.rs/x"), Effect::Allow),
        (Call::fetch("https://evil.example"), Effect::Deny),
        (Call::mcp("github", "get_issue", json!({})), Effect::Allow),
        (Call::mcp("github", "delete_repo", json!({})), Effect::Deny),
        (Call::tool("frobnicate", json!({})), Effect::Deny),
    ] {
        let decision = decide(call.clone());
        assert_eq!(decision.effect(), expected, "{call:?}: {:?}", decision.reasons());
        assert_eq!(decision.is_allowed(), decision.refusal().is_none());
    }
}

#[test]
fn reasons_name_the_rule_and_its_place() {
    let decision = decide(Call::read(".env"));
    let [reason] = decision.reasons() else { panic!("{:?}", decision.reasons()) };
    assert_eq!(reason.rule(), Some("fs:r:**/.env"));
    assert_eq!(reason.place(), Some("policy.toml:5"));
    let refusal = decision.refusal().unwrap().to_json();
    assert_eq!(refusal["why"], "secrets stay with people");
    assert!(decision.effects().iter().any(|effect| effect.contains(".env")));
}

#[test]
fn a_call_in_another_directory_is_judged_there() {
    let project = tempfile::tempdir().unwrap();
    std::fs::create_dir(project.path().join("out")).unwrap();
    let guard = guard(&project);
    let out = project.path().join("out").display().to_string();
    assert!(!guard.check(&Call::write("a")).is_allowed());
    assert!(guard.check(&Call::write("a").within(out)).is_allowed());
}

#[test]
fn policies_that_cannot_hold_are_errors_of_their_kinds() {
    let project = tempfile::tempdir().unwrap();
    let of = |text: &str| Guard::from_toml(text, project.path()).err().unwrap();
    let error = of("allow = [\n  \"cmd:ls\",\n  \"fs:q:x\",\n]");
    let diagnostic = error.diagnostics().next().unwrap();
    assert_eq!((diagnostic.line(), diagnostic.column()), (3, 3), "{error}");
    assert!(matches!(of("deny = [\"fs:r:${NOWHERE_TO_BE}/x\"]"), PolicyError::Unenforceable(_)));
    assert!(matches!(of("extends = [\"other.toml\"]"), PolicyError::Malformed(_)));
    let missing = Guard::from_toml("", project.path().join("missing")).err().unwrap();
    assert!(matches!(missing, PolicyError::Directory(_)), "{missing}");
    let unread = Guard::open_with(project.path(), [project.path().join("none.toml")]);
    assert!(matches!(unread.err().unwrap(), PolicyError::Unusable(_)));
}

#[test]
fn a_policy_that_is_opened_is_kept_from_its_agent() {
    let project = tempfile::tempdir().unwrap();
    let policy = project.path().join("agent.toml");
    std::fs::write(&policy, "allow = [\"fs:rw:@root/**\"]").unwrap();
    std::fs::write(project.path().join("ringfence.toml"), "").unwrap();
    let guard = Guard::open_with(project.path(), [&policy]).unwrap();
    assert!(guard.check(&Call::write("notes")).is_allowed());
    assert!(!guard.check(&Call::write("agent.toml")).is_allowed());
}

#[test]
fn the_default_features_bring_no_runtime() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "ringfence", "--edges", "normal", "--prefix", "none"])
        .args(["--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    assert!(tree.contains("ringfence-core"));
    for heavy in ["tokio", "hyper", "rustls", "ringfence-exec", "ringfence-egress"] {
        assert!(!tree.lines().any(|line| line.starts_with(heavy)), "{heavy}:\n{tree}");
    }
}
