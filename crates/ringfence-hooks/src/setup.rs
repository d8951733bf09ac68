//! What makes an agent call the hook.

/// A file that makes an agent call the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Where the agent looks for it, in the user's home.
    pub path: &'static str,
    /// What it says.
    pub text: String,
}

/// Settings in JSON, as a person would write them.
pub(crate) fn json(path: &'static str, value: &serde_json::Value) -> Setup {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    Setup { path, text: text + "\n" }
}

/// The command that an agent is told to run: a path that a shell reads as one word.
pub(crate) fn command(program: &str, agent: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,".contains(c);
    let word = match !program.is_empty() && program.chars().all(plain) {
        true => program.to_owned(),
        false => format!("'{}'", program.replace('\'', r"'\''")),
    };
    format!("{word} hook {agent}")
}

/// How long agents are told to wait for the hook, in seconds: longer than it waits for a person.
pub(crate) const TIMEOUT: u64 = 120;
