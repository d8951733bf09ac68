//! Marks the prompt of an interactive shell in a fence, so that a person sees where they type.

use ringfence_sandbox::Command;

/// What stands before the prompt.
const MARKER: &str = "(ringfence) ";

/// Shells that take their prompt from `PS1` in the environment. One that sets `PS1` in a start-up file
/// of its own shows no marker.
const BY_PROMPT: [&str; 6] = ["sh", "dash", "ash", "ksh", "mksh", "zsh"];

/// Adds the variable that marks the prompt, if the command is an interactive shell. The variable of a
/// person is never replaced.
pub fn mark_prompt(command: &Command, variables: &mut Vec<(String, String)>) {
    let Some((name, value)) = marker_of(command) else { return };
    if variables.iter().all(|(own, _)| own != name) {
        variables.push((name.to_owned(), value));
    }
}

fn marker_of(command: &Command) -> Option<(&'static str, String)> {
    let shell = command.program.file_name()?.to_str()?;
    let is_option = |word: &std::ffi::OsString| word.as_encoded_bytes().starts_with(b"-");
    // A word that is no option is a script, or the text of `-c`.
    if !command.argv.iter().skip(1).all(is_option) {
        return None;
    }
    match shell {
        // bash sets `PS1` anew in its start-up files, and runs this after them.
        "bash" => Some(("PROMPT_COMMAND", format!("PS1=\"{MARKER}${{PS1#\"{MARKER}\"}}\""))),
        shell if BY_PROMPT.contains(&shell) => Some(("PS1", format!("{MARKER}$ "))),
        _ => None,
    }
}

#[cfg(test)]
#[path = "prompt_marker_tests.rs"]
mod tests;
