use super::*;

fn deeds(all: &[&str]) -> Vec<String> {
    all.iter().map(|own| (*own).to_owned()).collect()
}

#[test]
fn an_approval_for_once_is_used_once() {
    let passes = HookApprovals::default();
    passes.give(&deeds(&["cmd:git:push", "cmd:make"]), ApprovalAnswer::Once);
    assert_eq!(passes.known(&deeds(&["cmd:git:push", "cmd:make"])), Some(ApprovalAnswer::Once));
    assert_eq!(passes.take("cmd:git:push"), Some(ApprovalAnswer::Once));
    assert_eq!(passes.take("cmd:git:push"), None);
    assert_eq!(passes.known(&deeds(&["cmd:git:push", "cmd:make"])), None, "a part was done");
    assert_eq!(passes.take("cmd:make"), Some(ApprovalAnswer::Once));
    assert_eq!(passes.take("cmd:make:all"), None, "another deed");
}

#[test]
fn one_file_change_uses_one_approval() {
    let passes = HookApprovals::default();
    passes.give(&deeds(&["fs:w:/srv/a"]), ApprovalAnswer::Once);
    assert_eq!(passes.take("fs:w:/srv/a"), Some(ApprovalAnswer::Once));
    assert_eq!(passes.take("fs:w:/srv/a"), Some(ApprovalAnswer::Once));
    assert_eq!(passes.take("fs:w:/srv/b"), None);
}

#[test]
fn a_no_is_not_recorded_and_a_session_approval_lasts() {
    let passes = HookApprovals::default();
    passes.give(&deeds(&["cmd:make"]), ApprovalAnswer::No);
    assert_eq!(passes.take("cmd:make"), None);
    passes.give(&deeds(&["cmd:make"]), ApprovalAnswer::Session);
    for _ in 0..3 {
        assert_eq!(passes.take("cmd:make"), Some(ApprovalAnswer::Session));
        assert_eq!(passes.known(&deeds(&["cmd:make"])), Some(ApprovalAnswer::Session));
    }
    assert_eq!(passes.known(&[]), None, "a call that asks about nothing was agreed to by nobody");
}
