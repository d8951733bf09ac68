//! Lists the commands of lines as other parsers find them.
//!
//! `oracle-peers brush|tree-sitter` reads lines, each ended by NUL, and answers each with the plain
//! names of its commands between blanks, or `?` where it refuses the line, ended by NUL. Both
//! parsers have inputs that they do not survive: who runs this sets limits and starts it anew.

mod brush;
mod tree;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let names: fn(&str) -> Option<Vec<String>> = match std::env::args().nth(1).as_deref() {
        Some("brush") => brush::names,
        Some("tree-sitter") => tree::names,
        _ => return ExitCode::FAILURE,
    };
    match answer(names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn answer(names: fn(&str) -> Option<Vec<String>>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().split(0) {
        let line = String::from_utf8_lossy(&line?).into_owned();
        let answer = names(&line).map_or_else(
            || "?".to_owned(),
            |mut names| {
                names.retain(|name| is_plain(name));
                names.sort();
                names.join(" ")
            },
        );
        write!(output, "{answer}\0")?;
        output.flush()?;
    }
    Ok(())
}

/// Whether a name is written without anything that a shell would change.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}
