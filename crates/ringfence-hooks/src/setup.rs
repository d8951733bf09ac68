//! The settings file that makes an agent call the hook.

/// A settings file that makes an agent call the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookSetup {
    /// The file's path below the user's home directory.
    pub path: &'static str,
    /// The file's content.
    pub text: String,
}

/// Returns a settings file with pretty-printed JSON.
pub(crate) fn json(path: &'static str, value: &serde_json::Value) -> HookSetup {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    HookSetup { path, text: text + "\n" }
}

/// Returns the hook command as one shell line, with the path of ringfence quoted if necessary.
pub(crate) fn command(program: &str, agent: &str) -> String {
    format!("{} hook {agent}", word(program))
}

/// Returns the shell line that redeems a ticket.
pub(crate) fn redeem(program: &str, ticket: &str, label: &str) -> String {
    format!("{} fenced {ticket} '{label}'", word(program))
}

/// Returns a text as one word of a shell line.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// The hook timeout in the agent's settings, in seconds. It is longer than the time that a person
/// has to answer.
pub(crate) const TIMEOUT: u64 = 120;
