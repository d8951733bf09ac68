//! The shell forms that agents themselves put around a command.
//!
//! Claude Code and hermes start a shell that reads a snapshot of the user's settings, evaluates the
//! command, and says where it ended. None of that is the model's; what the model wrote is inside.
//!
//! Whoever calls this must hold the process by other means: a model could write the same form around
//! a snapshot of its own, and what that file says is not looked at.

mod claude;
mod hermes;

/// The same start of a shell with the command alone, where its words are an agent's own form.
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

/// A word in single quotes, in which one of these stands for such a quote, and what follows it.
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
