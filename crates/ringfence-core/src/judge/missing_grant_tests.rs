use super::super::tests::{compile, document, exec, file};
use crate::Role;
use crate::access::{Access, FileOp};
use crate::effect::Effect::Allow;

#[test]
fn a_grant_is_missing_if_no_rule_allows() {
    let rules = [(Allow, "cmd:git:*"), (Allow, "fs:r:~/.ssh/**")];
    let policy = compile(vec![document(Role::User, &rules)], &["cmd:*", "fs:rw:~/.ssh/**"]);
    let lacks = |what| policy.lacks_grant(&Access::new(what));
    assert!(!lacks(exec("git push --force")));
    assert!(lacks(exec("chmod +x a")));
    assert!(!lacks(file(FileOp::Read, "/home/u/.ssh/id_rsa")));
    assert!(lacks(file(FileOp::Write, "/home/u/.ssh/id_rsa")));
}
