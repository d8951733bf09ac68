//! The few places that state a person's will, or that do what only a permit allows.

use super::code::code_only;
use super::finding::Finding;
use super::tree::Tree;

/// A call, the files of product crates that may make it, and what the others should do.
struct Held {
    call: &'static str,
    files: &'static [&'static str],
    instead: &'static str,
}

const HELD: [Held; 5] = [
    Held {
        call: "Approval::by_person",
        files: &["crates/ringfence-egress/src/ask.rs", "crates/ringfence-mcp/src/desk.rs"],
        instead: "an approval is made where a person's answer is read",
    },
    Held {
        call: ".permit_typed_command(",
        files: &[
            "crates/ringfence/src/permitted.rs",
            "crates/ringfence-cli/src/command/run.rs",
            "crates/ringfence-cli/src/command/mcp/start.rs",
        ],
        instead: "only a command that a person typed has this permit",
    },
    Held {
        call: ".permit_launcher(",
        files: &["crates/ringfence-exec/src/session/supervisor.rs"],
        instead: "only the launcher of a session has this permit",
    },
    Held {
        call: "ringfence_sandbox::run",
        files: &["crates/ringfence-exec/src/fence.rs"],
        instead: "`Fence::run` starts commands, by a permit",
    },
    Held {
        call: "TcpStream::connect(",
        files: &["crates/ringfence-egress/src/dial.rs"],
        instead: "`Destination::dial` connects, by a permit",
    },
];

/// Returns a finding for each such call in another file of a product crate.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().filter(|(file, _)| is_product(file)).flat_map(calls).collect()
}

fn is_product(file: &str) -> bool {
    let is_test = file.contains("/tests/") || file.ends_with("_tests.rs");
    file.starts_with("crates/") && file.contains("/src/") && !is_test
}

fn calls((file, text): (&str, &str)) -> Vec<Finding> {
    let code = code_only(text);
    let held = || HELD.iter().filter(|held| !held.files.contains(&file));
    let lines = (1..).zip(code.lines());
    lines
        .flat_map(|(number, line)| {
            let found = held().filter(move |held| line.contains(held.call));
            found.map(move |held| Finding::fault(file, number, held.instead))
        })
        .collect()
}

#[cfg(test)]
#[path = "permit_makers_tests.rs"]
mod tests;
