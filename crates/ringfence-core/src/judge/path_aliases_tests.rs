//! Tests of rules on one of two names of a file.

use super::super::tests::{compile, document, path, rule};
use super::*;
use crate::access::{Extent, FileAccess, FileOp};
use crate::document::{Document, Role};
use crate::effect::Effect::{Allow, Ask, Deny};
use crate::path::FilePath;

fn access(what: &str) -> Access {
    let path = FilePath::named(path(what));
    Access::new(AccessKind::File(FileAccess { op: FileOp::Read, extent: Extent::One, path }))
}

/// Checks whether a rule against the first name exists that does not match the second name.
#[track_caller]
fn check(document: Document, names: [&str; 2], expected: bool) {
    let policy = compile(vec![document], &["fs:r:**/danger"]);
    assert_eq!(
        policy.forbids_under_this_name_only(&access(names[0]), &path(names[1])),
        expected,
        "{names:?}"
    );
}

fn user(rules: &[(Effect, &str)]) -> Document {
    document(Role::User, rules)
}

#[test]
fn a_rule_that_matches_one_name_only() {
    let own = || user(&[(Deny, "fs:r:/home/u/.ssh/**"), (Allow, "fs:r:/**")]);
    check(own(), ["/home/u/.ssh/key", "/srv/.ssh/key"], true);
    check(own(), ["/home/u/.ssh", "/srv/.ssh"], true);
    check(own(), ["/srv/.ssh/key", "/home/u/.ssh/key"], false);
    check(own(), ["/home/u/.ssh/key", "/home/u/.ssh/other"], false);
    check(user(&[(Ask, "fs:r:/home/u/x"), (Allow, "fs:r:/**")]), ["/home/u/x", "/srv/x"], true);
}

#[test]
fn a_floating_rule_matches_both_names() {
    let own = || user(&[(Deny, "fs:r:**/.env"), (Allow, "fs:r:/**")]);
    check(own(), ["/home/u/.env", "/srv/.env"], false);
    // A single file can be mounted under any name.
    check(own(), ["/home/u/.env", "/srv/settings"], true);
    let named = user(&[(Deny, "fs:r:**/proj/keys/*"), (Allow, "fs:r:/**")]);
    check(named, ["/home/u/proj/keys/a", "/srv/alias/keys/a"], true);
}

#[test]
fn a_missing_grant_for_the_first_name_is_no_rule() {
    check(user(&[(Allow, "fs:r:/srv/**")]), ["/home/u/x", "/srv/x"], false);
}

#[test]
fn an_exception_or_opt_in_applies_to_the_name_that_it_matches() {
    let mut deny = rule(Deny, "fs:r:**/*.pem");
    deny.except = vec![crate::pattern::Pattern::parse("fs:r:/usr/**").unwrap()];
    let mut own = user(&[(Allow, "fs:r:/**")]);
    own.rules.push(deny);
    check(own, ["/pool/usr/a.pem", "/usr/a.pem"], false);
    let mut opted = user(&[(Allow, "fs:r:/**")]);
    opted.danger = Some(vec![rule(Allow, "fs:r:/home/u/danger")]);
    check(opted, ["/srv/danger", "/home/u/danger"], false);
}
