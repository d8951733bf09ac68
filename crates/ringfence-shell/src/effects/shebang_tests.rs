use super::{Runner, runner};

fn check(text: &str, expected: Option<Runner<'_>>) {
    assert_eq!(runner(text), expected, "{text:?}");
}

#[test]
fn shells_are_known_by_their_name() {
    check("#!/bin/sh -e\nls", Some(Runner::Shell("/bin/sh")));
    check("#! /usr/bin/env bash\n", Some(Runner::Shell("bash")));
    check("#!/usr/bin/env -S bash -e\n", Some(Runner::Shell("bash")));
    check("ls\n", Some(Runner::Shell("sh")));
    check("\0ELF", None);
}

#[test]
fn other_programs_get_one_word() {
    check("#!/bin/rm\n", Some(Runner::Program("/bin/rm", vec![])));
    check("#!/bin/rm bash\n", Some(Runner::Program("/bin/rm", vec!["bash"])));
    check("#!/usr/bin/awk -f\n", Some(Runner::Program("/usr/bin/awk", vec!["-f"])));
    check("#!/usr/bin/env python3\r\n", Some(Runner::Program("python3", vec![])));
    check("#!/usr/bin/env -S rm -r y\n", Some(Runner::Program("rm", vec!["-r", "y"])));
    let quoted = Runner::Program("/usr/bin/env", vec!["-S 'r'm y"]);
    check("#!/usr/bin/env -S 'r'm y\n", Some(quoted));
    check("#!/usr/bin/env rm y\n", Some(Runner::Program("/usr/bin/env", vec!["rm y"])));
}
