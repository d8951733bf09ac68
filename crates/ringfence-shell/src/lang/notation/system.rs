//! Words of programs that look after processes and services.

use super::shape::{Found, run, unknown};
use crate::lang::Finding;

/// Letters that stand without a dash, as BSD has them; `e` shows the variables of processes.
pub(super) fn ps(text: &str) -> Found {
    const LETTERS: &str = "acefghjklmnopqrstuvwxALMNOSTUXZ";
    match text.contains('e') && text.chars().all(|letter| LETTERS.contains(letter)) {
        true => vec![Finding::AllEnv],
        false => Vec::new(),
    }
}

/// A script of the project, a file, or, where there is neither, any program.
pub(super) fn bun_run(text: &str) -> Found {
    match text.contains(['/', '.']) {
        true => vec![Finding::CodeFile("node", text.to_owned())],
        false if text == "-" => vec![unknown("the code comes from standard input")],
        false => vec![Finding::MayRun(text.to_owned())],
    }
}

/// The name of a service, which is a script in a directory: a path leads out of it.
pub(super) fn service(text: &str) -> Found {
    match text.contains('/') {
        true => vec![run(&format!("/etc/init.d/{text}"))],
        false => Vec::new(),
    }
}
