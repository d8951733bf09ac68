//! Tests of the danger list and its opt-ins.

use super::*;

#[test]
fn c097_allow_and_danger_are_two_gates() {
    let dangers = ["cmd:git:push:*:--force", "fs:r:~/.ssh/*"];
    let opt = |allow: bool, danger: bool| {
        let rules = [(Allow, "cmd:git:*"), (Allow, "fs:r:**")];
        let mut doc = document(Role::User, if allow { &rules } else { &[] });
        let opt_ins = ["cmd:git:push:*:--force", "fs:r:~/.ssh/*"];
        doc.danger = danger.then(|| opt_ins.iter().map(|text| rule(Allow, text)).collect());
        compile(vec![doc], &dangers)
    };
    let cases =
        [(true, true, Allow), (true, false, Deny), (false, true, Deny), (false, false, Deny)];
    for (allow, danger, expected) in cases {
        let policy = opt(allow, danger);
        check(&policy, exec("git push --force"), expected);
        check(&policy, file(FileOp::Read, "/home/u/.ssh/id_rsa"), expected);
    }
}

#[test]
fn c099_c100_an_opt_in_allows_exactly_what_it_names() {
    let mut doc = document(Role::User, &[(Allow, "cmd:*")]);
    doc.danger = Some(vec![rule(Allow, "cmd:git:push:*:--force")]);
    let policy = compile(vec![doc], &["cmd:git:push:*:--force", "cmd:sudo:*"]);
    check(&policy, exec("git push --force"), Allow);
    let refused = policy.decide(&Access::new(exec("sudo ls")));
    assert_eq!(refused.effect, Deny);
    let said = refused.grounds[0].to_string();
    assert!(said.starts_with("Dangerous capability requires allow.danger"), "{said}");
}

#[test]
fn an_opt_in_needs_every_document_with_a_danger_list() {
    let opted = |role, list: Option<&[&str]>| {
        let mut doc = document(role, &[(Allow, "cmd:*")]);
        doc.danger = list.map(|list| list.iter().map(|text| rule(Allow, text)).collect());
        doc
    };
    let sudo: &[&str] = &["cmd:sudo:*"];
    let user = || opted(Role::User, Some(sudo));
    for (others, expected) in [
        (vec![opted(Role::Organisation, None)], Allow),
        (vec![opted(Role::Organisation, Some(&[]))], Deny),
        (vec![opted(Role::Organisation, Some(sudo))], Allow),
        (vec![opted(Role::Ceiling, None)], Allow),
        (vec![opted(Role::Ceiling, Some(&[]))], Deny),
        (vec![opted(Role::Ceiling, Some(sudo))], Allow),
    ] {
        let documents = others.into_iter().chain([user()]).collect();
        check(&compile(documents, &["cmd:sudo:*"]), exec("sudo ls"), expected);
    }
    // A ceiling's opt-in alone allows nothing.
    let ceiling = opted(Role::Ceiling, Some(sudo));
    let plain = opted(Role::User, None);
    check(&compile(vec![plain, ceiling], &["cmd:sudo:*"]), exec("sudo ls"), Deny);
}
