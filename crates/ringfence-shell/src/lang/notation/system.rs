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

/// A setting of the kernel: some name a program behind a bar, and a name may lead out of its tree.
pub(super) fn sysctl(text: &str) -> Found {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let leads_out = name.contains("..");
    match leads_out || value.contains(['|', '/']) {
        true => vec![unknown("a setting of the kernel names a program or a file")],
        false => Vec::new(),
    }
}

/// The name of a unit; a path makes a unit of a file, which says what it starts.
pub(super) fn unit(text: &str) -> Found {
    match text.contains('/') {
        true => vec![unknown("the file of a unit says what it starts")],
        false => Vec::new(),
    }
}

/// `SECTION.KEY=VALUE` of Mercurial: aliases, hooks, extensions, tools and most of `ui` run programs.
pub(super) fn hg_config(text: &str) -> Found {
    const HARMLESS: [&str; 12] = [
        "ui.interactive",
        "ui.username",
        "ui.verbose",
        "ui.quiet",
        "ui.debug",
        "ui.color",
        "ui.tweakdefaults",
        "ui.report_untrusted",
        "diff.git",
        "diff.nodates",
        "diff.showfunc",
        "color.mode",
    ];
    let key = text.split('=').next().unwrap_or(text).trim().to_ascii_lowercase();
    match HARMLESS.contains(&key.as_str()) {
        true => Vec::new(),
        false => vec![unknown("a setting of Mercurial may name a program")],
    }
}
