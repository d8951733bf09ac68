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

    // One byte more, and nobody has trusted it.
    person.write_policy(&format!("{POLICY}\n"));
    assert_eq!(person.ringfence(&granted).status.code(), Some(3));
    person.write_policy(POLICY);
    assert_eq!(person.ringfence(&granted).status.code(), Some(0));
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
