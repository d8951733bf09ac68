//! Options whose value is a command line, or nearly one.

use super::super::words::split;
use super::super::{Finding, unreadable};

/// The string of `env -S`: words of env itself, so options and variables may come first.
pub(in super::super) fn env_split(code: &str) -> Vec<Finding> {
    if code.contains('\\')
        || code.contains("${")
        || code.split_whitespace().any(|w| w.starts_with('#'))
    {
        let reason = "the words of `env -S` have escapes, variables or comments";
        return vec![Finding::RunUnknown(reason.to_owned())];
    }
    match split(code) {
        Some(words) => vec![Finding::Run(std::iter::once("env".to_owned()).chain(words).collect())],
        None => vec![unreadable("a quote is open")],
    }
}

/// The value of perl's `-M`, which perl puts behind `use`.
pub(in super::super) fn perl_module(code: &str) -> Vec<Finding> {
    let (module, words) = code.split_once('=').unwrap_or((code, ""));
    let module = module.strip_prefix('-').unwrap_or(module);
    let name =
        |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':');
    let list =
        |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:,.-$@%".contains(&b));
    if !module.is_empty() && name(module) && list(words) {
        return Vec::new();
    }
    vec![
        Finding::Code("perl", format!("use {code};")),
        Finding::RunUnknown("code follows the name of a module of perl".to_owned()),
    ]
}

/// What tar does at a checkpoint.
pub(in super::super) fn tar_checkpoint(code: &str) -> Vec<Finding> {
    let (action, value) = code.split_once('=').unwrap_or((code, ""));
    match action {
        "exec" => vec![Finding::Shell(value.to_owned())],
        "dot" | "." | "bell" | "echo" | "ttyout" | "sleep" | "totals" | "wait" => Vec::new(),
        _ if action.starts_with('"') || code.starts_with('.') => Vec::new(),
        _ => vec![unreadable("tar does not know what to do at a checkpoint")],
    }
}
