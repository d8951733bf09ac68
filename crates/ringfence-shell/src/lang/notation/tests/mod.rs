//! Each notation with values from everyday use and with values that mean harm.

mod builds;
mod data;
mod general;
mod hosts;
mod languages;
mod machine;
mod shells;
mod words;

use crate::lang::testing::{harmless, unsure};
use crate::lang::{Finding, read};

/// Each of these values does nothing that matters.
#[track_caller]
fn all_harmless(name: &str, values: &[&str]) {
    values.iter().for_each(|value| harmless(name, value));
}

/// Each of these values runs something that cannot be told.
#[track_caller]
fn all_unsure(name: &str, values: &[&str]) {
    values.iter().for_each(|value| unsure(name, value));
}

#[test]
fn code_that_is_handed_on_has_a_reader() {
    const VALUES: [&str; 9] = [
        "a=\\! id",
        "--require x --eval=y",
        "--eval=$(shell id)",
        "-o ProxyCommand=x",
        "A=b",
        "--config=x",
        "--checkpoint-action=exec=x",
        "host=x primary_conninfo=y",
        "node-options=--require=x",
    ];
    for name in super::NAMES {
        for value in VALUES {
            for finding in read(name, value).unwrap() {
                if let Finding::Code(inner, _) = finding {
                    assert!(read(inner, "").is_some(), "{name} hands on {inner}");
                }
            }
        }
    }
}
