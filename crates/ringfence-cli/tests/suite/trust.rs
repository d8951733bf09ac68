//! `trust`, by an ordinary user at a terminal, on the real host.

use super::person::Person;
use super::{stderr, stdout};

const POLICY: &str = "allow = [\"fs:r:/srv/x\"]\ndeny = [\"fs:r:@root/secret\"]\n";

#[test]
fn c077_a_project_file_counts_once_a_person_trusted_its_bytes() {
    let Some(person) = Person::new() else { return };
    person.write_policy(POLICY);
    let granted = ["check", "--access", "fs:r:/srv/x"];
    let denied = ["check", "--access", "fs:r:@root/secret"];

    let before = person.ringfence(&granted);
    assert_eq!(before.status.code(), Some(3), "{}", stdout(&before));
    assert!(stderr(&before).contains("trust"), "it is said: {}", stderr(&before));
    assert_eq!(person.ringfence(&denied).status.code(), Some(4), "denials count at once");

    let piped = person.ringfence(&["trust"]);
    assert_eq!(piped.status.code(), Some(2), "{}", stdout(&piped));
    assert!(stderr(&piped).contains("terminal"), "{}", stderr(&piped));
    assert_eq!(person.at_terminal(&["trust"], "n\n").status.code(), Some(1));
    assert_eq!(person.ringfence(&granted).status.code(), Some(3));

    let agreed = person.at_terminal(&["trust"], "y\n");
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    assert!(stdout(&agreed).contains("fs:r:/srv/x"), "it shows what is new: {}", stdout(&agreed));
    assert_eq!(person.ringfence(&granted).status.code(), Some(0));
    let list = stdout(&person.ringfence(&["trust", "--list"]));
    assert!(list.contains("home/project"), "{list}");

    // A change takes no effect: what was trusted stays in force, and that is said.
    person.write_policy("allow = [\"fs:r:/srv/y\"]\ndeny = [\"fs:r:@root/private\"]\n");
    let kept = person.ringfence(&granted);
    assert_eq!(kept.status.code(), Some(0), "{}", stdout(&kept));
    assert!(stderr(&kept).contains("stays in force"), "{}", stderr(&kept));
    assert_eq!(person.ringfence(&["check", "--access", "fs:r:/srv/y"]).status.code(), Some(4));
    assert_eq!(person.ringfence(&denied).status.code(), Some(4));
    let private = ["check", "--access", "fs:r:@root/private"];
    assert_eq!(person.ringfence(&private).status.code(), Some(4), "a new deny counts at once");
    person.write_policy(POLICY);
    assert_eq!(stderr(&person.ringfence(&granted)), "");
    assert_eq!(person.at_terminal(&["trust", "--revoke"], "").status.code(), Some(0));
    assert_eq!(person.ringfence(&granted).status.code(), Some(3));
}

#[test]
fn a_policy_whose_own_tests_fail_is_not_trusted() {
    let Some(person) = Person::new() else { return };
    person.write_policy("[[test]]\ncall = \"git status\"\nexpect = \"allow\"\n");
    let refused = person.at_terminal(&["trust"], "y\n");
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
    assert!(stdout(&refused).contains("tests fail"), "{}", stdout(&refused));
}

#[test]
fn trust_shows_what_changed_since_widening_first() {
    let Some(person) = Person::new() else { return };
    person.write(".config/ringfence/policy.toml", "ask = [\"cmd:git:*\"]\n");
    person.write_policy("allow = [\"cmd:make:*\"]\ndeny = [\"cmd:curl:*\", \"cmd:wget:*\"]\n");
    assert_eq!(person.at_terminal(&["trust"], "y\n").status.code(), Some(0));
    person.write_policy(
        "# a comment\nallow = [\"cmd:make:*\"]\ndeny = [\"cmd:curl:*\", \"cmd:wget:*\"]\n",
    );
    let same = stdout(&person.at_terminal(&["trust"], "y\n"));
    assert!(same.contains("but no rule did"), "{same}");

    person.write_policy(
        "allow = [\"cmd:git:push:*\"]\ndeny = [\"cmd:wget:*\", \"cmd:nc:*\"]\nceiling = [\"net:a.example\"]\n",
    );
    let shown = stdout(&person.at_terminal(&["trust"], "n\n"));
    let expected = [
        "changed since it was trusted on",
        "wider",
        "allows cmd:git:push:*",
        "no longer denies cmd:curl:*",
        "narrower",
        "denies cmd:nc:*",
        "no longer allows cmd:make:*",
        "limits net to net:a.example",
        "`cmd:git:push:*` of `cmd:git:*`, which user policy.toml:1 asks about",
        "nothing was changed",
    ];
    let mut rest = shown.as_str();
    for text in expected {
        let found = rest.split_once(text);
        rest = found.unwrap_or_else(|| panic!("`{text}` is missing: {shown}")).1;
    }
    assert!(!shown.contains("cmd:wget"), "what stays is not shown: {shown}");
}
