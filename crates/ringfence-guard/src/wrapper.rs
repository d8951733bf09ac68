//! Removes the shell wrapper that agents put around a command.
//!
//! Claude Code and hermes start a shell that sources a snapshot of the user's settings, evaluates
//! the command and prints the final directory. Only the command inside was written by the model.
//!
//! Callers must also confine the process: a model could write the same wrapper with a snapshot file
//! of its own, and this module does not read that file.

mod claude;
mod hermes;

/// Returns the shell's argv with the inner command alone, or `None` if the line is not a known
/// wrapper.
pub fn without_wrapper(argv: &[String]) -> Option<Vec<String>> {
    let [shell, flags @ .., line] = argv else { return None };
    let runs = flags.iter().any(|flag| flag == "-c")
        && flags.iter().all(|flag| matches!(flag.as_str(), "-c" | "-l"));
    if !runs {
        return None;
    }
    let inner = claude::inner_command(line).or_else(|| hermes::inner_command(line))?;
    Some(vec![shell.clone(), "-c".to_owned(), inner])
}

fn is_plain(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+@".contains(c))
        && !path.split('/').any(|name| name == "..")
}

/// Reads a single-quoted word, in which any of `quotes` stands for a quotation mark. Returns the
/// word and the text after it.
fn single_word<'t>(text: &'t str, quotes: &[&str]) -> Option<(String, &'t str)> {
    let mut word = String::new();
    let mut rest = text.strip_prefix('\'')?;
    loop {
        let (part, after) = rest.split_once('\'')?;
        word.push_str(part);
        match quotes.iter().find_map(|quote| after.strip_prefix(quote)) {
            Some(after) => {
                word.push('\'');
                rest = after;
            }
            None => return Some((word, after)),
        }
    }
}
